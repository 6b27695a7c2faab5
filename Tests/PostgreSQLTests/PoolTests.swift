import EventLoop
import Glibc
import PostgreSQL
import SeededRandom
import Synchronization
import TestSupport
import Testing
import Time

/// A connection that holds a lock until it is let go.
private final class LockHolder: Sendable {
  private let connection: Mutex<PostgreSQLConnection>

  init(_ database: TestDatabase) throws {
    let connection = try database.connect()
    try connection.query("SELECT pg_advisory_lock(1)")
    self.connection = Mutex(connection)
  }

  func letGo() {
    connection.withLock { $0.close() }
  }
}

@Suite(.needsPostgreSQL) struct PoolTests {
  private static func pool(
    _ database: TestDatabase, _ health: HealthLog = HealthLog(),
    _ change: (inout PostgreSQLPool.Limit) -> Void = { _ in }
  ) throws -> PostgreSQLPool {
    var limit = PostgreSQLPool.Limit()
    limit.connections = 2
    limit.patience = SpokenLines.patience
    limit.longestPause = .milliseconds(50)
    change(&limit)
    let pool = try PostgreSQLPool(
      database.settings, limit: limit, clocks: SystemClocks(), chance: SplitMix64(seed: 3),
      healthChanged: health.note)
    try pool.start {}
    return pool
  }

  private static func end(_ pool: PostgreSQLPool) async {
    pool.stop()
    await onThread { pool.join() }
  }

