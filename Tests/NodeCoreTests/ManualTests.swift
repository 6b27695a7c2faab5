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
    #expect(
      effects.contains { if case .write(.endText(_, .withdrawn)) = $0 { true } else { false } })
    #expect(answers(effects) == [.notSent(reason: "it was withdrawn")])
    #expect(bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent.isEmpty)
  }

  @Test func whatIsWithAModemRunsItsCourse() {
    var bench = Bench.ready()
    #expect(bench.tell(.manualText(text)).sent.count == 1)
    #expect(bench.tell(.manualWithdrawn(requestID: 5)).isEmpty)
    #expect(answers(bench.finish(.fine)) == [.fine])
  }

  // MARK: Kept by the store

  private func kept(_ effects: [NodeEffect]) -> [TextID] {
    effects.compactMap { if case .write(.keepText(let text, _)) = $0 { text.id } else { nil } }
  }

  private func ended(_ effects: [NodeEffect]) -> [TextID] {
    effects.compactMap { if case .write(.endText(let id, _)) = $0 { id } else { nil } }
  }

  // What the asking command is told is what the events of its delivery carry.
  @Test func itHasItsNumberFromTheBeginning() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    let effects = bench.tell(.manualText(text))
    let id = kept(effects)
    #expect(
      effects.compactMap { if case .manualQueued(5, let id) = $0 { id } else { nil } } == id)
    let sent = bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent
    #expect(sent.map(\.id) == id)
  }

  @Test func theEndOfTheServiceKeepsWhatWaits() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    bench.tell(.manualText(text))
    let effects = bench.tell(.stopping)
    #expect(ended(effects).isEmpty, "it stays in the store")
    #expect(effects.contains(.manualKept(requestID: 5)))
    #expect(answers(effects).isEmpty)
  }

  @Test func oneThatIsGivenUpIsOver() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    let id = kept(bench.tell(.manualText(text)))
    #expect(ended(bench.pass(.seconds(60))) == id)
  }

  private func started(_ bench: inout Bench, _ id: TextID = 41) -> [NodeEffect] {
    var text = text
    text.requestID = 0
    text.id = id
    var facts = StartFacts(nextTextID: 50, charges: [])
    facts.keptTexts = [KeptText(text, queued: bench.now)]
    return bench.tell(.started(facts))
  }

  @Test func whatWasKeptGoesAfterTheStart() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "starting"))
    #expect(started(&bench).sent.isEmpty)
    // However long the modem takes to be there.
    #expect(ended(bench.pass(.seconds(900))).isEmpty)
    let sent = bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent
    #expect(sent.map(\.id) == [41])
    #expect(sent.map(\.body) == ["hello"])
  }

  @Test func aDayLaterItIsTooOld() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    _ = started(&bench)
    #expect(ended(bench.pass(.seconds(24 * 3_600))) == [41])
    #expect(bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent.isEmpty)
  }

  @Test func itIsWithdrawnByItsNumber() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "SIM locked"))
    _ = started(&bench)
    let unknown = bench.tell(.textWithdrawn(40, requestID: 9))
    #expect(ended(unknown).isEmpty)
    #expect(
      unknown.contains { if case .manualFinished(9, .unknown) = $0 { true } else { false } })
    let effects = bench.tell(.textWithdrawn(41, requestID: 9))
    #expect(ended(effects) == [41])
    #expect(
      effects.contains { if case .manualFinished(9, .notSent) = $0 { true } else { false } })
  }
}
