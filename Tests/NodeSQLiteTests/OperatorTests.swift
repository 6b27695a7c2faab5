import NodeCore
import NodeSQLite
import Passages
import Testing
import Time

@Suite struct OperatorTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.record(1)
    bench.pass(.seconds(301))
  }

  private func retry() throws -> RetryOutcome {
    try bench.store.retry(1, at: bench.moment)
  }

  @Test func aFailedPassageIsPendingWithNoAttempts() throws {
    try bench.step(1, .claimed)
    try bench.step(1, .refused(error: "23514"))
    #expect(try retry() == .retried)
    let item = try bench.item(1)
    #expect(item.status == .pending)
    #expect(item.attempts == 0)
    #expect(item.requeues == 1)
  }

  @Test func aParkedPassageIsNoLonger() throws {
    #expect(try bench.store.park(1, reason: "bad plate"))
    #expect(try bench.choose().text == nil)
    #expect(try retry() == .retried)
    #expect(try bench.choose().text?.queueID == 1)
  }

  @Test func anUnknownTextMayGoOnceMoreWhenSomebodyAsks() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .unknown, .leftUnknown)
    #expect(try retry() == .retried)
    let due = try #require(try bench.choose().text)
    #expect(due.textAttempts == 0, "the rule's count starts again")
    #expect(try bench.item(1).textAttempts == 1, "the true one does not")
  }

  @Test func anAcceptedTextDoesNotGoAgainWhoeverAsks() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .fine, .texted)
    #expect(try retry() == .alreadyTexted)
    #expect(try bench.choose().text == nil)
  }

  @Test func aFailedPassageWithAnAcceptedTextIsSyncedAgainButNotTexted() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .fine, .texted)
    try bench.step(1, .claimed)
    try bench.step(1, .refused(error: "23514"))
    #expect(try retry() == .retried)
    #expect(try bench.item(1).status == .pending)
    #expect(try bench.choose().text == nil)
  }

  @Test func aPassageOnHoldWithAnAcceptedTextGoesToTheServerAgainAndIsNotTexted() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .fine, .texted)
    #expect(try bench.store.park(1, reason: "wrong plate"))
    #expect(try bench.item(1).onHoldReason == "wrong plate")
    #expect(try retry() == .retried)
    #expect(try bench.item(1).onHoldReason == nil)
    #expect(try bench.item(1).isTexted)
    try bench.step(1, .claimed)
    #expect(try bench.choose().text == nil)
  }

  @Test func thereIsAnEndToAsking() throws {
    for id in 1...3 as ClosedRange<TextID> {
      try bench.begin(1, text: id)
      try bench.end(id, .unknown, .leftUnknown)
      #expect(try retry() == (id < 3 ? .retried : .tooManyTexts))
    }
  }

  @Test func aYoungPassageKeepsItsFiveMinutes() throws {
    try bench.record(2)
    let due = try bench.item(2).textDue
    #expect(try bench.store.retry(2, at: bench.moment) == .retried)
    #expect(try bench.item(2).textDue == due)
  }

  @Test func whatIsUnderWayIsLeftAlone() throws {
    try bench.begin(1, text: 1)
    #expect(try retry() == .busy)
    try bench.end(1, .refused, .againAfterRefusal(at: bench.moment.boot))
    try bench.step(1, .claimed)
    #expect(try retry() == .busy)
  }

  @Test func aSyncedPassageIsDone() throws {
    try bench.step(1, .claimed)
    try bench.step(1, .synced)
    #expect(try retry() == .alreadySynced)
    #expect(try !bench.store.park(1, reason: "late"))
  }

  @Test func whatDoesNotExistIsNotFound() throws {
    #expect(try bench.store.retry(9, at: bench.moment) == .notFound)
    #expect(try !bench.store.park(9, reason: "nobody"))
  }
}
