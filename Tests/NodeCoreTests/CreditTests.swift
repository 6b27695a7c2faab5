import GSM
import NodeCore
import Testing
import Time

@Suite struct CreditTests {
  private func bench() -> Bench {
    var bench = Bench.ready()
    bench.record(9)
    bench.pass(.seconds(301))
    return bench
  }

  private func suspicions(_ effects: [NodeEffect]) -> Int {
    effects.facts.filter { if case .noCreditSuspected = $0 { true } else { false } }.count
  }

  /// Ends a text and waits for the next.
  private func end(_ bench: inout Bench, _ outcome: TextOutcome) -> Int {
    let found = suspicions(bench.finish(outcome))
    while bench.flying.isEmpty, let deadline = bench.core.nextDeadline {
      bench.pass(deadline - bench.now)
    }
    return found
  }

  @Test func refusalsRightAfterTextsThatWentLookLikeAnEmptyAccount() {
    var bench = bench()
    #expect(end(&bench, .fine) == 0)
    #expect(end(&bench, .broke()) == 0)
    #expect(end(&bench, .broke()) == 0)
    #expect(end(&bench, .broke()) == 1)
    #expect(end(&bench, .broke()) == 0, "it is said once")
    #expect(end(&bench, .fine) == 0)
    #expect(end(&bench, .broke()) == 0)
    #expect(end(&bench, .broke()) == 0)
    #expect(end(&bench, .broke()) == 1, "and again after it was topped up")
  }

  @Test func aRefusalThatStopsTheSIMIsEnoughByItself() {
    var bench = bench()
    #expect(end(&bench, .fine) == 0)
    #expect(end(&bench, .broke(.alert)) == 1)
  }

  @Test func withoutATextThatWentItIsNotTheCredit() {
    var bench = bench()
    for _ in 0..<4 { #expect(end(&bench, .broke()) == 0) }
  }

  @Test func whatWentBeforeTheStartCounts() {
    var bench = Bench()
    var facts = StartFacts(nextTextID: 42, charges: [])
    facts.reached = [ModemID(0): NodeRules.testing.gateways.reduce(into: []) { $0.insert($1) }]
    bench.tell(.started(facts))
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    bench.record(9)
    bench.pass(.seconds(301))
    #expect(end(&bench, .broke()) == 0)
    #expect(end(&bench, .broke()) == 0)
    #expect(end(&bench, .broke()) == 1)
    #expect(bench.core.snapshot(at: bench.now).modems[0].isCreditSuspected)
  }

  @Test func otherRefusalsAreNotTheCredit() {
    var bench = bench()
    #expect(end(&bench, .fine) == 0)
    for _ in 0..<4 { #expect(end(&bench, .refused(.later)) == 0) }
  }

  @Test func oneBadNumberIsNoEmptyAccount() {
    var bench = Bench.ready()
    bench.tell(.manualText(ManualText(requestID: 1, to: "+9779811111111", body: "b")))
    bench.finish(.fine)
    var found = 0
    for id in 2...6 {
      bench.tell(.manualText(ManualText(requestID: Int64(id), to: "+9779822222222", body: "b")))
      found += suspicions(bench.finish(.broke()))
    }
    #expect(found == 0)
    bench.tell(.manualText(ManualText(requestID: 7, to: "+9779833333333", body: "b")))
    #expect(suspicions(bench.finish(.broke())) == 1)
  }
}
