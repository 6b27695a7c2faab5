import NodeCore
import Testing
import Time

/// What stands in front and may not go keeps nobody behind it waiting, and nothing is decided that
/// cannot be written down.
@Suite struct HeadOfLineTests {
  @Test func aPassageThatMayNotBeTextedAgainKeepsNobodyWaiting() {
    var rules = NodeRules.testing
    rules.textsPerPassage = 2
    var bench = Bench.ready(rules)
    bench.record()
    bench.pass(.seconds(301))
    bench.finish(.unknown(reason: "no answer"))
    rules.textsPerPassage = 1
    bench.tell(.rulesChanged(rules))
    bench.record()
    let sent = bench.pass(.seconds(3_600)).sent
    #expect(sent.map(\.queueID) == [2])
  }

  @Test func aPassageThatMustWaitKeepsNobodyWaiting() {
    var rules = NodeRules.testing
    rules.textsPerPassage = 3
    rules.unknownSpacing = .seconds(3_600)
    var bench = Bench.ready(rules)
    bench.record()
    bench.pass(.seconds(301))
    bench.finish(.unknown(reason: "no answer"))
    bench.pass(.seconds(3_600))
    // The second text does not leave, and the third may not follow so soon.
    #expect(bench.flying.map(\.queueID) == [1])
    bench.finish(.notSent(reason: "no registration"))
    bench.record()
    let sent = bench.pass(.seconds(900)).sent
    #expect(sent.map(\.queueID) == [2])
    bench.finish(.fine)
    #expect(bench.pass(.seconds(3_600)).sent.map(\.queueID) == [1])
  }

  @Test func manyThatAreTooOldAreSetAsideALittleAtATime() {
    var rules = NodeRules.testing
    rules.worthFor = .seconds(3_600)
    var bench = Bench.ready(rules)
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "no registration"))
    bench.record(1_000)
    bench.pass(.seconds(4_000))
    let first = bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    let isOutdated = { (effect: NodeEffect) in
      if case .write(.outdated) = effect { true } else { false }
    }
    let count = first.count(where: isOutdated)
    #expect((1..<1_000).contains(count))
    let rest = bench.pass(.milliseconds(1))
    #expect(count + rest.count(where: isOutdated) == 1_000)
  }

  @Test func aFailureOfTheStoreSwallowsNoProbe() throws {
    var bench = Bench.ready(.withServer)
    #expect(bench.tell(.linkChanged(.up)).probes == [1])
    bench.tell(.answered(1, .done))
    bench.now = try #require(bench.core.nextDeadline)
    // What the core wants now is not carried out, since the store fails.
    #expect(bench.tell(.storageFailed(reason: "locked")).probes.isEmpty)
    #expect(bench.tell(.timePassed).probes == [2])
    bench.tell(.answered(2, .done))
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
  }

  /// It is kept, and goes after the next start: the one who asked does not have to ask again.
  @Test func anOperatorsTextThatWaitsIsAnsweredWhenTheServiceEnds() {
    var bench = Bench()
    bench.tell(.started(StartFacts(nextTextID: 1, charges: [])))
    bench.tell(.manualText(ManualText(requestID: 7, to: "+9779841000001", body: "hello")))
    let effects = bench.tell(.stopping)
    let answered = effects.contains { effect in
      if case .manualKept(7) = effect { true } else { false }
    }
    #expect(answered)
    #expect(bench.core.nextDeadline == nil)
  }
}
