import CentralCore
import CentralPostgreSQL
import EventLoop
import Foundation
import PostgreSQL
import TestSupport
import Time

/// A database of a test's own, in a server that all tests share: a copy of one into which the schema was written
/// once. It goes with the test.
final class PostgreSQLPlace: SQLPlace {
  private static let template = Result {
    let server = try PostgreSQLServer.here.get()
    try perform("CREATE DATABASE central_template", on: server)
    let connection = try PostgreSQLConnection(
      settings(of: "central_template", on: server), clocks: SystemClocks())
    defer { connection.close() }
    try Migration.up(connection)
    return server
  }

  let server: PostgreSQLServer
  let database: String

  convenience init() throws {
    try self.init(on: try PostgreSQLPlace.template.get(), from: "central_template")
  }

  /// A place on a server that already has a database with the schema.
  init(on server: PostgreSQLServer, from template: String) throws {
    self.server = server
    database = "central_" + UUID().uuidString.lowercased().filter { $0 != "-" }
    try PostgreSQLPlace.perform("CREATE DATABASE \(database) TEMPLATE \(template)", on: server)
  }

  deinit {
    try? PostgreSQLPlace.perform("DROP DATABASE \(database) WITH (FORCE)", on: server)
  }

  var settings: PostgreSQLSettings { PostgreSQLPlace.settings(of: database, on: server) }

  func open() throws -> any CentralStore { try openStore() }

  /// - Parameter change: Of what a connection is made with.
  func openStore(
    _ change: (inout PostgreSQLSettings) -> Void = { _ in }
  ) throws -> PostgreSQLCentralStore {
    var settings = settings
    change(&settings)
    var limit = PostgreSQLCentralStore.Limit()
    limit.connections = 2
    return try PostgreSQLCentralStore(settings, limit: limit, clocks: SystemClocks())
  }

  /// Runs `body` with a connection beside the store, as another program could.
  func with<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    let connection = try PostgreSQLConnection(settings, clocks: SystemClocks())
    defer { connection.close() }
    return try body(connection)
  }

  /// Runs SQL beside the store, as another program could.
  func execute(_ sql: String) throws {
    try with { try $0.run(script: "SET search_path = checkpost, public; \(sql)") }
  }

  private static func settings(
    of database: String, on server: PostgreSQLServer
  ) -> PostgreSQLSettings {
    PostgreSQLSettings(
      servers: [.init(host: server.directory, port: server.port)], database: database,
      user: server.owner)
  }

  private static func perform(_ statement: String, on server: PostgreSQLServer) throws {
    let connection = try PostgreSQLConnection(
      settings(of: "postgres", on: server), clocks: SystemClocks())
    defer { connection.close() }
    try connection.run(script: statement)
  }
}
