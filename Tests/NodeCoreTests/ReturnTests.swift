import NodeCore
import Testing
import Time

/// How soon a line that is back is seen where the kernel tells nothing of it.
@Suite struct ReturnTests {
  /// The pauses between the end of one probe and the next, over an outage of three minutes.
  private func pauses(_ rules: NodeRules, seed: UInt64, _ failure: ServerFailure) -> [Duration] {
    var bench = UploadBench(rules, seed: seed)
    var pauses: [Duration] = []
    bench.tell(.linkChanged(.up))
    let end = bench.now + .seconds(180)
    var ended: BootInstant?
    while bench.now < end {
      if let index = bench.asked.firstIndex(where: { $0.call == .probe }) {
        if let ended { pauses.append(bench.now - ended) }
        let probe = bench.asked.remove(at: index)
        bench.tell(.answered(probe.id, ServerReply(.failure(failure))))
        ended = bench.now
        continue
      }
      guard let deadline = bench.core.nextDeadline else { break }
      bench.now = max(bench.now, deadline)
      bench.tell(.timePassed)
    }
    return pauses
  }

  @Test(arguments: [ServerFailure.refused, .silence])
  func aPauseAndAProbeTakeHalfAMinuteTogether(_ failure: ServerFailure) {
    var rules = UploadBench.rules
    for most in [Duration.seconds(1), rules.probeRetryMost, .seconds(60), .seconds(3_600)] {
      for first in [Duration.seconds(1), .seconds(5), .seconds(600)] {
        rules.probeRetryMost = most
        rules.probeRetryFirst = first
        for seed in UInt64(1)...50 {
          let pauses = pauses(rules, seed: seed, failure)
          #expect(pauses.count > 3)
          let longest = pauses.max() ?? .zero
          #expect(
            longest + rules.probeAnswerWithin <= .seconds(30),
            "seed \(seed), at most \(most): \(longest)")
        }
      }
    }
  }

  /// A probe that began before the line was back comes to its end first.
  @Test func aProbeThatHangsIsGivenUpInItsTime() {
    for seed in UInt64(1)...50 {
      var bench = UploadBench(UploadBench.rules, seed: seed)
      bench.tell(.linkChanged(.up))
      let began = bench.now
      var next: BootInstant?
      for _ in 0..<50 where next == nil {
        bench.now = max(bench.now, bench.core.nextDeadline ?? bench.now)
        bench.tell(.timePassed)
        if bench.asked.filter({ $0.call == .probe }).count > 1 { next = bench.now }
      }
      #expect((next ?? .seconds(9_000)) - began <= .seconds(30), "seed \(seed)")
    }
  }
}
