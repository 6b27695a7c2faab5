import CentralCore
import CentralPostgreSQL
import EventLoop
import Foundation
import PostgreSQL
import Synchronization
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
final class PostgreSQLPlace: SQLPlace {
  private static let template = Result {
    let server = try PostgreSQLServer.here.get()
    try perform("CREATE DATABASE central_template", on: server)
    try migrate("central_template", on: server)
    return server
  }

  let server: PostgreSQLServer
  let database: String
  private let goesIntoBag: Bool

  convenience init() throws {
    try self.init(
      on: try PostgreSQLPlace.template.get(), like: "TEMPLATE central_template",
      isMigrated: false)
  }

  /// A place that is emptied and used again by other tests, which costs less than one that is made: for a test that
  /// changes nothing but through stores.
  static func used() throws -> PostgreSQLPlace {
    let server = try template.get()
    if let database = bag.withLock({ $0.popLast() }) {
      return PostgreSQLPlace(server, database, goesIntoBag: true)
    }
    let place = PostgreSQLPlace(server, newName(), goesIntoBag: true)
    try perform("CREATE DATABASE \(place.database) TEMPLATE central_template", on: server)
    try place.with { try $0.run(script: emptiness) }
    return place
  }

  /// A place whose tables are divided by the month.
  static func byMonth() throws -> PostgreSQLPlace {
    let place = try PostgreSQLPlace()
    try place.with { try Migration.up($0, partitions: .month) }
    return place
  }

  private static let bag = Mutex<[String]>([])

  private static func newName() -> String {
    "central_" + UUID().uuidString.lowercased().filter { $0 != "-" }
  }

  private init(_ server: PostgreSQLServer, _ database: String, goesIntoBag: Bool) {
    (self.server, self.database, self.goesIntoBag) = (server, database, goesIntoBag)
  }

  /// - Parameters:
  ///   - how: The rest of the statement that makes the database.
  ///   - isMigrated: Whether the schema is written into it; false where it has it, or is to have none.
  init(
    on server: PostgreSQLServer, like how: String = "", isMigrated: Bool = true
  ) throws {
    self.server = server
    goesIntoBag = false
    database = PostgreSQLPlace.newName()
    try PostgreSQLPlace.perform("CREATE DATABASE \(database) \(how)", on: server)
    if isMigrated { try PostgreSQLPlace.migrate(database, on: server) }
  }

  deinit {
    if goesIntoBag, (try? empty()) != nil {
      PostgreSQLPlace.bag.withLock { $0.append(database) }
      return
    }
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

  /// Runs SQL beside the store, as another program could.
  func execute(_ sql: String) throws {
    try with { try $0.run(script: "SET search_path = checkpost, public; \(sql)") }
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

  /// Makes what empties the database: puts every table and every sequence back to what the migration left.
  private static let emptiness = """
    CREATE SCHEMA emptiness;
    DO $$
    DECLARE
      each record;
      has_rows boolean;
    BEGIN
      FOR each IN SELECT oid::regclass AS name, oid FROM pg_class
        WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('checkpost', 'public', 'auth')
      LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s)', each.name) INTO has_rows;
        IF has_rows THEN
          EXECUTE format('CREATE TABLE emptiness.t%s AS SELECT * FROM %s', each.oid, each.name);
        END IF;
      END LOOP;
    END $$;
    CREATE PROCEDURE emptiness.restore() LANGUAGE plpgsql AS $$
    DECLARE
      each record;
    BEGIN
      FOR each IN SELECT oid::regclass AS name, oid FROM pg_class
        WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('checkpost', 'public', 'auth')
      LOOP
        EXECUTE format('DELETE FROM %s', each.name);
        IF to_regclass(format('emptiness.t%s', each.oid)) IS NOT NULL THEN
          EXECUTE format('INSERT INTO %s OVERRIDING SYSTEM VALUE SELECT * FROM emptiness.t%s', each.name, each.oid);
        END IF;
      END LOOP;
      PERFORM setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
    END $$;
    """

  private func empty() throws {
    try endConnections()
    try with { connection in
      try connection.run(
        script: "SET session_replication_role = replica; CALL emptiness.restore()")
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
