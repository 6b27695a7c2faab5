import EventLoop
import PostgreSQL
import TestSupport
import Testing

@Suite(.needsPostgreSQL) struct TransactionTests {
  private static func table() async throws -> TestDatabase {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try connection.run(
        script: "CREATE TABLE t (id bigint PRIMARY KEY, n bigint NOT NULL DEFAULT 0)")
    }
    return database
  }

  private static func insert(
    _ id: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    try connection.query("INSERT INTO t VALUES ($1)", [.integer(id)])
  }

  @Test func whatReturnsIsCommittedAndWhatThrowsIsUndone() async throws {
    try await Self.table().with { connection throws in
      let value = try connection.transaction { connection throws(PostgreSQLError) in
        try Self.insert(1, connection)
        return try connection.number("SELECT count(*) FROM t")
      }
      #expect(value == 1)
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try Self.insert(2, connection)
          try Self.insert(1, connection)
        }
      }
      #expect(error?.isViolation(.uniqueViolation, of: "t_pkey") == true)
      #expect(connection.isIdle)
      #expect(try connection.number("SELECT count(*) FROM t") == 1)
    }
  }

  @Test func aRefusalThatIsPassedOverIsToldAtTheEnd() async throws {
    try await Self.table().with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try Self.insert(1, connection)
          _ = failure { () throws(PostgreSQLError) in try Self.insert(1, connection) }
          _ = failure { () throws(PostgreSQLError) in try Self.insert(2, connection) }
        }
      }
      #expect(error?.isViolation(.uniqueViolation) == true)
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
    }
  }

  @Test func aSavepointUndoesItsPartAlone() async throws {
    try await Self.table().with { connection throws in
      try connection.transaction { connection throws(PostgreSQLError) in
        try Self.insert(1, connection)
        let error = failure { () throws(PostgreSQLError) in
          try connection.savepoint { connection throws(PostgreSQLError) in
            try Self.insert(2, connection)
            try Self.insert(1, connection)
          }
        }
        #expect(error?.isViolation(.uniqueViolation) == true)
        let passedOver = failure { () throws(PostgreSQLError) in
          try connection.savepoint { connection throws(PostgreSQLError) in
            try Self.insert(4, connection)
            _ = failure { () throws(PostgreSQLError) in try Self.insert(1, connection) }
          }
        }
        #expect(passedOver?.isViolation(.uniqueViolation) == true)
        try connection.savepoint { connection throws(PostgreSQLError) in
          try Self.insert(3, connection)
        }
      }
      let ids = try connection.query("SELECT id FROM t ORDER BY id").rows.map {
        try $0.value("id", .integer)
      }
      #expect(ids == [1, 3])
      let outside = failure { () throws(PostgreSQLError) in
        try connection.savepoint { _ throws(PostgreSQLError) in }
      }
      #expect(outside?.kind == .programming)
    }
  }

  @Test func aConstraintThatIsCheckedAtTheEndRefusesTheCommit() async throws {
    try await Self.table().with { connection throws in
      try connection.run(
        script: "CREATE TABLE c (t bigint REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try connection.query("INSERT INTO c VALUES (7)")
        }
      }
      #expect(error?.isViolation(.foreignKeyViolation) == true)
      #expect(error?.kind == .constraint)
      #expect(connection.isIdle && connection.isOpen)
      #expect(try connection.number("SELECT count(*) FROM c") == 0)
    }
  }

  @Test func onlyOneTransactionIsOpenAtATime() async throws {
    try await Self.table().with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try Self.insert(1, connection)
          try connection.transaction { connection throws(PostgreSQLError) in
            try Self.insert(2, connection)
          }
        }
      }
      #expect(error?.kind == .programming)
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
    }
  }

  @Test func aTransactionThatOnlyReadsChangesNothing() async throws {
    try await Self.table().with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction(isReadOnly: true) { connection throws(PostgreSQLError) in
          try Self.insert(1, connection)
        }
      }
      #expect(error?.state == .readOnlyTransaction)
      #expect(error?.kind == .readOnly)
      #expect(!connection.isReadOnly)
    }
  }

  @Test(arguments: PostgreSQLConnection.Isolation.allCases)
  func theServerIsToldHowFarTransactionsSeeEachOther(
    _ isolation: PostgreSQLConnection.Isolation
  ) async throws {
    try await Self.table().with { connection throws in
      let level = try connection.transaction(isolation: isolation) {
        connection throws(PostgreSQLError) in
        try connection.query("SHOW transaction_isolation").rows[0].value(0, .text)
      }
      #expect(level == isolation.rawValue.lowercased())
    }
  }

  @Test func transactionsThatCannotBePutInOrderAreTriedAgain() async throws {
    let database = try await Self.table()
    try await database.with { connection throws in
      try Self.insert(1, connection)
      let other = try database.connect()
      var attempts = 0
      func count(_ most: Int) throws(PostgreSQLError) -> Int64 {
        attempts = 0
        return try connection.transaction(isolation: .serializable, attempts: most) {
          connection throws(PostgreSQLError) in
          attempts += 1
          let n = try connection.number("SELECT n FROM t WHERE id = 1")
          // Somebody else is quicker, the first time.
          if attempts == 1 { try other.query("UPDATE t SET n = n + 10 WHERE id = 1") }
          return try connection.number(
            "UPDATE t SET n = $1 WHERE id = 1 RETURNING n", [.integer(n + 1)])
        }
      }
      #expect(try count(3) == 11)
      #expect(attempts == 2)
      let error = failure { () throws(PostgreSQLError) in try count(1) }
      #expect(error?.state == .serializationFailure)
      #expect(error?.kind == .retryAtOnce)
      #expect(connection.isIdle)
    }
  }

  @Test func ofTwoThatWaitForEachOtherOneIsRefused() async throws {
    let database = try await Self.table()
    try await database.with { connection throws in
      try Self.insert(1, connection)
      try Self.insert(2, connection)
    }
    let update = "UPDATE t SET n = n + 1 WHERE id = $1"
    let isLocked =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 2 AND "
    async let first = onThread {
      try database.comes(isLocked + "granted")
      let connection = try database.connect()
      return failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try connection.query("SET LOCAL deadlock_timeout = '10ms'")
          try connection.query(update, [.integer(1)])
          // Until the other one has the second row.
          try connection.query("SELECT pg_advisory_xact_lock(2)")
          try connection.query(update, [.integer(2)])
        }
      }
    }
    let second = try await database.with { connection throws in
      let own = try database.connect()
      try own.query("SELECT pg_advisory_lock(2)")
      try database.comes(isLocked + "NOT granted")
      return failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try connection.query("SET LOCAL deadlock_timeout = '10ms'")
          try connection.query(update, [.integer(2)])
          own.close()
          try connection.query(update, [.integer(1)])
        }
      }
    }
    // Which one is for the server to say.
    let refused = [try await first, second].compactMap { $0 }
    #expect(refused.map(\.state) == [.deadlockDetected])
    #expect(refused.map(\.kind) == [.retryAtOnce])
    try await database.with { connection throws in
      #expect(try connection.number("SELECT sum(n)::bigint FROM t") == 2)
    }
  }
}
