import EventLoop
import Glibc
import PostgreSQL
import TestSupport
import Testing
import Time

@Suite(.needsPostgreSQL) struct ConnectTests {
  /// What connecting fails with; nil when it does not.
  private static func failure(_ database: TestDatabase) async -> PostgreSQLError? {
    await onThread {
      PostgreSQLTests.failure { () throws(PostgreSQLError) in
        try PostgreSQLConnection(database.settings, clocks: SystemClocks()).close()
      }
    }
  }

  @Test func aSessionIsAsTheSettingsSay() async throws {
    var database = try await TestDatabase.make()
    database = database.with {
      $0.applicationName = "checkpost ü"
      $0.statementTimeout = .seconds(31)
      $0.lockTimeout = .zero
    }
    try await database.with { [database] connection throws in
      let row = try connection.query(
        """
        SELECT current_setting('application_name') AS name,
          current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('idle_in_transaction_session_timeout') AS idle,
          current_setting('client_connection_check_interval') AS look,
          current_setting('TimeZone') AS zone, current_database()::text AS database,
          pg_backend_pid() AS process
        """
      ).rows[0]
      #expect(try row.value("statement", .text) == "31s")
      #expect(try row.value("lock", .text) == "0")
      #expect(try row.value("idle", .text) == "1min")
      #expect(try row.value("look", .text) == "5s")
      #expect(try row.value("zone", .text) == "UTC")
      #expect(try row.value("database", .text) == database.settings.database)
      #expect(try row.value("process", .integer) == Int64(connection.serverProcess))
      #expect(connection.serverVersion >= 150_000)
      #expect(!connection.isEncrypted)
    }
  }

  @Test func aWrongPasswordIsToldApart() async throws {
    let database = try await TestDatabase.make()
    let directory = try TemporaryDirectory()
    let file = try directory.write("password", "östlich 'und' \\ westlich\n")
    try await database.with { connection throws in
      let user = "user_\(database.settings.database)"
      try connection.run(script: "CREATE ROLE \(user) LOGIN PASSWORD 'östlich ''und'' \\ westlich'")
    }
    let over = database.overTCP { settings in
      settings.user = "user_\(database.settings.database)"
      settings.password = .file(file)
    }
    #expect(await Self.failure(over) == nil)
    try directory.write("password", "another\n")
    let error = try #require(await Self.failure(over))
    #expect(error.state?.code == "28P01")
    #expect(error.kind == .denied)
    #expect(!error.description.contains("another"))
    try directory.write("password", "\n")
    #expect(await Self.failure(over)?.kind == .settings)
    let missing = over.with { $0.password = .file(directory.file("nowhere")) }
    #expect(await Self.failure(missing)?.kind == .settings)
    let nobody = over.with {
      $0.user = "nobody_at_all"
      $0.password = .text("x")
    }
    #expect(await Self.failure(nobody)?.kind == .denied)
  }

  @Test func aDatabaseThatIsNotThereIsToldApart() async throws {
    let database = try await TestDatabase.make().with { $0.database = "nowhere" }
    let error = try #require(await Self.failure(database))
    #expect(error.state?.code == "3D000")
    #expect(error.kind == .settings)
    #expect(error.description.contains("\"nowhere\""))
  }

  @Test func whereNoServerIsItIsTriedAgainLater() async throws {
    let database = try await TestDatabase.make()
    let directory = try TemporaryDirectory()
    let socket = database.with { $0.servers = [.init(host: directory.path)] }
    let (descriptor, port) = try Sockets.bound()
    defer { close(descriptor) }
    let address = database.with { $0.servers = [.init(host: "127.0.0.1", port: Int(port))] }
    for database in [socket, address] {
      let error = try #require(await Self.failure(database))
      guard case .notConnected(.connection, _, nil) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.kind == .reconnect)
    }
    let name = database.with { $0.servers = [.init(host: "no-such-host.invalid")] }
    let error = try #require(await Self.failure(name))
    guard case .notConnected(.name, _, nil) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func theNextServerIsTakenWhereOneIsNot() async throws {
    let directory = try TemporaryDirectory()
    let database = try await TestDatabase.make().with {
      $0.servers.insert(.init(host: directory.path), at: 0)
    }
    #expect(await Self.failure(database) == nil)
    // What a server said is told, and not that the last one is not there.
    let wrong = database.with {
      $0.servers = [$0.servers[1], $0.servers[0]]
      $0.database = "nowhere"
    }
    #expect(await Self.failure(wrong)?.state?.code == "3D000")
  }

