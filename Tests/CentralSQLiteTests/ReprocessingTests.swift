import CentralCore
import GRDB
import Passages
import SQLiteFile
import Testing
import Time

@testable import CentralSQLite

/// What an operator has judged again, and what is left alone by that.
struct ReprocessingTests {
  private let stranger = "+9779812345678"

  @Test func aRuleIsSetAsideForTheNamedTextAlone() throws {
    let bench = try Bench()
    try bench.receive(text(0), id: "SM1", from: stranger)
    try bench.keep(text(1), id: "SM2", from: stranger)
    #expect(try bench.reprocess(1, waiving: .anySender).map(\.id) == [1])
    #expect(try bench.store.inboxItem(1)?.state == .decoded)
    #expect(try bench.store.inboxItem(2)?.state == .received)
    try bench.decode()
    #expect(try bench.store.inboxItem(2)?.reason == "sender")
  }

  @Test func whatDoesNotWaitIsNotJudged() throws {
    let bench = try Bench()
    try bench.receive(text(0), id: "SM1")
    try bench.keep(text(1), id: "SM2", from: stranger)
    for id in 1...3 as ClosedRange<Int64> {
      #expect(try bench.reprocess(id, waiving: .anySender).isEmpty)
    }
    #expect(try bench.clientIDs().count == 1)
  }

  @Test func allOfOneReasonAreJudged() throws {
    let bench = try Bench()
    for index in 0..<3 {
      try bench.receive(
        "V1|BNP-A|BA1PA1234|CAR|\(1_609_120_000 + index)|4567", id: "SM\(index)")
    }
    try bench.receive(text(0), id: "SM3", from: stranger)
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1609120009|4567", id: "SM4", from: stranger)
    let judged = try bench.store.reprocessAll(
      reason: Reason.time, rules: bench.rules, waiving: .anyTime, at: bench.wall)
    #expect(judged.decoded.map(\.id) == [1, 2, 3, 5])
    #expect(judged.lastID == 5)
    #expect(try bench.clientIDs().count == 3)
    let left = try bench.store.inbox(state: .undecodable)
    #expect(left.map(\.reason) == ["sender", "sender"])
    let rest = try bench.store.reprocessAll(
      after: 5, reason: Reason.time, rules: bench.rules, waiving: .anyTime, at: bench.wall)
    #expect(rest == Reprocessed(decoded: [], lastID: nil))
  }

  @Test func allAreJudgedInPages() throws {
    let bench = try Bench()
    let count = Limits.decodedAtOnce + 1
    _ = try bench.store.keep(
      (0..<count).map { index in
        InboundMessage(
          provider: "twilio", providerID: "SM\(index)", from: stranger, text: text(index),
          receivedAt: bench.wall)
      })
    while try !bench.decode().isEmpty {}
    bench.rules.ingress = .open
    let first = try bench.store.reprocessAll(rules: bench.rules, at: bench.wall)
    #expect(first.decoded.count == Limits.decodedAtOnce)
    let last = try #require(first.lastID)
    let second = try bench.store.reprocessAll(after: last, rules: bench.rules, at: bench.wall)
    #expect(second.decoded.count == 1)
    #expect(try bench.store.overview().passages == count)
    #expect(try bench.store.overview().undecodable == 0)
  }

  /// What runs with every message looks at parts that wait, and at nothing else of the inbox.
  @Test func givingUpPartsLooksAtPartsAlone() throws {
    let bench = try Bench()
    let plan = try SQLiteFile.read(bench.store.queue, bench.path) { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN " + Judge.givingUpParts, arguments: [0, 4_096]
      ).map { $0["detail"] as String }
    }
    let looks = plan.filter { $0.contains("inbox") }
    #expect(!looks.isEmpty)
    #expect(looks.allSatisfy { $0.contains("USING") && $0.contains("inbox_parts") }, "\(plan)")
  }

  @Test func theCountsFollowEveryChange() throws {
    let bench = try Bench()
    for index in 0..<4 { try bench.receive(text(index % 3), id: "SM\(index)") }
    try bench.receive("nonsense", id: "SM9")
    try bench.keep(text(5), id: "SM10")
    for (name, query) in [
      ("inbox", "SELECT count(*) FROM inbox"), ("passages", "SELECT count(*) FROM passages"),
      ("undecodable", "SELECT count(*) FROM inbox WHERE state = 'undecodable'"),
      ("duplicate", "SELECT count(*) FROM inbox WHERE state = 'duplicate'"),
    ] {
      let (counted, tallied) = try SQLiteFile.read(bench.store.queue, bench.path) { database in
        (
          try Int.fetchOne(database, sql: query),
          try Int.fetchOne(database, sql: "SELECT n FROM tally WHERE name = ?", arguments: [name])
        )
      }
      #expect(counted == tallied, "\(name)")
    }
    #expect(try bench.store.overview().duplicates == 1)
    #expect(try bench.store.overview().received == 6)
  }

  @Test func aFileOfTheFirstVersionIsCounted() throws {
    let bench = try Bench()
    try bench.receive(text(0), id: "SM1")
    try bench.receive("nonsense", id: "SM2")
    try bench.store.close()
    // As the first version left it.
    try bench.execute(
      """
      DROP TRIGGER tally_received; DROP TRIGGER tally_forgotten; DROP TRIGGER tally_judged;
      DROP TRIGGER tally_passage; DROP TRIGGER tally_passage_gone; DROP TABLE tally;
      DELETE FROM grdb_migrations WHERE identifier = 'v2: counts';
      """)
    bench.store = try SQLiteCentralStore(path: bench.path)
    let overview = try bench.store.overview()
    #expect(overview.received == 2)
    #expect(overview.passages == 1)
    #expect(overview.undecodable == 1)
  }
}
