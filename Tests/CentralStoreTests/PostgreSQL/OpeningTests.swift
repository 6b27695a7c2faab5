import CentralCore
import CentralPostgreSQL
import EventLoop
import PostgreSQL
import Storage
import TestSupport
import Testing
import Time

/// A database that cannot be used is refused with what helps.
@Suite(.needsPostgreSQL) struct OpeningTests {
  private func failure(
    _ place: PostgreSQLPlace, _ change: (inout PostgreSQLSettings) -> Void = { _ in }
  ) -> StorageError? {
    do {
      try place.openStore(change).close()
      return nil
    } catch {
      return error as? StorageError
    }
  }

  @Test func aDatabaseWithoutTheSchemaIsMissing() throws {
    let server = try PostgreSQLServer.here.get()
    let place = try PostgreSQLPlace(on: server, isMigrated: false)
    let error = failure(place)
    #expect(error?.kind == .missing)
    #expect(error?.remedy == "Run `checkpost central migrate`")
    #expect(failure(place) { $0.database = "nowhere_at_all" }?.kind == .missing)
  }

  @Test func anotherVersionIsRefused() throws {
    let place = try PostgreSQLPlace()
    #expect(failure(place) == nil)
    for (change, helps) in [("+ 1", "newer checkpost"), ("- 2", "checkpost central migrate")] {
      try place.with {
        try $0.run(script: "UPDATE checkpost.migrations SET version = version \(change)")
      }
      let error = failure(place)
      #expect(error?.kind == .otherVersion)
      #expect(error?.message.contains(helps) == true, "\(String(describing: error))")
    }
  }

  @Test func aMigrationThatIsNotThroughIsWaitedFor() throws {
    let place = try PostgreSQLPlace()
    try place.with {
      try $0.run(script: "UPDATE checkpost.migrations SET is_adopted = false")
    }
    let error = failure(place)
    #expect(error?.kind == .missing)
    #expect(error?.message.contains("checkpost central migrate") == true)
  }

  @Test func whoIsNotLetInIsDeniedAndAServerThatIsNotThereIsLost() throws {
    let place = try PostgreSQLPlace()
    let denied = failure(place) { ($0.user, $0.password) = ("locked", .text("not this")) }
    #expect(denied?.kind == .denied)
    #expect(denied?.message.contains("not this") == false)
    let error = failure(place) { $0.servers = [.init(host: "/nowhere", port: 1)] }
    #expect(error?.kind == .lost)
    #expect(error?.isTransient == true)
  }

  @Test func aServerThatConfirmsBeforeItHasWrittenIsRefused() throws {
    let place = try PostgreSQLPlace()
    try place.with {
      try $0.run(script: "ALTER DATABASE \(place.database) SET synchronous_commit = off")
    }
    let error = failure(place)
    #expect(error?.kind == .notDurable)
    #expect(error?.message.contains("synchronous_commit") == true)
  }

  /// What the migration grants is enough for a service that does not own the schema.
  @Test func whoWasGrantedItCanUseIt() throws {
    let place = try PostgreSQLPlace()
    let name = "service_\(place.database.suffix(12))"
    try place.with {
      try $0.run(script: "CREATE ROLE \(name) LOGIN BYPASSRLS IN ROLE service_role")
    }
    let store = try place.openStore { $0.user = name }
    #expect(try store.put([.segment(try banepa()), .post(try post("BNP-A"))]) == [nil, nil])
    #expect(try store.put([.ranger(try ranger("Sita", "9841114567", "BNP-A"))]) == [nil])
    let message = InboundMessage(
      provider: "twilio", providerID: "SM1", from: "+9779841114567", text: text(0),
      receivedAt: WallTime(epochSeconds: 1_709_123_500))
    #expect(try store.keep([message]) == [.kept(1)])
    let wall = WallTime(epochSeconds: 1_709_123_500)
    let processed = try store.process(rules: CentralRules(), at: wall).messages
    #expect(processed.count == 1)
    #expect(throws: Never.self) { try store.proveWritable() }
    #expect(try store.overview().passages == 1)
    try store.close()
    try place.with { try $0.run(script: "REVOKE service_role FROM \(name); DROP ROLE \(name)") }
  }

  @Test func everyFailureHasItsKind() {
    let cases: [(String, StorageError.Kind)] = [
      ("53100", .full), ("25006", .readOnly), ("55P03", .busy), ("57014", .busy),
      ("53300", .busy), ("40001", .busy), ("40P01", .busy), ("57P01", .lost), ("57P03", .lost),
      ("08006", .lost), ("XX001", .damaged), ("23505", .refused), ("22001", .refused),
      ("42501", .denied), ("28P01", .denied), ("42P01", .missing), ("42883", .missing),
      ("3D000", .missing), ("XX000", .failed),
    ]
    for (code, kind) in cases {
      guard let state = SQLState(code) else {
        Issue.record("\(code) is no code")
        continue
      }
      let report = PostgreSQLReport(state, message: "words")
      let error = StorageError(.refused(report), of: "a database")
      #expect(error.kind == kind, "\(code)")
      #expect(error.place == "a database")
      #expect(error.detail == code)
    }
    #expect(StorageError(.outcomeUnknown(reason: "it broke"), of: "it").kind == .lost)
    #expect(StorageError(.lost(reason: "it broke"), of: "it").kind == .lost)
    #expect(StorageError(.timedOut(.queue), of: "it").kind == .busy)
  }
}
