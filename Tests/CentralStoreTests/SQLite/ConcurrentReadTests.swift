import CentralCore
import CentralSQLite
import RestAPI
import Storage
import Synchronization
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

  /// Rows are looked for before the file is held for changing them. What no longer fulfils the filter then is left
  /// alone, and so is what has come to fulfil it.
  @Test func rowsAreLookedForBeforeTheyAreChanged() throws {
    var world = try WireWorld(.sqlite)
    for number in 1...3 {
      world.ask("POST", "vehicle_passages", WireWorld.passage(number, "BA1PA123\(number)"))
    }
    let store = try #require(world.store as? SQLiteCentralStore)
    let other = SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in })
    let calls = Atomic(0)
    // It asks for the rules once it has found its rows.
    let rest = SQLiteRestStore(
      of: store,
      rules: {
        if calls.add(1, ordering: .relaxed).oldValue == 0 {
          let first = "client_id=eq.\(WireWorld.client(1))"
          Self.ask(other, "PATCH", first, "{\"vehicle_type\":\"bus\"}")
          Self.ask(other, "POST", "", WireWorld.passage(4, "BA1PA1234"))
        }
        return JudgingRules()
      }, onChanges: { _ in })
    let change = "{\"vehicle_type\":\"car\"}"
    let told = Self.ask(rest, "PATCH", "vehicle_type=eq.jeep&select=plate_number", change)
    #expect(told == "[{\"plate_number\":\"BA1PA1232\"},{\"plate_number\":\"BA1PA1233\"}]")
    #expect(calls.load(ordering: .relaxed) == 1)
    let types = world.rows("vehicle_passages?order=plate_number&select=vehicle_type", as: .service)
    #expect(types.map { $0["vehicle_type"]?.text } == ["bus", "car", "car", "jeep"])
  }

  @discardableResult
  private static func ask(
    _ store: SQLiteRestStore, _ method: String, _ query: String, _ body: String
  ) -> String {
    RestHandler.answer(
      RestRequest(
        method, "vehicle_passages", query: query, headers: ["prefer": "return=representation"],
        body: Array(body.utf8)),
      as: .service, from: store, at: WireWorld.start + .seconds(60)
    ).body
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