  @Test func manyCallsShareItsConnections() async throws {
    let database = try await TestDatabase.make()
    let pool = try Self.pool(database)
    try await pool.run { connection throws(PostgreSQLError) in
      try connection.run(script: "CREATE TABLE t (id bigint, process bigint)")
    }
    let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
      for number in 0..<200 as Range<Int64> {
        group.addTask {
          try await pool.run { connection throws(PostgreSQLError) in
            try connection.query(
              "INSERT INTO t VALUES ($1, $2)",
              [.integer(number), .integer(Int64(connection.serverProcess))])
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 199 * 100)
    let (count, processes) = try await pool.run { connection throws(PostgreSQLError) in
      (
        try connection.number("SELECT count(*) FROM t"),
        try connection.number("SELECT count(DISTINCT process) FROM t")
      )
    }
    #expect(count == 200)
    #expect((1...2).contains(processes))
    await Self.end(pool)
  }

  @Test func whatFailsIsHandedBackAndTheNextCallIsNotTouched() async throws {
    let pool = try Self.pool(try await TestDatabase.make()) { $0.connections = 1 }
    let refused = await Result<Void, PostgreSQLError>.of { () throws(PostgreSQLError) in
      try await pool.run { connection throws(PostgreSQLError) in
        try connection.query("SELECT * FROM nowhere")
      }
    }
    #expect(throws: PostgreSQLError.self) { try refused.get() }
    // Neither a transaction that was left open nor a deadline is the next call's.
    try await pool.run(until: SystemClocks().boot() + SpokenLines.patience) {
      connection throws(PostgreSQLError) in
      try connection.run(script: "CREATE TABLE t ()")
      try connection.run(script: "BEGIN; DROP TABLE t")
    }
    let (count, deadline) = try await pool.run { connection throws(PostgreSQLError) in
      (
        try connection.number("SELECT count(*) FROM pg_tables WHERE tablename = 't'"),
        connection.deadline
      )
    }
    #expect(count == 1)
    #expect(deadline == nil)
    await Self.end(pool)
  }

  @Test func aConnectionThatTheServerEndsWhileItIdlesIsMadeAnew() async throws {
    let database = try await TestDatabase.make()
    let health = HealthLog()
    let pool = try Self.pool(database, health) { $0.connections = 1 }
    let process = try await pool.run { connection throws(PostgreSQLError) in
      connection.serverProcess
    }
    await health.reaches { $0.connected == 1 }
    try await database.with { connection throws in
      try connection.query("SELECT pg_terminate_backend($1)", [.integer(Int64(process))])
      #expect(connection.serverProcess != process)
    }
    // Nobody asked for anything meanwhile.
    await health.reaches { $0.connected == 0 && $0.lastError?.kind == .reconnect }
    await health.reaches { $0.connected == 1 && $0.lastError == nil }
    let next = try await pool.run { connection throws(PostgreSQLError) in
      try connection.query("SELECT 1")
      return connection.serverProcess
    }
    #expect(next != process)
    await Self.end(pool)
  }

  @Test func moreCallsThanThereIsRoomForAreRefused() async throws {
    let database = try await TestDatabase.make()
    let pool = try Self.pool(database) {
      $0.connections = 1
      $0.waiting = 2
    }
    let holder = try await onThread { try LockHolder(database) }
    async let running = pool.run { connection throws(PostgreSQLError) in
      try connection.query("SELECT pg_advisory_xact_lock(1)").affected
    }
    try await onThread { try database.waits(for: "advisory") }
    let answers = Mutex<[PostgreSQLError?]>([])
    var tickets: [UInt64] = []
    for _ in 0..<4 {
      tickets.append(
        pool.submit { _ throws(PostgreSQLError) in
        } _: { result in
          answers.withLock { answers in
            if case .failure(let error) = result {
              answers.append(error)
            } else {
              answers.append(nil)
            }
          }
        })
    }
    #expect(answers.withLock { $0 } == [.overloaded(limit: 2), .overloaded(limit: 2)])
    #expect(pool.health.waiting == 2)
    #expect(pool.health.running == 1)
    pool.withdraw(tickets[0])
    #expect(answers.withLock { $0.last } == .some(.ended))
    // What runs is finished, what waits is not begun.
    pool.stop()
    #expect(answers.withLock { $0.count } == 4)
    #expect(answers.withLock { $0.last } == .some(.ended))
    await onThread { holder.letGo() }
    #expect(try await running == 1)
    await onThread { pool.join() }
    let late = await Result<Void, PostgreSQLError>.of { () throws(PostgreSQLError) in
      try await pool.run { _ throws(PostgreSQLError) in }
    }
    guard case .failure(.ended) = late else {
      Issue.record("a pool that ended took a call")
      return
    }
  }

  @Test func aCallThatWaitsTooLongIsTold() async throws {
    let database = try await TestDatabase.make()
    let pool = try Self.pool(database) { $0.connections = 1 }
    let holder = try await onThread { try LockHolder(database) }
    async let running = pool.run { connection throws(PostgreSQLError) in
      try connection.query("SELECT pg_advisory_xact_lock(1)").affected
    }
    try await onThread { try database.waits(for: "advisory") }
    let late = await Result<Void, PostgreSQLError>.of { () throws(PostgreSQLError) in
      try await pool.run(until: SystemClocks().boot() + .milliseconds(10)) {
        _ throws(PostgreSQLError) in
      }
    }
    guard case .failure(.timedOut(.queue)) = late else {
      Issue.record("\(late)")
      return
    }
    // One that is cancelled does not wait for its turn.
    let task = Task {
      await Result<Void, PostgreSQLError>.of { () throws(PostgreSQLError) in
        try await pool.run { _ throws(PostgreSQLError) in }
      }
    }
    task.cancel()
    guard case .failure(.ended) = await task.value else {
      Issue.record("it was not ended")
      return
    }
    await onThread { holder.letGo() }
    #expect(try await running == 1)
    await Self.end(pool)
  }

  @Test func withoutAServerTheReasonIsToldAndItEndsAtOnce() async throws {
    let directory = try TemporaryDirectory()
    let database = try await TestDatabase.make().with {
      $0.servers = [.init(host: directory.path)]
    }
    let health = HealthLog()
    let pool = try Self.pool(database, health) { $0.patience = .milliseconds(30) }
    await health.reaches { $0.lastError != nil }
    let answer = await Result<Void, PostgreSQLError>.of { () throws(PostgreSQLError) in
      try await pool.run { _ throws(PostgreSQLError) in }
    }
    guard case .failure(.notConnected(.connection, _, nil)) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(!pool.health.isConnected)
    await Self.end(pool)
  }

  @Test func aPoolEndsWhileItsConnectionsAreMade() async throws {
    let (descriptor, port) = try Sockets.bound()
    defer { close(descriptor) }
    listen(descriptor, 5)
    var database = try await TestDatabase.make()
    database = database.with { $0.servers = [.init(host: "127.0.0.1", port: Int(port))] }
    let hasEnded = Mutex(false)
    let pool = try PostgreSQLPool(
      database.settings, clocks: SystemClocks(), chance: SplitMix64(seed: 3))
    try pool.start { hasEnded.withLock { $0 = true } }
    let reached = await onThread { accept(descriptor, nil, nil) }
    defer { close(reached) }
    await Self.end(pool)
    #expect(hasEnded.withLock { $0 })
    #expect(pool.pulses.count == 4)
  }
}
