import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// A passage is texted once, whatever happens to the process, the machine or the modem.
@Suite struct AtMostOnceTests {
  private let day: Duration = .seconds(86_400)

  @Test func anAcceptedTextIsNeverSentAgain() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .accepted(references: [17])))
    #expect(try bench.passUntilText(within: day).texts.isEmpty)
    #expect(try bench.crash().texts.isEmpty)
    #expect(try bench.passUntilText(within: day).texts.isEmpty)
    #expect(try bench.powerCut(uptime: .seconds(20)).texts.isEmpty)
    #expect(try bench.passUntilText(within: day).texts.isEmpty)
    #expect(try bench.outcomes(queueID) == ["accepted"])
  }

  @Test func aTextOfUnknownOutcomeIsNotSentAgain() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "no answer within 60 s")))
    #expect(try bench.passUntilText(within: day).texts.isEmpty)
    #expect(try bench.crash().texts.isEmpty)
    #expect(try bench.passUntilText(within: day).texts.isEmpty)
    #expect(try bench.outcomes(queueID) == ["unknown"])
  }

  @Test func aTextThatWasWithTheModemInACrashIsNotSentAgain() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, _) = try bench.recordDue(1)
    #expect(try bench.outcomes(queueID) == ["intent"])
    #expect(try bench.crash().texts.isEmpty)
    #expect(try bench.outcomes(queueID) == ["unknown"])
    #expect(try bench.passUntilText(within: day).texts.isEmpty)
  }

  @Test func anAnswerThatComesAfterAllIsKept() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "no answer within 60 s")))
    try bench.pass(.seconds(30))
    try bench.handle(.outcome(text.id, .accepted(references: [17])))
    let kept = try #require(try bench.store.texts(of: queueID).first)
    #expect(kept.outcome == "accepted")
    #expect(kept.references == [17])
  }

  @Test func aDriverThatNeverAnswersHoldsTheOthersForTenMinutes() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, first) = try bench.recordDue(1)
    let second = try bench.record(2)
    #expect(try bench.pass(.seconds(599)).texts.isEmpty)
    let next = try bench.passUntilText(within: .seconds(3_600)).texts
    #expect(try bench.outcomes(queueID) == ["unknown"])
    #expect(try bench.outcomes(second) == ["intent"])
    #expect(next.map(\.id) == [first.id + 1])
  }

  @Test func anotherTextGoesWhenTheConfigurationAllowsTwo() throws {
    var rules = NodeRules.alone
    rules.textsPerPassage = 2
    let bench = try Bench(rules)
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "no answer within 60 s")))
    #expect(try bench.passUntilText(within: .seconds(599)).texts.isEmpty)
    let again = try #require(try bench.passUntilText(within: .seconds(60)).texts.first)
    #expect(again.body == text.body)
    try bench.handle(.outcome(again.id, .unknown(reason: "no answer within 60 s")))
    #expect(try bench.passUntilText(within: day).texts.isEmpty)
    #expect(try bench.outcomes(queueID) == ["unknown", "unknown"])
  }
}
