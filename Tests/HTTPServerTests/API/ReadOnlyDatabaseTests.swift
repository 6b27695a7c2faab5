import CentralCore
import CentralPostgreSQL
import EventLoop
import PostgreSQL
import TestSupport
import Testing
import Time

@testable import HTTPServer

extension Trait where Self == ConditionTrait {
  /// Where PostgreSQL is not installed the suite says so, and does not run.
  static var needsPostgreSQL: Self {
    .enabled(
      if: PostgreSQLServer.binaries != nil, Comment(rawValue: PostgreSQLServer.missing))
  }
}

/// A database that takes no changes for a while, behind the whole of the service: what is there is shown, what would
/// change it is refused as PostgREST refuses it, and afterwards all goes on.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(15))) struct ReadOnlyDatabaseTests {
  private static let table = "/rest/v1/vehicle_passages"
  private static let first = table + "?plate_number=eq.BA1PA1234"
  private static let text = ProviderText(body: "V1|BNP-A|BA1PA3333|CAR|1709123456|4567")

  @Test func whatIsThereIsShownAndNothingIsTakenMeanwhile() async throws {
    let database = try await ServedDatabase.make()
    let (api, store) = try await onThread { try database.serve() }
    try await api.bench.route { client in
      let put = try await client.ask("POST", Self.table, Array(APIBench.passage(1).utf8))
      #expect(put.status == 201)
      #expect(try await client.send("/healthz").status == 200)

      try await database.takesChanges(false)
      try await isReadOnly(client)
      #expect(try await received(api) == 0)

      try await database.takesChanges(true)
      let more = APIBench.passage(2, "BA1PA2222")
      #expect(try await client.ask("POST", Self.table, Array(more.utf8)).status == 201)
      let change = Array("{\"vehicle_type\":\"bus\"}".utf8)
      #expect(try await client.ask("PATCH", Self.first, change).status == 204)
      #expect(try await hand(Self.text, to: client).status == 200)
      #expect(try await received(api) == 1)
      #expect(try await client.send("/healthz").status == 200)
      let read = try await client.ask(
        "GET",
        Self.table
          + "?select=plate_number,vehicle_type&order=plate_number&plate_number=neq.BA1PA3333")
      #expect(
        plain(read) == "[{\"plate_number\":\"BA1PA1234\",\"vehicle_type\":\"bus\"},"
          + "{\"plate_number\":\"BA1PA2222\",\"vehicle_type\":\"jeep\"}]")
    }
    try await onThread { try store.close() }
  }

  /// What is answered while it takes no changes.
  private func isReadOnly(_ client: RouterClient) async throws {
    let read = try await client.ask("GET", Self.table + "?select=plate_number,vehicle_type")
    #expect(read.status == 200)
    #expect(plain(read) == "[{\"plate_number\":\"BA1PA1234\",\"vehicle_type\":\"jeep\"}]")
    let head = try await client.ask("HEAD", Self.table, [], [("Prefer", "count=exact")])
    #expect(head.status == 200)
    #expect(head.headers["content-range"] == "0-0/1")
    for (method, target, body) in [
      ("POST", Self.table, APIBench.passage(2, "BA1PA2222")),
      ("PATCH", Self.first, "{\"vehicle_type\":\"bus\"}"),
    ] {
      let refused = try await client.ask(method, target, Array(body.utf8))
      #expect(refused.status == 405, "\(method): \(refused.body)")
      #expect(refused.body.contains("\"code\":\"25006\""), "\(method): \(refused.body)")
    }
    // A text that could not be kept is what the health is told by.
    #expect(try await hand(Self.text, to: client).status == 503)
    let health = try await client.send("/healthz")
    #expect(health.status == 503)
    #expect(health.body == "{\"status\":\"unavailable\"}\n")
    // It goes by what comes in; what is there can be read all the same.
    #expect(try await client.ask("GET", Self.first).status == 200)
  }

  private func hand(_ text: ProviderText, to client: RouterClient) async throws -> Answer {
    try await client.send("/functions/v1/sms-webhook", text.form, signature: text.signature())
  }

  /// The rows of an answer: PostgreSQL puts spaces between what it builds.
  private func plain(_ answer: Answer) -> String { answer.body.filter { $0 != " " } }

  /// How many texts are in the inbox.
  private func received(_ api: APIBench) async throws -> Int {
    try await onThread { try api.bench.store.overview().received }
  }
}

/// A database of a test's own with the schema, in the server that all suites share.
struct ServedDatabase: Sendable {
  let server: PostgreSQLServer
  let settings: PostgreSQLSettings

  static func make() async throws -> ServedDatabase {
    let server = try await PostgreSQLServer.shared()
    let name = try await server.makeDatabase()
    let database = ServedDatabase(
      server: server,
      settings: PostgreSQLSettings(
        servers: [.init(host: server.directory, port: server.port)], database: name,
        user: server.owner))
    try await onThread {
      let connection = try PostgreSQLConnection(database.settings, clocks: SystemClocks())
      defer { connection.close() }
      try Migration.up(connection)
    }
    return database
  }

  /// A service whose tables and whose inbox are there. It blocks.
  func serve() throws -> (APIBench, PostgreSQLCentralStore) {
    let store = try PostgreSQLCentralStore(settings, clocks: SystemClocks())
    let rest = PostgreSQLRestStore(of: store, onChanges: { _ in })
    return (try APIBench(store, rest, in: TemporaryDirectory(), isCentrals: true), store)
  }

  /// Whether it takes changes, for whoever connects from now on; who is connected is sent away.
  func takesChanges(_ takes: Bool) async throws {
    let (server, name) = (server, settings.database)
    try await onThread {
      // A database that takes none takes no such statement either.
      let connection = try PostgreSQLConnection(
        PostgreSQLSettings(
          servers: [.init(host: server.directory, port: server.port)], database: "postgres",
          user: server.owner), clocks: SystemClocks())
      defer { connection.close() }
      let setting = "default_transaction_read_only"
      try connection.run(
        script: "ALTER DATABASE \(name) " + (takes ? "RESET \(setting)" : "SET \(setting) = on"))
      try connection.query(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1",
        [.text(name)])
    }
  }
}
