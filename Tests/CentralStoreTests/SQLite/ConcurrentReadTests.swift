import CentralCore
import CentralSQLite
import RestAPI
import Storage
import Testing
import Time

/// A file is read beside whoever writes and whoever else reads: a question of a dashboard that takes long keeps nobody
/// waiting, and ends.
@Suite struct ConcurrentReadTests {
  @Test func whatIsReadWaitsForNobodyWhoWrites() throws {
    var world = try WireWorld(.sqlite)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    #expect(world.status == 201)
    let store = try #require(world.store as? SQLiteCentralStore)
    var (rows, passages, accounts) = (0, 0, 0)
    try store.transaction { transaction throws(StorageError) in
      _ = try transaction.unprocessed(limit: 1)
      rows = world.rows("vehicle_passages", as: .service).count
      passages = try store.passages(PassageQuery()).count
      _ = try store.overview()
      _ = try store.violations(ViolationQuery())
      _ = try store.alerts(AlertQuery())
      accounts = try store.readAccounts { _ throws(StorageError) in 1 }
    }
    #expect(rows == 1 && passages == 1 && accounts == 1)
  }

  @Test func whatTakesTooLongIsRefused() throws {
    var world = try WireWorld(.sqlite)
    let rows = (1...300).map { WireWorld.passage($0, "BA1PA\(1_000 + $0)", at: $0) }
      .joined(separator: ",")
    world.ask("POST", "vehicle_passages", "[\(rows)]")
    #expect(world.status == 201)
    let store = try #require(world.store as? SQLiteCentralStore)
    let impatient = SQLiteRestStore(
      of: store, rules: { JudgingRules() }, statementTimeout: .zero, onChanges: { _ in })
    for (method, body) in [("GET", ""), ("PATCH", "{\"vehicle_type\":\"car\"}")] {
      let request = RestRequest(
        method, "vehicle_passages", query: "plate_number_raw=like.BA*", headers: [:],
        body: Array(body.utf8))
      let answer = RestHandler.answer(request, as: .service, from: impatient, at: WireWorld.start)
      #expect(answer.status == 500, "\(method)")
      #expect(RestJSON(Array(answer.body.utf8))?.object?["code"]?.text == "57014", "\(method)")
    }
    let left = world.rows("vehicle_passages?vehicle_type=eq.jeep", as: .service)
    #expect(left.count == 300)
  }
}
