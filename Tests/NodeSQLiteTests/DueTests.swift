import GRDB
import NodeCore
import Passages
import SQLiteFile
import SeededRandom
import Testing
import Time

@testable import NodeSQLite

@Suite struct DueTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  @Test func withNothingRecordedNothingWillEverBeDue() throws {
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test func theMomentOfTheFirstIsExact() throws {
    try bench.record(1)
    let due = bench.moment.boot + .seconds(300) + .nanoseconds(1)
    bench.pass(.seconds(10))
    try bench.record(2)
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: due))
    bench.pass(.seconds(290))
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: due), "at five minutes sharp")
    bench.pass(.nanoseconds(1))
    #expect(try bench.choose().text?.queueID == 1)
  }

  @Test func anOfferSaysAllThatTheRuleNeeds() throws {
    try bench.record(1)
    let since = bench.moment.boot
    bench.pass(.seconds(301))
    let due = try #require(try bench.choose().text)
    var offer = DueText(
      queueID: 1, clientID: samplePassage(1).clientID, body: samplePassage(1).v1Body,
      since: since, status: .pending)
    offer.times = PassageTimes(
      recordedAt: samplePassage(1).recordedAt, createdAt: WallTime(epochSeconds: 1_800_000_000))
    #expect(due == offer)
  }

  /// Both look-ups walk the index that holds nothing but passages that may be texted, and no row of
  /// any table is looked at before the one that is chosen.
  @Test(arguments: [DueQueries.earliest, DueQueries.mostUrgent]) func theChoiceGoesThroughItsIndex(
    _ query: String
  ) throws {
    let arguments: StatementArguments = query.contains("?") ? [0] : []
    let plan = try bench.store.file.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + query, arguments: arguments)
        .map { $0["detail"] as String }
    }
    #expect(
      plan.contains {
        $0.contains("USING COVERING INDEX text_deliveries_")
          || $0.contains("text_deliveries USING INDEX text_deliveries_")
      }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "nothing is sorted: \(plan)")
    #expect(!plan.contains { $0 == "SCAN uploads" || $0 == "SCAN passages" }, "\(plan)")
  }

  /// The quick way finds what the plain way finds.
  @Test(arguments: 1...30) func theChoiceIsTheOldestThatIsDue(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for number in 1...40 as ClosedRange<Int64> {
      try bench.record(number)
      bench.pass(.seconds(Int64.random(in: 0...40, using: &random)))
      guard random.happens(onceIn: 2) else { continue }
      let id = Int64.random(in: 1...number, using: &random)
      try disturb(id, text: number, &random)
    }
    for _ in 0..<30 {
      bench.pass(.seconds(Int64.random(in: 0...60, using: &random)))
      let now = bench.moment.boot.nanoseconds
      let condition = "status IN ('pending', 'failed') AND text_due_t IS NOT NULL"
      let oldest = try bench.strings(
        "SELECT CAST(min(id) AS TEXT) FROM queue WHERE \(condition) AND text_due_t <= \(now)")
      let next = try bench.strings(
        "SELECT CAST(min(text_due_t) AS TEXT) FROM queue WHERE \(condition)")
      let answer = try bench.choose()
      if let text = answer.text {
        #expect(String(text.queueID) == oldest.first, "seed \(seed)")
      } else {
        #expect(answer.nextDue.map { String($0.nanoseconds) } == next.first, "seed \(seed)")
      }
    }
  }

  /// Something that happens to a passage, where it is allowed.
  private func disturb(_ id: Int64, text: TextID, _ random: inout SplitMix64) throws {
    let item = try bench.item(id)
    guard item.status == .pending, !item.isTexted, item.parkedReason == nil else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      try bench.step(id, .claimed)
      try bench.step(id, .synced)
    case 1:
      try bench.step(id, .claimed)
      try bench.step(id, .refused(error: "22P02"))
    case 2:
      try bench.begin(id, text: text)
      try bench.end(text, .fine, .texted)
    case 3:
      try bench.begin(id, text: text)
      let again = bench.moment.boot + .seconds(Int64.random(in: 0...900, using: &random))
      try bench.end(text, .refused, .againAfterRefusal(at: again))
    default:
      _ = try bench.store.park(id, reason: "by hand")
    }
  }
}
