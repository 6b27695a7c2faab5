import Events
import GSM
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Testing
import Time

/// What a node makes of the network's reports on its texts.
@Suite struct DeliveryTests {
  @Test func aReportThatComesBeforeItsOutcomeIsToldAfterIt() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    let early = try bench.handle(.received(try report(reference: 7, status: 0), token: 1))
    #expect(early.events.map(\.name) == ["report_unmatched"])
    let outputs = try bench.handle(.outcome(text.id, .accepted(references: [7])))
    #expect(outputs.events.map(\.name) == ["text_accepted", "text_delivered"])
    #expect(try bench.store.texts(of: queueID)[0].delivery == .delivered)
  }

  @Test func whatAModemReachedIsKnownAfterTheNextStart() throws {
    let bench = try Bench()
    try bench.start()
    let (_, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .accepted(references: [7])))
    let facts = try bench.store.recover(
      rules: .alone,
      at: Moment(boot: bench.store.clock.time(at: bench.boot), wall: bench.wall))
    #expect(facts.reached.values.map(\.count) == [1])
  }

  // Both modems count from the same reference, send in the same second, and to one number.
  @Test func twoModemsHaveReportsThatDifferInNothing() throws {
    var rules = NodeRules.alone
    rules.modems = [NodeModem(name: "one"), NodeModem(name: "two")]
    let bench = try Bench(rules)
    try bench.start()
    let same = try report(reference: 7, status: 0)
    func hand(_ modem: Int, token: UInt64) throws -> [NodeOutput] {
      try bench.handle(
        .modem(ModemID(modem), .received(InboundPDU(token: token, hex: same))))
    }
    #expect(try hand(0, token: 1).events.count == 1)
    #expect(try hand(1, token: 2).events.count == 1, "another text's")
    #expect(try hand(1, token: 3).events.isEmpty, "the same once more")
  }

  @Test func aReportEndsTheDoubtAboutATextAndSparesTheSecond() throws {
    var rules = NodeRules.alone
    rules.textsPerPassage = 2
    let bench = try Bench(rules)
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "no answer")))
    let outputs = try bench.handle(.received(try report(reference: 7, status: 0), token: 1))
    #expect(outputs.events.map(\.name) == ["text_delivered"])
    #expect(outputs.events[0].words.contains("in doubt until now"))
    #expect(try bench.store.item(queueID)?.isTexted == true)
    #expect(try bench.pass(.seconds(7_200)).texts.isEmpty)
  }

  @Test func withoutAReportASecondTextGoesAndIsCounted() throws {
    var rules = NodeRules.alone
    rules.textsPerPassage = 2
    let bench = try Bench(rules)
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "no answer")))
    let second = try #require(
      try bench.passUntilText(within: .seconds(7_200)).texts.first)
    try bench.handle(.outcome(second.id, .unknown(reason: "no answer")))
    #expect(try bench.store.item(queueID)?.textAttempts == 2)
    #expect(try bench.passUntilText(within: .seconds(86_400)).texts.isEmpty)
  }

  @Test func theTimeOfATextRunsOutByTheReportOrWithoutOne() throws {
    let bench = try Bench()
    bench.machine = NodeMachine(
      store: bench.store,
      settings: {
        var settings = NodeMachine.Settings(rules: .alone)
        settings.validity = .seconds(3_600)
        return settings
      }(), seed: 1)
    try bench.start()
    let (first, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .accepted(references: [7])))
    try bench.handle(.received(try report(reference: 7, status: 0x46), token: 1))
    #expect(try bench.store.texts(of: first)[0].delivery == .expired)
    let (second, other) = try bench.recordDue(2)
    try bench.handle(.outcome(other.id, .accepted(references: [8])))
    #expect(try bench.pass(.seconds(3_600)).events.map(\.name) == [])
    #expect(try bench.pass(.seconds(3_700)).events.map(\.name) == ["text_expired"])
    #expect(try bench.store.texts(of: second)[0].delivery == .expired)
  }

  @Test func theNetworkKeepsATextNoLongerThanItsPassageIsWorthOne() throws {
    var rules = NodeRules.alone
    rules.worthFor = .seconds(3_600)
    let bench = try Bench(rules)
    try bench.start()
    let (_, text) = try bench.recordDue(1)
    #expect(text.validity == .seconds(3_600 - 301))
  }

  @Test func whatTheBudgetsAllowStandsInTheLog() throws {
    let bench = try Bench()
    let words = try bench.start().events.filter { $0.name == "budget" }.map(\.words)
    #expect(
      words == [
        "at most 15 texts a minute, 120 an hour, 300 a day, 3000 in 30 days for each of 1 modem;"
          + " worst case in any 24 hours 300"
      ])
  }

  @Test func anEmptyAccountIsSuspectedInWords() throws {
    let bench = try Bench()
    try bench.start()
    let (_, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .accepted(references: [7])))
    try bench.record(2)
    var words: [String] = []
    for _ in 0..<3 {
      let next = try #require(try bench.passUntilText(within: .seconds(7_200)).texts.first)
      let events = try bench.handle(.outcome(next.id, .networkOutOfOrder)).events
      words += events.filter { $0.name == "modem_no_credit_suspected" }.map(\.words)
    }
    #expect(words.count == 1)
    #expect(words[0].contains("top up the SIM"))
  }
}
