import Events
import GSM
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// What is known not to have left goes again.
@Suite struct RefusalTests {
  @Test func aRefusedTextGoesAgainAfterGrowingPauses() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    var id = text.id
    var pauses: [Duration] = []
    for _ in 0..<5 {
      let refused = bench.boot
      try bench.handle(.outcome(id, .networkOutOfOrder))
      let outputs = try bench.passUntilText(within: .seconds(86_400))
      let again = try #require(outputs.texts.first)
      #expect(again.body == text.body)
      id = again.id
      pauses.append(bench.boot - refused)
    }
    #expect(pauses.first == .seconds(15))
    for (shorter, longer) in zip(pauses, pauses.dropFirst()) {
      #expect(shorter < longer)
    }
    try bench.handle(.outcome(id, .accepted(references: [3])))
    let refused = Array(repeating: "refused", count: 5)
    #expect(try bench.outcomes(queueID) == refused + ["accepted"])
  }

  @Test func theRefusalIsKeptInWords() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    let events = try bench.handle(.outcome(text.id, .networkOutOfOrder)).events
    let kept = try #require(try bench.store.texts(of: queueID).first)
    #expect(kept.error == "CMS 38 network out of order")
    let event = try #require(events.first { $0.name == "text_refused" })
    #expect(event.words == "CMS 38 network out of order")
    #expect(event.next?.at == bench.wall + .seconds(15))
    #expect(event.waiting == 1)
  }

  @Test func anotherTextWaitsWithTheRefusedOne() throws {
    let bench = try Bench()
    try bench.start()
    try bench.record(2)
    let (_, text) = try bench.recordDue(1)
    #expect(text.body.contains("BA1PA0002"))
    // One recipient and one network: what is refused for one is refused for all.
    #expect(try bench.handle(.outcome(text.id, .networkOutOfOrder)).texts.isEmpty)
    #expect(try bench.pass(.seconds(14)).texts.isEmpty)
    #expect(try bench.pass(.seconds(1)).texts.count == 1)
  }

  private func status(_ state: ModemState, starts: Int) -> NodeInput {
    var status = ModemStatus(state: state, port: "/dev/modem", canSend: state == .ready)
    status.starts = starts
    return .modem(ModemID(0), .status(status))
  }

  // What nobody knows of one text is no reason to keep the others once it is known why.
  @Test func aModemThatRestartedAndIsReadyGetsTheNextText() throws {
    for starts in [0, 1] {
      let bench = try Bench()
      try bench.start()
      try bench.record(2)
      let (_, text) = try bench.recordDue(1)
      try bench.handle(.outcome(text.id, .unknown(reason: "the modem restarted by itself")))
      try bench.handle(status(.probing, starts: starts))
      let outputs = try bench.handle(status(.ready, starts: starts))
      #expect(outputs.texts.count == starts, "\(starts) restarts")
      #expect(try bench.pass(.seconds(61)).texts.count == 1 - starts)
    }
  }

  @Test func aNetworkThatReturnsIsUsedAtOnce() throws {
    let bench = try Bench()
    try bench.start()
    try bench.record(2)
    let (_, text) = try bench.recordDue(1)
    try bench.handle(
      .outcome(text.id, .notSent(reason: "the modem is not registered in the network")))
    try bench.handle(status(.registering, starts: 0))
    #expect(try bench.handle(status(.ready, starts: 0)).texts.count == 1)
  }

  @Test func whatWasNotSentGoesAgainSoon() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .notSent(reason: "the port went away")))
    let again = try bench.passUntilText(within: .seconds(60))
    #expect(again.texts.map(\.body) == [text.body])
    #expect(try bench.outcomes(queueID) == ["not_sent", "intent"])
  }

  @Test func whatWillNeverBeTakenIsSetAside() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    // 3GPP TS 24.011 E.2, cause 95: semantically incorrect message.
    let refusal = ModemError(.cms, code: 95)
    #expect(refusal.errorClass == .permanent)
    let outputs = try bench.handle(.outcome(text.id, .refused(refusal)))
    #expect(outputs.events.contains { $0.name == "passage_parked" })
    #expect(try bench.store.item(queueID)?.parkedReason == refusal.description)
    #expect(try bench.passUntilText(within: .seconds(86_400)).texts.isEmpty)
  }
}
