import GRDB
import NodeCore
import SQLiteFile
import Testing
import Time

@testable import NodeSQLite

/// How a list finds the few passages that it is about, among a million others.
@Suite struct NarrowingTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    for number in 1...8 as ClosedRange<Int64> { try bench.record(number) }
    bench.pass(.seconds(301))
    try bench.step(1, .claimed)
    try bench.step(1, .synced)
    try bench.step(2, .claimed)
    _ = try bench.store.park(3, reason: "bad plate")
    try bench.begin(4, text: 1)
    try bench.begin(5, text: 2)
    try bench.end(2, .unknown, .leftUnknown)
  }

  private static func query(_ change: (inout QueueQuery) -> Void) -> QueueQuery {
    var query = QueueQuery()
    change(&query)
    return query
  }

  static let narrow: [(QueueQuery, [Int64])] = [
    (query { $0.status = .pending }, [3, 4, 5, 6, 7, 8]),
    (query { $0.status = .inFlight }, [2]),
    (query { $0.status = .failed }, []),
    (query { $0.isParked = true }, [3]),
    (query { $0.text = .undelivered }, []),
    (query { $0.text = .unknown }, [5]),
    (query { $0.among = .unsynced }, [2, 3, 4, 5, 6, 7, 8]),
    (query { $0.among = .textDue }, [2, 6, 7, 8]),
    (query { $0.among = .sending }, [2, 4]),
  ]

  @Test(arguments: narrow)
  func whatIsMeantIsFoundWithoutWalking(_ query: QueueQuery, _ expected: [Int64]) throws {
    #expect(try bench.store.list(query).map(\.queueID) == expected)
    var newest = query
    newest.beforeID = .max
    #expect(try bench.store.list(newest).map(\.queueID) == expected.reversed())
    let plan = try bench.store.file.read { database in
      let condition = try #require(try Narrowing.condition(query, database))
      return try Row.fetchAll(
        database,
        sql: """
          EXPLAIN QUERY PLAN SELECT * FROM queue
          WHERE queue.id > 0 AND queue.id < 1000 AND \(condition) ORDER BY queue.id DESC LIMIT 10
          """
      ).map { $0["detail"] as String }
    }
    #expect(plan.contains("SEARCH passages USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
    #expect(!plan.contains { $0.contains("rowid>") || $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  /// Of very many the first page is had sooner by walking, and is the same.
  @Test func manyAreWalkedThrough() throws {
    let (fewer, all) = try bench.store.file.read { database in
      let queries = [QueueStatus.pending, .synced].map { status in
        NarrowingTests.query { $0.status = status }
      }
      return (
        try queries.map { try Narrowing.condition($0, database, few: 6) },
        try queries.map { try Narrowing.condition($0, database, few: 7) }
      )
    }
    #expect(fewer == [nil, nil])
    // What the server has is the most of the queue anyway.
    #expect(all.map { $0 != nil } == [true, false])
  }
}
