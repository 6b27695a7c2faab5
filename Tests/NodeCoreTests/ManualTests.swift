import NodeCore
import Testing
import Time

/// Operators' texts that have to wait for a modem.
@Suite struct ManualTests {
  private let text = ManualText(requestID: 5, to: "+9779811111111", body: "hello")

  private func waits(_ effects: [NodeEffect]) -> [String] {
    effects.facts.compactMap {
      if case .manualTextWaits(_, let reason) = $0 { reason } else { nil }
    }
  }

  private func answers(_ effects: [NodeEffect]) -> [TextOutcome] {
    effects.compactMap { if case .manualFinished(5, let outcome) = $0 { outcome } else { nil } }
  }

  @Test func whyItWaitsIsToldAtOnceAndOnce() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    #expect(waits(bench.tell(.manualText(text))) == ["SIM locked"])
    #expect(waits(bench.pass(.seconds(30))).isEmpty)
    let end = bench.pass(.seconds(30))
    #expect(answers(end) == [.notSent(reason: "no modem could send it within 60 s (SIM locked)")])
  }

  @Test func theReasonIsTheLastThatTheModemGave() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "not registered"))
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    #expect(waits(bench.tell(.manualText(text))) == ["SIM locked"])
  }

  @Test func aTextThatOnlyWaitsForItsTurnIsNotExplained() {
    var bench = Bench.ready()
    bench.record()
    bench.pass(.seconds(301))
    #expect(waits(bench.tell(.manualText(text))).isEmpty)
  }

  @Test func whatWaitsCanBeWithdrawn() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    bench.tell(.manualText(text))
    #expect(bench.tell(.manualWithdrawn(requestID: 4)).isEmpty, "another's")
    let effects = bench.tell(.manualWithdrawn(requestID: 5))
    #expect(effects.facts == [.manualTextWithdrawn(text)])
    #expect(answers(effects) == [.notSent(reason: "it was withdrawn")])
    #expect(bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent.isEmpty)
  }

  @Test func whatIsWithAModemRunsItsCourse() {
    var bench = Bench.ready()
    #expect(bench.tell(.manualText(text)).sent.count == 1)
    #expect(bench.tell(.manualWithdrawn(requestID: 5)).isEmpty)
    #expect(answers(bench.finish(.fine)) == [.fine])
  }
}
