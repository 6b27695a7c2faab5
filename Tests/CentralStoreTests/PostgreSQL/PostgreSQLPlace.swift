import CentralCore
import CentralPostgreSQL
import EventLoop
import Foundation
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

/// A database of a test's own, in a server that all tests share: a copy of one into which the schema was written
/// once. It goes with the test.
final class PostgreSQLPlace: StorePlace {
  private static let template = Result {
    let server = try PostgreSQLServer.here.get()
    try perform("CREATE DATABASE central_template", on: server)
    try migrate("central_template", on: server)
    return server
  }

  let server: PostgreSQLServer
  let database: String

  convenience init() throws {
    try self.init(
      on: try PostgreSQLPlace.template.get(), like: "TEMPLATE central_template",
      isMigrated: false)
  }

  /// - Parameters:
  ///   - how: The rest of the statement that makes the database.
  ///   - isMigrated: Whether the schema is written into it; false where it has it, or is to have none.
  init(
    on server: PostgreSQLServer, like how: String = "", isMigrated: Bool = true
  ) throws {
    self.server = server
    database = "central_" + UUID().uuidString.lowercased().filter { $0 != "-" }
    try PostgreSQLPlace.perform("CREATE DATABASE \(database) \(how)", on: server)
    if isMigrated { try PostgreSQLPlace.migrate(database, on: server) }
  }

  deinit {
    try? PostgreSQLPlace.perform("DROP DATABASE \(database) WITH (FORCE)", on: server)
  }

  var settings: PostgreSQLSettings { PostgreSQLPlace.settings(of: database, on: server) }

  func open() throws -> any CentralStore { try openStore() }

  /// - Parameter change: Of what a connection is made with.
  func openStore(
    connections: Int = 2, _ change: (inout PostgreSQLSettings) -> Void = { _ in }
  ) throws -> PostgreSQLCentralStore {
    var settings = settings
    change(&settings)
    var limit = PostgreSQLCentralStore.Limit()
    limit.connections = connections
    return try PostgreSQLCentralStore(settings, limit: limit, clocks: SystemClocks())
  }

  /// Runs `body` with a connection beside the store, as another program could.
  func with<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    let connection = try PostgreSQLConnection(settings, clocks: SystemClocks())
    defer { connection.close() }
    return try body(connection)
  }

  /// Ends every other connection to the database, or those that wait so, and returns when they have ended; how many
  /// there were.
  @discardableResult
  func endConnections(waitingFor event: String? = nil) throws -> Int {
    try with { connection in
      try connection.query(
        """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND ($1::text IS NULL OR wait_event = $1)
        """, [.text(event)]
      ).rows.count
    }
  }

  private static func migrate(_ database: String, on server: PostgreSQLServer) throws {
    let connection = try PostgreSQLConnection(
      settings(of: database, on: server), clocks: SystemClocks())
    defer { connection.close() }
    try Migration.up(connection)
  }

  private static func settings(
    of database: String, on server: PostgreSQLServer
  ) -> PostgreSQLSettings {
    PostgreSQLSettings(
      servers: [.init(host: server.directory, port: server.port)], database: database,
      user: server.owner)
  }

  static func perform(_ statement: String, on server: PostgreSQLServer) throws {
    let connection = try PostgreSQLConnection(
      settings(of: "postgres", on: server), clocks: SystemClocks())
    defer { connection.close() }
    try connection.run(script: statement)
  }
}
