import AT
import GSM
import Testing
import Time

@testable import ModemSession

@Suite struct SendingStateTests {
  private let now = BootInstant.seconds(1_000)

  private func text(_ id: Int64, _ body: String = "text", to number: String = "+15550100")
    -> OutgoingText
  {
    OutgoingText(id: id, to: number, body: body)
  }

  private func answer(
    _ sending: SendingState, _ lines: [String], _ ending: ATAnswer.Ending = .ok,
    payloadLeft: Bool = true
  ) throws -> ATAnswer {
    ATAnswer(
      command: try #require(sending.partCommand), lines: lines, ending: ending,
      payloadLeft: payloadLeft)
  }

  private func state() -> SendingState {
    SendingState(ModemConfiguration(port: "/dev/modem"), seed: 7)
  }

  @Test func aTextGoesPartByPart() throws {
    var sending = state()
    expect(sending.accept(text(1, String(repeating: "x", count: 200)), obstacle: nil), is: nil)
    expect(sending.begin(keepsLink: true, at: now).beginning, is: .keepLink)
    for reference in [4, 5] {
      sending.left(at: now)
      let said = try answer(sending, ["+CMGS: \(reference)"])
      let result = sending.answered(said, nil, pause: .zero, at: now)
      #expect(result?.finding == .accepted)
      #expect(
        result?.events
          == (reference == 5 ? [.sendOutcome(id: 1, .accepted(references: [4, 5]))] : []))
    }
    #expect(!sending.isOpen)
    #expect(sending.partCommand == nil)
  }

  @Test func whatWentOutInPartIsUnknown() throws {
    var sending = state()
    _ = sending.accept(text(1, String(repeating: "x", count: 200)), obstacle: nil)
    _ = sending.begin(keepsLink: false, at: now)
    _ = sending.answered(try answer(sending, ["+CMGS: 4"]), nil, pause: .zero, at: now)
    let events = sending.interrupt("gone", payloadLeft: false, lines: [])
    #expect(
      events == [
        .sendOutcome(id: 1, .unknown(reason: "1 of 2 parts went out, then: gone"))
      ])
    expect(sending.interrupt("gone", payloadLeft: false, lines: []), is: [])
  }

  @Test func aReferenceThatCameBeforeTheLineWasLostCounts() {
    var sending = state()
    _ = sending.accept(text(1), obstacle: nil)
    _ = sending.begin(keepsLink: false, at: now)
    let events = sending.interrupt("gone", payloadLeft: true, lines: ["+CMGS: 260"])
    #expect(events.last == .sendOutcome(id: 1, .accepted(references: [4])))
    #expect(events.count == 2, "that it is reduced is told")
  }

  @Test func whatCannotBeATextIsRefusedWithACode() {
    var sending = state()
    _ = sending.accept(text(1, to: "nobody"), obstacle: nil)
    let (beginning, events) = sending.begin(keepsLink: false, at: now)
    #expect(beginning == .refused)
    #expect(events.last == .sendOutcome(id: 1, .refused(ModemError(.cms, code: 1))))
    #expect(!sending.isOpen)
  }

  @Test func noMoreWaitThanMay() {
    var sending = state()
    for id in 0..<Int64(Limits.waitingTexts) {
      expect(sending.accept(text(id), obstacle: nil), is: nil)
    }
    #expect(sending.isFull)
    expect(sending.accept(text(99), obstacle: nil), isNot: nil)
    expect(sending.refuseAll("closed").count, is: Limits.waitingTexts)
    #expect(!sending.isWaiting)
  }
}
