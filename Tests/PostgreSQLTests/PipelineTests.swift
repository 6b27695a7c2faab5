import PostgreSQL
import TestSupport
import Testing

@Suite(.needsPostgreSQL) struct PipelineTests {
  private static func insert(_ number: Int64) -> PostgreSQLCommand {
    PostgreSQLCommand("INSERT INTO t VALUES ($1) RETURNING id * 2 AS twice", [.integer(number)])
  }

  private static func table() async throws -> TestDatabase {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint PRIMARY KEY CHECK (id <> 13))")
    }
    return database
  }

  @Test func aThousandStatementsAreOneRoundTripInOrder() async throws {
    try await Self.table().with { connection throws in
      let results = try connection.pipeline((0..<1_000).map { Self.insert($0 + 100) })
      #expect(results.count == 1_000)
      let twice = try results.map { try $0.rows[0].value("twice", .integer) }
      #expect(twice == (0..<1_000).map { ($0 + 100) * 2 })
      #expect(try connection.number("SELECT count(*) FROM t") == 1_000)
    }
  }

  @Test func largeStatementsAndAnswersDoNotStandInEachOthersWay() async throws {
    try await Self.table().with { connection throws in
      // More each way than the system keeps between two processes.
      let text = String(repeating: "0123456789", count: 10_000)
      let results = try connection.pipeline(
        (0..<100).map { _ in PostgreSQLCommand("SELECT $1::text AS t", [.text(text)]) })
      #expect(try results.allSatisfy { try $0.rows[0].value("t", .text) == text })
      #expect(results.count == 100)
    }
  }

  @Test func anErrorUndoesAllOfThem() async throws {
    try await Self.table().with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.pipeline([1, 2, 13, 3].map(Self.insert))
      }
      #expect(error?.isViolation(.checkViolation) == true)
      #expect(error?.report?.statement == 2)
      #expect(connection.isIdle)
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
    }
  }

  @Test func anErrorInAGroupUndoesThatGroup() async throws {
    try await Self.table().with { connection throws in
      let groups: [[Int64]] = [[1, 2], [3, 13, 4], [5], [1], [6, 7]]
      let results = try connection.pipeline(groups: groups.map { $0.map(Self.insert) })
      #expect(results.count == 5)
      #expect(try results[0].get().count == 2)
      #expect(throws: PostgreSQLError.self) { try results[1].get() }
      #expect(try results[2].get().count == 1)
      #expect(throws: PostgreSQLError.self) { try results[3].get() }
      #expect(try results[4].get().count == 2)
      let ids = try connection.query("SELECT id FROM t ORDER BY id").rows.map {
        try $0.value("id", .integer)
      }
      #expect(ids == [1, 2, 5, 6, 7])
    }
  }

  @Test func aStatementThatCannotBePreparedLeavesTheOthersUndone() async throws {
    try await Self.table().with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.pipeline([
          Self.insert(1), PostgreSQLCommand("INSERT INTO nowhere VALUES (1)"), Self.insert(2),
        ])
      }
      #expect(error?.state?.code == "42P01")
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
      #expect(try connection.pipeline([]).isEmpty)
      #expect(try connection.pipeline(groups: []).isEmpty)
    }
  }

  @Test func inATransactionAPipelineIsAPartOfIt() async throws {
    try await Self.table().with { connection throws in
      try connection.transaction { connection throws(PostgreSQLError) in
        try connection.pipeline([1, 2].map(Self.insert))
        connection.rollBackAtEnd()
      }
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
      try connection.transaction { connection throws(PostgreSQLError) in
        _ = try connection.pipeline([1, 2].map(Self.insert))
        _ = try connection.pipeline([3].map(Self.insert))
      }
      #expect(try connection.number("SELECT count(*) FROM t") == 3)
    }
  }
}