  @Test func aServerThatIsToTakeChangesDoes() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try connection.run(
        script: "ALTER DATABASE \(database.settings.database) "
          + "SET default_transaction_read_only = on")
    }
    #expect(await Self.failure(database) == nil)
    let error = await Self.failure(database.with { $0.session = .readWrite })
    #expect(error != nil)
    try await database.with { connection throws in
      #expect(connection.isReadOnly)
    }
  }

  @Test func aServerThatSaysNothingIsGivenUp() async throws {
    let (descriptor, port) = try Sockets.bound()
    defer { close(descriptor) }
    listen(descriptor, 5)
    var settings = PostgreSQLSettings(
      servers: [.init(host: "127.0.0.1", port: Int(port))], database: "d", user: "u")
    settings.tlsTimeout = .milliseconds(20)
    settings.signInTimeout = .milliseconds(20)
    for (mode, phase) in [
      (PostgreSQLSettings.TLS.disable, PostgreSQLPhase.signIn), (.require, .tls),
    ] {
      settings.tls = mode
      let error = await onThread { [settings] in
        PostgreSQLTests.failure { () throws(PostgreSQLError) in
          try PostgreSQLConnection(settings, clocks: SystemClocks())
        }.map { "\($0)" }
      }
      #expect(error == PostgreSQLError.timedOut(phase).description)
    }
  }

  @Test func connectingIsEndedFromOutside() async throws {
    let (descriptor, port) = try Sockets.bound()
    defer { close(descriptor) }
    listen(descriptor, 5)
    var settings = PostgreSQLSettings(
      servers: [.init(host: "127.0.0.1", port: Int(port))], database: "d", user: "u")
    // Both threads may wait for a processor for long.
    settings.signInTimeout = SpokenLines.patience
    let interrupt = try PostgreSQLInterrupt()
    async let error = onThread { [settings] in
      PostgreSQLTests.failure { () throws(PostgreSQLError) in
        try PostgreSQLConnection(settings, clocks: SystemClocks(), interrupt: interrupt).close()
      }
    }
    // It has reached the server, which says nothing.
    let reached = await onThread {
      let reached = accept(descriptor, nil, nil)
      interrupt.interrupt()
      return reached
    }
    defer { close(reached) }
    #expect(await error == .ended)
  }

  @Test func aCertificateIsVerifiedByItsRootAndName() async throws {
    let database = try await TestDatabase.make().overTCP { settings in
      settings.tls = .verifyFull
    }
    try await database.overSocket.with { connection throws in
      try connection.run(script: "CREATE ROLE certified LOGIN PASSWORD 'open'")
    }
    let signed = database.with {
      $0.user = "certified"
      $0.password = .text("open")
      $0.rootCertificate = database.server.certificate
    }
    try await signed.with { connection throws in
      #expect(connection.isEncrypted)
      // More each way than fits between two processes, in records of TLS.
      let text = String(repeating: "0123456789", count: 20_000)
      let results = try connection.pipeline(
        (0..<40).map { _ in PostgreSQLCommand("SELECT $1::text AS t", [.text(text)]) })
      #expect(results.count == 40)
      #expect(try results.allSatisfy { try $0.firstRow().value("t", .text) == text })
    }
    // Without its root: signed by nobody whom the system knows.
    let unknown = signed.with { $0.rootCertificate = nil }
    // With it, and under a name that is not in it.
    let misnamed = signed.with { $0.servers[0].host = "127.0.0.1" }
    for database in [unknown, misnamed] {
      let error = try #require(await Self.failure(database))
      guard case .notConnected(.tls, _, nil) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(error.kind == .untrusted)
    }
    let byRoot = misnamed.with { $0.tls = .verifyCA }
    #expect(await Self.failure(byRoot) == nil)
    let missing = signed.with { $0.rootCertificate = "/nowhere/root.crt" }
    #expect(await Self.failure(missing)?.kind == .settings)
  }
}
