import EventLoop
import Glibc
import PostgreSQL
import TestSupport
import Testing
import Time

extension Trait where Self == ConditionTrait {
  /// Where PostgreSQL is not installed the suite says so, and does not run.
  static var needsPostgreSQL: Self {
    .enabled(
      if: PostgreSQLServer.binaries != nil, Comment(rawValue: PostgreSQLServer.missing))
  }
}

/// An empty database of a test's own.
struct TestDatabase: Sendable {
  let server: PostgreSQLServer
  let settings: PostgreSQLSettings

  /// In the server that all suites share, or in another one.
  static func make(in other: PostgreSQLServer? = nil) async throws -> TestDatabase {
    let server = if let other { other } else { try await PostgreSQLServer.shared() }
    let name = try await server.makeDatabase()
    return TestDatabase(
      server: server,
      settings: PostgreSQLSettings(
        servers: [.init(host: server.directory, port: server.port)], database: name,
        user: server.owner))
  }

  /// A connection to it.
  func connect() throws -> PostgreSQLConnection {
    try PostgreSQLConnection(settings, clocks: SystemClocks())
  }

  /// Runs `body` with a connection, on a thread of its own.
  func with<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try await onThread {
      let connection = try connect()
      defer { connection.close() }
      return try body(connection)
    }
  }

  /// Returns when a process of the database waits so: for a lock, say.
  func waits(for event: String) throws {
    try comes(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        + "AND wait_event = $1 AND pid <> pg_backend_pid()", [.text(event)])
  }

  /// Returns when a statement gives a number other than 0. Another connection asks again and again; each answer
  /// is a wait.
  func comes(_ text: String, _ values: [PostgreSQLValue] = []) throws {
    let clocks = SystemClocks()
    let connection = try connect()
    defer { connection.close() }
    let end = clocks.boot() + SpokenLines.patience
    while clocks.boot() < end {
      if try connection.number(text, values) != 0 { return }
    }
    throw TestFailure("it never came: \(text)")
  }
}

extension PostgreSQLConnection {
  /// The number that a statement gives.
  func number(_ text: String, _ values: [PostgreSQLValue] = []) throws(PostgreSQLError) -> Int64 {
    try query(text, values).rows[0].value(0, .integer)
  }
}

/// What a call fails with; nil when it does not.
func failure<Value>(_ body: () throws(PostgreSQLError) -> Value) -> PostgreSQLError? {
  do throws(PostgreSQLError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

extension TestDatabase {
  /// The same with other settings.
  func with(_ change: (inout PostgreSQLSettings) -> Void) -> TestDatabase {
    var settings = settings
    change(&settings)
    return TestDatabase(server: server, settings: settings)
  }

  /// The same by TCP, where it needs a password.
  func overTCP(_ change: (inout PostgreSQLSettings) -> Void) -> TestDatabase {
    with { settings in
      settings.servers = [.init(host: "localhost", port: server.port)]
      change(&settings)
    }
  }

  /// The same on the socket, as its owner.
  var overSocket: TestDatabase {
    with { settings in
      settings.servers = [.init(host: server.directory, port: server.port)]
      settings.user = server.owner
    }
  }
}
