import EventLoop
import PostgreSQL
import TestSupport
import Testing
import Time

/// Nothing takes longer than it may. What has to be done in time has a second, also on a busy machine; what
/// takes too long would take minutes.
@Suite(.needsPostgreSQL) struct DatabaseTimeTests {
  @Test func aLockThatIsHeldIsGivenUp() async throws {
    var database = try await TestDatabase.make()
    database = database.with { $0.lockTimeout = .milliseconds(20) }
    try await database.with { [database] connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint); INSERT INTO t VALUES (1)")
      let holder = try database.connect()
      try holder.transaction { holder throws(PostgreSQLError) in
        try holder.query("UPDATE t SET id = 2")
        let error = failure { () throws(PostgreSQLError) in
          try connection.query("UPDATE t SET id = 3")
        }
        #expect(error?.state == .lockNotAvailable)
        #expect(error?.kind == .lockTimeout)
        #expect(connection.isOpen && connection.isIdle)
      }
      #expect(try connection.query("UPDATE t SET id = 3").affected == 1)
    }
  }

  @Test func theServerEndsAStatementThatTakesTooLong() async throws {
    let database = try await TestDatabase.make().with { $0.statementTimeout = .seconds(1) }
    try await database.with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.query("SELECT pg_sleep(600)")
      }
      #expect(error?.state == .queryCanceled)
      #expect(error?.kind == .statementTimeout)
      #expect(try connection.number("SELECT 1") == 1)
    }
  }

  @Test func theServerEndsATransactionThatIdles() async throws {
    let database = try await TestDatabase.make().with {
      $0.idleInTransactionTimeout = .milliseconds(20)
    }
    try await database.with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try connection.query("SELECT 1")
          // Nobody asks for anything until the server has ended it.
          _ = PollLoop.wait(
            [Interest(descriptor: connection.descriptor)],
            until: SystemClocks().boot() + SpokenLines.patience, clocks: SystemClocks())
          try connection.query("SELECT 2")
        }
      }
      #expect(error?.kind == .reconnect)
      #expect(error?.problem.contains("25P03") == true, "\(String(describing: error))")
      #expect(!connection.isOpen)
    }
  }

  @Test func aDeadlineEndsWhatRunsWithItsConnection() async throws {
    try await TestDatabase.make().with { connection throws in
      connection.deadline = SystemClocks().boot() + .seconds(1)
      let error = failure { () throws(PostgreSQLError) in
        try connection.query("SELECT pg_sleep(600)", isReading: true)
      }
      #expect(error == .timedOut(.answer))
      #expect(error?.kind == .statementTimeout)
      #expect(!connection.isOpen)
      #expect(connection.closedBy == .timedOut(.answer))
      connection.deadline = nil
      let after = failure { () throws(PostgreSQLError) in try connection.query("SELECT 1") }
      #expect(after?.kind == .reconnect)
    }
  }

  @Test func ofAChangeThatTookTooLongTheOutcomeIsUnknown() async throws {
    let database = try await TestDatabase.make().with {
      $0.answerTimeout = .seconds(2)
      $0.statementTimeout = .seconds(1)
    }
    try await database.with { connection throws in
      try connection.query("SET statement_timeout = 0")
      let error = failure { () throws(PostgreSQLError) in
        try connection.query("SELECT pg_sleep(600)")
      }
      #expect(error?.kind == .outcomeUnknown)
    }
  }

  @Test func inATransactionWhatTookTooLongIsNotDone() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint)")
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try connection.query("INSERT INTO t VALUES (1)")
          connection.deadline = SystemClocks().boot() + .milliseconds(30)
          try connection.query("SELECT pg_sleep(600)")
        }
      }
      #expect(error == .timedOut(.answer))
      // The server sees that its client is gone, and lets go of what it held.
      try database.comes(
        "SELECT CASE WHEN count(*) = 0 THEN 1 ELSE 0 END FROM pg_stat_activity "
          + "WHERE query LIKE 'SELECT pg_sleep%' AND datname = current_database()")
      #expect(try database.connect().number("SELECT count(*) FROM t") == 0)
    }
  }

  @Test func aDeadlineThatHasPassedCommitsNothing() async throws {
    try await TestDatabase.make().with { connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint)")
      let error = failure { () throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try connection.query("INSERT INTO t VALUES (1)")
          connection.deadline = SystemClocks().boot()
        }
      }
      #expect(error == .timedOut(.answer))
      #expect(connection.isOpen && connection.isIdle)
      connection.deadline = nil
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
    }
  }
}
