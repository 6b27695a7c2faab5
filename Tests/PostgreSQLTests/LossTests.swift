import EventLoop
import PostgreSQL
import SeededRandom
import TestSupport
import Testing
import Time

/// Connections and servers that go away.
@Suite(.needsPostgreSQL) struct LossTests {
  @Test func aConnectionThatTheServerEndedIsNoticedBeforeAnythingIsAsked() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint)")
      try database.connect().query(
        "SELECT pg_terminate_backend($1)", [.integer(Int64(connection.serverProcess))])
      _ = PollLoop.wait(
        [Interest(descriptor: connection.descriptor)],
        until: SystemClocks().boot() + SpokenLines.patience, clocks: SystemClocks())
      let error = failure { () throws(PostgreSQLError) in
        try connection.query("INSERT INTO t VALUES (1)")
      }
      // Nothing was sent, so that nothing is unknown.
      guard case .lost(let reason) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason.contains("57P01"))
      #expect(error?.kind == .reconnect)
      #expect(!connection.isOpen)
    }
  }

  /// Runs `work` until it waits as `event` says, ends its process at the server, and tells what it threw.
  private func ended(
    _ database: TestDatabase, waitingFor event: String,
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> PostgreSQLResult
  ) async throws -> PostgreSQLError? {
    async let error = database.with { connection throws in
      failure { () throws(PostgreSQLError) in try work(connection) }
    }
    try await onThread {
      try database.waits(for: event)
      try database.connect().query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = $1 AND pid <> pg_backend_pid()
        """, [.text(event)])
    }
    return try await error
  }

  @Test func whatWasLostInATransactionIsNotDone() async throws {
    let database = try await TestDatabase.make()
    let error = try await ended(database, waitingFor: "PgSleep") {
      connection throws(PostgreSQLError) in
      try connection.transaction { connection throws(PostgreSQLError) in
        try connection.query("CREATE TABLE t ()")
        return try connection.query("SELECT pg_sleep(600)")
      }
    }
    guard case .lost(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("57P01"))
  }

  @Test func ofAStatementAloneTheOutcomeIsUnknownUnlessItOnlyReads() async throws {
    let database = try await TestDatabase.make()
    for isReading in [true, false] {
      let error = try await ended(database, waitingFor: "PgSleep") {
        connection throws(PostgreSQLError) in
        try connection.query("SELECT pg_sleep(600)", isReading: isReading)
      }
      #expect(error?.kind == (isReading ? .reconnect : .outcomeUnknown))
    }
  }

  @Test func ofACommitThatWasOnItsWayTheOutcomeIsUnknown() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      // What is checked at the end takes long.
      try connection.run(
        script: """
          CREATE TABLE t (id bigint);
          CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
          CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION slow();
          """)
    }
    let error = try await ended(database, waitingFor: "PgSleep") {
      connection throws(PostgreSQLError) in
      try connection.transaction { connection throws(PostgreSQLError) in
        try connection.query("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.kind == .outcomeUnknown)
    try await database.with { connection throws in
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
    }
  }

  @Test func aServerThatBreaksOffAfterItCommittedLeavesTheOutcomeUnknown() async throws {
    let server = try await PostgreSQLServer.start(isDurable: true)
    let database = try await TestDatabase.make(in: server)
    try await database.with { connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint)")
      // A commit is on disk, and then waits for a follower that there is not: as soon as the server has heard
      // of it.
      try connection.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
      try connection.query("SELECT pg_reload_conf()")
    }
    async let outcome = database.with { connection throws in
      var committed: Int64 = 0
      while true {
        let error = failure { () throws(PostgreSQLError) in
          try connection.transaction { connection throws(PostgreSQLError) in
            try connection.query("INSERT INTO t VALUES (1)")
          }
        }
        if let error { return (committed, error) }
        committed += 1
      }
    }
    try await onThread { try database.waits(for: "SyncRep") }
    try await server.kill()
    let (committed, error) = try await outcome
    #expect(error.kind == .outcomeUnknown)
    try await server.start()
    try await database.with { connection throws in
      #expect(try connection.number("SELECT count(*) FROM t") == committed + 1)
    }
  }

  @Test func ofAPipelineThatWasLostWhatWasAnsweredStands() async throws {
    let database = try await TestDatabase.make()
    async let results = database.with { connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint)")
      return try connection.pipeline(groups: [
        [PostgreSQLCommand("INSERT INTO t VALUES (1)")],
        [PostgreSQLCommand("SELECT pg_sleep(600)")],
        [PostgreSQLCommand("INSERT INTO t VALUES (2)")],
      ]).map { result -> PostgreSQLError? in
        if case .failure(let error) = result { error } else { nil }
      }
    }
    try await onThread {
      try database.waits(for: "PgSleep")
      try database.connect().query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
          + "WHERE datname = current_database() AND wait_event = 'PgSleep'")
    }
    #expect(try await results.map(\.?.kind) == [nil, .outcomeUnknown, .outcomeUnknown])
    try await database.with { connection throws in
      #expect(try connection.number("SELECT sum(id) FROM t") == 1)
    }
  }

  @Test func aPoolGoesOnAfterItsServerWasKilledAndStartedAgain() async throws {
    let server = try await PostgreSQLServer.start()
    let database = try await TestDatabase.make(in: server)
    let health = HealthLog()
    var limit = PostgreSQLPool.Limit()
    limit.connections = 3
    limit.patience = SpokenLines.patience
    limit.longestPause = .milliseconds(100)
    let pool = try PostgreSQLPool(
      database.settings, limit: limit, clocks: SystemClocks(), chance: SplitMix64(seed: 1),
      healthChanged: health.note)
    try pool.start {}
    try await pool.run { connection throws(PostgreSQLError) in
      try connection.run(script: "CREATE TABLE t (id bigint)")
    }
    async let lost = Result<Void, PostgreSQLError>.of {
      () throws(PostgreSQLError) in
      try await pool.run { connection throws(PostgreSQLError) in
        try connection.transaction { connection throws(PostgreSQLError) in
          try connection.query("INSERT INTO t VALUES (1)")
          try connection.query("SELECT pg_sleep(600)")
        }
      }
    }
    try await onThread { try database.waits(for: "PgSleep") }
    try await server.kill()
    guard case .failure(let error) = await lost else {
      Issue.record("it was not lost")
      return
    }
    #expect(error.kind == .reconnect)
    await health.reaches { $0.connected == 0 && $0.lastError?.kind == .reconnect }
    // Asked while there is no server, answered when there is one again.
    async let count = pool.run { connection throws(PostgreSQLError) in
      try connection.number("SELECT count(*) FROM t")
    }
    try await server.start()
    #expect(try await count == 0)
    await health.reaches { $0.connected == 3 && $0.lastError == nil }
    #expect(pool.health.isConnected)
    pool.stop()
    await onThread { pool.join() }
    #expect(pool.health.connected == 0)
  }
}
