import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

@Suite struct TextTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    for number in 1...3 as ClosedRange<Int64> {
      try bench.record(number)
    }
    bench.pass(.seconds(301))
  }

  @Test func anIntentIsKeptBeforeAnythingElse() throws {
    try bench.begin(1, text: 1)
    let texts = try bench.another().texts(of: 1)
    #expect(texts.map(\.outcome) == ["intent"])
    #expect(texts[0].body == (try bench.item(1).passage.v1Body))
    #expect(texts[0].recipient == "+9779800000000")
    #expect(try bench.choose().text?.queueID == 2, "the next one is due, not the same again")
  }

  @Test func anAcceptedTextIsTheLast() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .accepted(references: [7, 8]), .texted)
    let text = try bench.store.texts(of: 1)[0]
    #expect(text.outcome == "accepted")
    #expect(text.references == [7, 8])
    #expect(try bench.item(1).isTexted)
    #expect(throws: StorageError.self) { try bench.begin(1, text: 2) }
    #expect(throws: StorageError.self) { try bench.sql("UPDATE text_deliveries SET sms_sent = 0") }
  }

  @Test func aRefusedTextIsDueAgainAtItsTime() throws {
    try bench.begin(1, text: 1)
    let again = bench.moment.boot + .seconds(60)
    try bench.end(1, .refused, .againAfterRefusal(at: again))
    #expect(try bench.choose().text?.queueID == 2)
    bench.pass(.seconds(60))
    let due = try #require(try bench.choose().text)
    #expect(due.queueID == 1)
    #expect(due.refusals == 1)
    #expect(try bench.store.texts(of: 1)[0].error == "CMS 38 network out of order")
  }

  @Test func onlyWhatWentOnAirOrMayHaveIsSent() throws {
    for (id, outcome) in [(1, .fine), (2, .refused), (3, .unknown)] as [(Int64, TextOutcome)] {
      try bench.begin(id, text: id)
      try bench.end(
        id, outcome,
        outcome == .fine
          ? .texted : outcome == .refused ? .againAfterRefusal(at: bench.moment.boot) : .leftUnknown
      )
    }
    #expect(try bench.store.overview(at: bench.moment.boot).textsLastDay == 2)
    bench.pass(.seconds(86_401))
    #expect(try bench.store.overview(at: bench.moment.boot).textsLastDay == 0)
  }

  @Test func anUnknownTextIsLeft() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .unknown, .leftUnknown)
    let item = try bench.item(1)
    #expect(item.textAttempts == 1)
    #expect(item.textDue == nil)
    #expect(!item.isTexted)
  }

  @Test func aKnownOutcomeIsNotChanged() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .fine, .texted)
    try bench.end(1, .refused, .againAfterRefusal(at: bench.moment.boot))
    #expect(try bench.store.texts(of: 1)[0].outcome == "accepted")
    #expect(try bench.item(1).isTexted)
    for outcome in ["intent", "unknown", "refused", "not_sent"] {
      #expect(throws: StorageError.self) {
        try bench.sql("UPDATE texts SET outcome = '\(outcome)'")
      }
    }
  }

  @Test func anUnknownOutcomeMayBecomeKnown() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .unknown, .leftUnknown)
    try bench.end(1, .fine, .texted)
    let item = try bench.item(1)
    #expect(item.isTexted)
    #expect(item.textAttempts == 1, "it is still one text")
  }

  @Test func thereIsNoFourthText() throws {
    for id in 1...3 as ClosedRange<TextID> {
      try bench.begin(1, text: id)
      try bench.end(id, .unknown, .againAfterUnknown(at: bench.moment.boot))
    }
    #expect(try bench.item(1).textDue == nil)
    #expect(throws: StorageError.self) { try bench.begin(1, text: 4) }
  }

  @Test func aParkedPassageIsNotTexted() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .refused, .parked(reason: "CMS 304 invalid PDU"))
    #expect(try bench.item(1).parkedReason == "CMS 304 invalid PDU")
    #expect(try bench.choose().text?.queueID == 2)
    #expect(throws: StorageError.self) { try bench.begin(1, text: 2) }
  }

  @Test func aPassageParkedWhileItsTextIsOutStaysParked() throws {
    try bench.begin(1, text: 1)
    #expect(try bench.store.park(1, reason: "by hand"))
    try bench.end(1, .refused, .againAfterRefusal(at: bench.moment.boot))
    #expect(try bench.item(1).parkedReason == "by hand")
    #expect(try bench.choose().text?.queueID == 2)
  }

  @Test func twoTextsAtOnceForOnePassageAreRefused() throws {
    try bench.begin(1, text: 1)
    #expect(throws: StorageError.self) { try bench.begin(1, text: 2) }
  }

  @Test func anOutcomeThatComesLateLeavesTheTextAlone() throws {
    // The first was given up as unknown, and the second is with a modem when it turns out that the
    // first never left.
    try bench.begin(1, text: 1)
    try bench.end(1, .unknown, .againAfterUnknown(at: bench.moment.boot))
    try bench.begin(1, text: 2)
    try bench.end(
      1, .notSent(reason: "no network"), .againAfterRefusal(at: bench.moment.boot))
    #expect(try bench.choose().text?.queueID == 2)
    #expect(try bench.item(1).textDue == nil)
    let again = bench.moment.boot + .seconds(60)
    try bench.end(2, .refused, .againAfterRefusal(at: again))
    #expect(try bench.item(1).textDue == again)
  }

  @Test func aTextThatSaysSomethingElseIsRefused() {
    let intent = TextIntent(
      id: 1, queueID: 1, modem: ModemID(0), to: "1", body: "V1|BNP-A|OTHER|CAR|1800000001|9801")
    #expect(throws: StorageError.self) { try bench.apply([.intent(intent)]) }
  }

  @Test func aTextForASyncedPassageIsRefused() throws {
    try bench.step(1, .claimed)
    try bench.step(1, .synced)
    #expect(throws: StorageError.self) { try bench.begin(1, text: 1) }
  }

  @Test func whatWasSentIsFrozen() throws {
    try bench.begin(1, text: 1)
    for change in ["body = 'x'", "recipient = 'x'", "intent_t = 0", "delivery_id = 2"] {
      #expect(throws: StorageError.self) { try bench.sql("UPDATE texts SET \(change)") }
    }
  }

  @Test func anOperatorsTextIsKeptToo() throws {
    let intent = TextIntent(id: 1, queueID: nil, modem: ModemID(1), to: "9800000001", body: "hi")
    try bench.apply([.intent(intent)])
    try bench.end(1, .fine, .texted)
    let texts = try bench.store.texts(of: nil)
    #expect(texts.map(\.body) == ["hi"])
    #expect(texts.map(\.outcome) == ["accepted"])
    #expect(texts.map(\.modem) == [ModemID(1)])
  }
}
