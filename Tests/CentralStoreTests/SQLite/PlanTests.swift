import CentralCore
import GRDB
import Passages
import RestAPI
import RestSQL
import SQLiteFile
import Synchronization
import Testing
import Time

@testable import CentralSQLite

/// What millions of passages are found by. Of a few rows nobody sees how long it takes; of how they are looked for SQLite
/// tells.
struct PlanTests {
  /// Keeps what is asked for.
  private final class Listener: RestStore {
    private let last = Mutex<RestRead?>(nil)
    var read: RestRead? { last.withLock { $0 } }

    func read(_ read: RestRead) throws(RestError) -> RestRows {
      last.withLock { $0 = read }
      return RestRows([])
    }
    func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
      RestChange([], count: 0)
    }
    func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
      RestChange([], count: 0)
    }
    func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
      RestChange([], count: 0)
    }
  }

  /// How SQLite does it, step by step.
  private func plan(_ statement: SQLStatement, _ store: SQLiteCentralStore) throws -> [String] {
    try store.file.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN " + statement.text,
        arguments: WireRows.arguments(statement)
      ).map { $0["detail"] as String }
    }
  }

  private func plan(
    _ target: String, as principal: RestPrincipal, _ store: SQLiteCentralStore
  ) throws -> [String] {
    let listener = Listener()
    let parts = target.split(separator: "?").map(String.init)
    let answer = RestHandler.answer(
      RestRequest("GET", parts[0], query: parts[1], headers: [:], body: []), as: principal,
      from: listener, at: WireWorld.start)
    #expect(answer.status == 200, "\(target)")
    return try plan(SQLWriter.select(try #require(listener.read), .sqlite), store)
  }

  private static let office = RestPrincipal(.admin, user: WireWorld.sita)

  /// Nothing is sorted that an index has in its order, and the first step is into that index.
  @Test(arguments: [
    ("order=recorded_at.desc", "passages_time"), ("order=recorded_at", "passages_time"),
    ("order=recorded_at.desc,id.desc", "passages_time"),
    ("order=created_at.desc", "passages_inserted"),
    ("order=server_received_at.desc", "passages_received"),
    ("order=plate_number", "passages_plate"), ("order=id", "sqlite_autoindex_passages_1"),
    ("plate_number=eq.BA1PA1&order=recorded_at.desc", "passages_plate"),
    ("matched_passage_id=is.null&order=recorded_at.desc", "passages_time"),
  ])
  func aPageOfPassagesIsReadFromAnIndex(_ query: String, _ index: String) throws {
    let place = try SQLitePlace()
    let store = try SQLiteCentralStore(path: place.path)
    let plan = try plan("vehicle_passages?\(query)&limit=50", as: Self.office, store)
    #expect(
      plan.first.map { $0.contains(" p USING ") && $0.contains(index) } == true, "\(plan)")
    #expect(!plan.contains("USE TEMP B-TREE FOR ORDER BY"), "\(plan)")
  }

  /// A ranger is told what is on the own segment: that has an index of its own, and so has a post.
  @Test func aPageOfASegmentIsReadFromAnIndex() throws {
    let place = try SQLitePlace()
    let store = try SQLiteCentralStore(path: place.path)
    for (query, principal, index) in [
      ("order=recorded_at.desc", WireWorld.eastern, "passages_segment"),
      ("checkpost_id=eq.\(WireWorld.east)&order=recorded_at.desc", Self.office, "passages_post"),
    ] {
      let plan = try plan("vehicle_passages?\(query)&limit=50", as: principal, store)
      #expect(plan.contains { $0.contains(" p USING INDEX \(index)") }, "\(plan)")
      #expect(!plan.contains { $0.contains("FOR ORDER BY") }, "\(plan)")
    }
  }

  /// Alerts are few: what is looked up of each are its passages, and not the other way about.
  @Test func alertsAreNotLookedForAmongPassages() throws {
    let place = try SQLitePlace()
    let store = try SQLiteCentralStore(path: place.path)
    let plan = try plan(
      "proactive_overstay_alerts?order=created_at.desc&limit=50", as: Self.office, store)
    #expect(plan.contains { $0.hasPrefix("SCAN a") }, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN e") }, "\(plan)")
  }

  @Test func theLastOnesOfARangerAreReadFromAnIndex() throws {
    let place = try SQLitePlace()
    let store = try SQLiteCentralStore(path: place.path)
    let plan = try plan(
      SQLStatement(
        text: """
          SELECT p.id FROM passages p WHERE p.ranger_phone_suffix = ?1
          ORDER BY p.recorded_at_ms DESC, p.id DESC LIMIT 100
          """, parameters: [.text("4567")]), store)
    #expect(plan.count == 1 && plan[0].contains("passages_suffix"), "\(plan)")
  }

  /// A part of a plate is looked for among the plates, each of which stands once in a table of its own: who empties
  /// that finds nothing.
  @Test func aPartOfAPlateIsLookedForAmongPlates() throws {
    let place = try SQLitePlace()
    var world = try WireWorld(place)
    for number in 0..<3 {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(number, "BA1PA\(1_000 + number)", at: number * 60, west: false))
    }
    var query = PassageQuery()
    (query.order, query.platePart) = (.newest(after: nil), "1001")
    #expect(try world.store.passages(query).map(\.passage.plate.compact) == ["BA1PA1001"])
    let asked = "vehicle_passages?plate_number=ilike.*a1001&select=plate_number"
    #expect(world.rows(asked).count == 1)
    #expect(world.rows("vehicle_passages?plate_number=like.*a1001&select=id").isEmpty)
    #expect(world.rows("vehicle_passages?plate_number=not.ilike.*a1001&select=id").count == 2)
    try place.execute("DELETE FROM plates")
    #expect(try world.store.passages(query).isEmpty)
    #expect(world.rows(asked).isEmpty)
  }

  /// The plates that there are follow what comes, is put right and is erased.
  @Test func thePlatesAreThoseOfPassages() throws {
    let place = try SQLitePlace()
    var world = try WireWorld(place)
    let store = try #require(world.store as? SQLiteCentralStore)
    func plates() throws -> [String] {
      try store.file.read {
        let all = try String.fetchAll($0, sql: "SELECT plate FROM plates ORDER BY plate")
        let those = try String.fetchAll(
          $0, sql: "SELECT DISTINCT plate_number FROM passages ORDER BY 1")
        #expect(all == those)
        return all
      }
    }
    for (number, plate) in ["BA1PA1", "BA1PA1", "BA1PA2"].enumerated() {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(number, plate, at: number * 60, west: false))
    }
    #expect(try plates() == ["BA1PA1", "BA1PA2"])
    for number in 0..<2 {
      world.ask(
        "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(number))",
        "{\"plate_number\":\"BA1PA3\",\"plate_number_raw\":\"BA 1 PA 3\"}")
      #expect(try plates() == [["BA1PA1"], []][number] + ["BA1PA2", "BA1PA3"])
    }
    _ = try store.erase(ErasureOrder(plate: "BA1PA3"), rules: JudgingRules(), at: world.now)
    #expect(try plates() == ["BA1PA2"])
  }

  /// A plate that was misread is put right to one that others have, by somebody who looks at both.
  @Test func aPlateIsPutRightToOneThatIsKnown() throws {
    let place = try SQLitePlace()
    var world = try WireWorld(place)
    for (number, plate) in ["BA1PA1", "BA1PA2"].enumerated() {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(number, plate, at: number * 40_000, west: false))
    }
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))",
      "{\"plate_number\":\"BA1PA1\",\"plate_number_raw\":\"BA 1 PA 1\"}")
    #expect(world.status == 204)
    #expect(world.rows("vehicle_passages?plate_number=eq.BA1PA1").count == 2)
  }

  /// Passages that the API does not show are not counted.
  @Test func whatTheViewLeavesOutIsNotCounted() throws {
    let place = try SQLitePlace()
    var world = try WireWorld(place)
    for number in 0..<9 {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(number, "BA1PA\(1_000 + number)", at: number * 60, west: false))
    }
    let store = try #require(world.store as? SQLiteCentralStore)
    func counts() throws -> [Int?] {
      try store.file.read {
        [
          try Int.fetchOne($0, sql: WireRows.ofAllPassages),
          try Int.fetchOne($0, sql: "SELECT count(*) FROM api_vehicle_passages"),
        ]
      }
    }
    #expect(try counts() == [9, 9])
    for (change, left) in [
      ("segment = NULL WHERE id = 1", 8), ("segment = 'Nowhere' WHERE id IN (2, 3)", 6),
      ("checkpost = 'X-9' WHERE id = 4", 5), ("checkpost = 'X-9' WHERE id = 3", 5),
    ] {
      try place.execute("UPDATE passages SET \(change)")
      #expect(try counts() == [left, left], "\(change)")
    }
    world.ask("HEAD", "vehicle_passages?select=id", prefer: "count=exact", as: Self.office)
    #expect(world.fields.contains { $0.value.hasSuffix("/5") }, "\(world.fields)")
  }
}
