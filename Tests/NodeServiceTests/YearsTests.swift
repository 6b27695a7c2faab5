import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// A wall clock that jumps by years, while the node runs or while it is down, changes nothing but the times
/// that people read.
@Suite struct YearsTests {
  private static let year = Duration.seconds(31_557_600)

  /// How a clock jumps.
  struct Jump: Sendable, CustomTestStringConvertible {
    var years: Int
    /// What becomes of the service meanwhile.
    var end: End

    enum End: String, CaseIterable, Sendable {
      case none, crash, powerCut
    }

    var testDescription: String { "\(years) years, \(end.rawValue)" }

    static let all = [-57, -20, 20, 73].flatMap { years in
      End.allCases.map { Jump(years: years, end: $0) }
    }
  }

  /// Each text that is sent from now on with when it went by the node's clock; every one is accepted.
  private func live(_ bench: Bench, for span: Duration) throws -> [(body: String, at: BootInstant)]
  {
    var texts: [(body: String, at: BootInstant)] = []
    let end = bench.boot + span
    while let next = bench.machine.nextDeadline, next <= end {
      let outputs = try bench.pass(max(next - bench.boot, .nanoseconds(1)))
      for text in outputs.texts {
        texts.append((text.body, bench.store.clock.time(at: bench.boot)))
        try bench.handle(.outcome(text.id, .accepted(references: [17])))
      }
    }
    return texts
  }

  @Test(arguments: Jump.all) func textsGoWhenTheyWouldHaveInTheSameOrderOnce(_ jump: Jump) throws {
    let bench = try Bench()
    try bench.start()
    var recorded: [BootInstant] = []
    var bodies: [String] = []
    for number in 1...3 {
      recorded.append(bench.store.clock.time(at: bench.boot))
      bodies.append(try sample(Int64(number)).passage.v1Body)
      try bench.record(Int64(number))
      try bench.pass(.seconds(30))
    }
    bench.setClock(ahead: YearsTests.year * jump.years)
    switch jump.end {
    case .none: break
    case .crash: _ = try bench.crash()
    case .powerCut: _ = try bench.powerCut(uptime: .seconds(20))
    }
    let before = try bench.store.list(QueueQuery()).map(\.passage)
    // The clock is set right in the middle of it.
    var texts = try live(bench, for: .seconds(260))
    bench.setClock(ahead: .zero)
    texts += try live(bench, for: .seconds(3_600))
    #expect(texts.map(\.body) == bodies)
    for (text, since) in zip(texts, recorded) { #expect(text.at - since > .seconds(300)) }
    // Time without power does not count, nor does what passed since the clock was kept last.
    let slack: Duration = jump.end == .powerCut ? .seconds(120) : .seconds(60)
    if let last = texts.last, let since = recorded.last {
      #expect(last.at - since <= .seconds(300) + slack)
    }
    let after = try bench.store.list(QueueQuery())
    #expect(after.map(\.passage) == before)
    #expect(after.allSatisfy { $0.isTexted && !$0.isOutdated && $0.textAttempts == 1 })
  }
}
