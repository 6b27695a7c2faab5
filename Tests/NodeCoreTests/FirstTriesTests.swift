import GSM
import NodeCore
import Testing
import Time

/// Refusals that may pass, modems that come back, and what is told when somebody has to come.
@Suite struct FirstTriesTests {
  private func refusal(_ code: String, _ kind: ErrorClass, triesFirst: Int) -> TextOutcome {
    .refused(Refusal(code: code, words: "words", kind: kind, triesFirst: triesFirst))
  }

  private func holds(_ effects: [NodeEffect]) -> [Bool] {
    effects.facts.compactMap {
      if case .sendingHeld(_, _, _, let needsOperator) = $0 { needsOperator } else { nil }
    }
  }

  @Test func whatMayPassIsTriedAgainBeforeSomebodyIsCalled() {
    var bench = Bench.ready()
    bench.record()
    bench.pass(.seconds(301))
    let missing = refusal("CMS 310", .alert, triesFirst: 1)
    #expect(holds(bench.finish(missing)) == [false])
    #expect(bench.pass(.seconds(60)).sent.count == 1)
    #expect(holds(bench.finish(missing)) == [true])
    #expect(bench.pass(.seconds(600)).sent.isEmpty)
    #expect(bench.core.snapshot(at: bench.now).modems[0].needsOperator)
    #expect(bench.core.snapshot(at: bench.now).modems[0].holdReason?.contains("CMS 310") == true)
  }

  @Test func aPassageIsNotGivenUpForSettingsThatWereForgotten() {
    var bench = Bench.ready()
    bench.record()
    bench.pass(.seconds(301))
    let forgotten = refusal("CMS 304", .permanent, triesFirst: 1)
    bench.finish(forgotten)
    #expect(bench.queue.items[0].parkedReason == nil)
    bench.pass(.seconds(60))
    bench.finish(forgotten)
    #expect(bench.queue.items[0].parkedReason != nil)
  }

  @Test func aModemThatReturnsStartsClean() {
    var bench = Bench.ready()
    bench.record(2)
    bench.pass(.seconds(301))
    bench.finish(.unknown(reason: "the port went away"))
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "gone"))
    bench.pass(.seconds(3))
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    #expect(bench.flying.isEmpty, "it is left alone after what nobody knows")
    #expect(bench.tell(.modemReturned(ModemID(0))).sent.count == 1)
  }

  @Test func aSingleNumberThatRefusesEverythingIsToldOf() {
    var bench = Bench.ready()
    bench.record(8)
    bench.pass(.seconds(301))
    var calls = 0
    for _ in 0..<6 {
      guard !bench.flying.isEmpty else {
        Issue.record("no text leaves any more")
        return
      }
      calls += holds(bench.finish(.refused(.destination))).count { $0 }
      for _ in 0..<120 where bench.flying.isEmpty { bench.pass(.seconds(60)) }
    }
    #expect(calls == 1)
  }
}
