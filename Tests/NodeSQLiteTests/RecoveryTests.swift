import NodeCore
import NodeSQLite
import Passages
import Testing
import Time

@Suite struct RecoveryTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    for number in 1...4 as ClosedRange<Int64> {
      try bench.record(number)
    }
    bench.pass(.seconds(301))
  }

  @Test func whatWasBeingSentIsPendingAgainWithItsAttempts() throws {
    try bench.step(1, .claimed)
    try bench.step(1, .missed(error: "timeout"))
    try bench.step(1, .claimed)
    try bench.reopen()
    let facts = try bench.store.recover(rules: NodeRules(), at: bench.moment)
    #expect(facts.inFlight == 1)
    #expect(try bench.item(1).status == .pending)
    #expect(try bench.item(1).attempts == 1)
  }

  @Test func aTextWithoutAnOutcomeIsUnknownAndNeverNotSent() throws {
    try bench.begin(1, text: 5)
    try bench.reopen()
    let facts = try bench.store.recover(rules: NodeRules(), at: bench.moment)
    #expect(facts.intents == 1)
    #expect(facts.nextTextID == 6)
    #expect(facts.charges.map(\.at) == [bench.moment.boot], "it may have cost money")
    let text = try bench.store.texts(of: 1)[0]
    #expect(text.outcome == "unknown")
    #expect(try bench.item(1).textAttempts == 1)
    #expect(try bench.choose().text?.queueID == 2, "it is not sent again")
  }

  @Test func aTextWithoutAnOutcomeMayGoAgainWhenThatIsAllowed() throws {
    try bench.begin(1, text: 5)
    let begun = bench.moment.boot
    bench.pass(.seconds(5))
    var rules = NodeRules()
    rules.textsPerPassage = 2
    _ = try bench.store.recover(rules: rules, at: bench.moment)
    #expect(try bench.item(1).textDue == begun + rules.unknownSpacing)
  }

  @Test func aTextThatNeverLeftCostsNoBudget() throws {
    try bench.begin(1, text: 5)
    try bench.end(5, .notSent(reason: "port lost"), .againAfterRefusal(at: bench.moment.boot))
    try bench.begin(2, text: 6)
    try bench.end(6, .fine, .texted)
    let facts = try bench.store.recover(rules: NodeRules(), at: bench.moment)
    #expect(facts.charges.count == 1)
  }

  @Test func textsOfMoreThanThirtyDaysAgoAreForgottenByTheBudget() throws {
    try bench.begin(1, text: 5)
    try bench.end(5, .fine, .texted)
    bench.pass(.seconds(30 * 86_400 - 1))
    #expect(try bench.store.recover(rules: NodeRules(), at: bench.moment).charges.count == 1)
    bench.pass(.seconds(1))
    #expect(try bench.store.recover(rules: NodeRules(), at: bench.moment).charges == [])
  }

  @Test func aChangedFallbackTimeMovesWhatWaits() throws {
    var rules = NodeRules()
    rules.fallbackAfter = .seconds(900)
    let since = try bench.item(1).since
    try bench.begin(2, text: 1)
    try bench.end(1, .refused, .againAfterRefusal(at: bench.moment.boot + .seconds(7)))
    _ = try bench.store.recover(rules: rules, at: bench.moment)
    #expect(try bench.item(1).textDue == rules.due(since: since))
    #expect(try bench.item(2).textDue == bench.moment.boot + .seconds(7), "a pause stays")
    try bench.record(9)
    #expect(
      try bench.item(5).textDue == rules.due(since: bench.moment.boot),
      "whoever records follows the service's setting")
  }

  @Test func recoveringTwiceChangesNothingMore() throws {
    try bench.begin(1, text: 1)
    _ = try bench.store.recover(rules: NodeRules(), at: bench.moment)
    let item = try bench.item(1)
    let facts = try bench.store.recover(rules: NodeRules(), at: bench.moment)
    #expect(facts.intents == 0)
    #expect(try bench.item(1) == item)
  }
}
