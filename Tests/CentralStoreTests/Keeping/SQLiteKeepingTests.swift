import CentralCore
import Foundation
import GRDB
import Passages
import SQLiteFile
import Testing
import Time

@testable import CentralSQLite

/// What the database does when something is dropped: nothing refers to it, nothing of it can be read from the
/// disk, and numbers are not given again.
struct SQLiteKeepingTests {
  private let keep: Duration = .seconds(60 * 86_400)
  private let later = WallTime(epochSeconds: judgedMorning + 90 * 86_400)

  @Test func nothingOfItIsLeftInTheFiles() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    try bench.receive(text(7), id: "SM1")
    try bench.receive("entry of BA1PA1241, no network", id: "SM2")
    try bench.store.take(
      [PassageArrival(try sighting(0, plate: "BA 1 PA 1241"))], at: later)
    let isThere = { () throws in
      try ["", "-wal"].contains { suffix in
        try Data(contentsOf: URL(fileURLWithPath: place.path + suffix))
          .range(of: Data("PA1241".utf8)) != nil
      }
    }
    #expect(try isThere())
    let store = try #require(bench.store as? SQLiteCentralStore)
    let erased = try store.erase(
      ErasureOrder(plate: "BA1PA1241"), rules: JudgingRules(), at: later)
    #expect(erased.dropped.passages == 2)
    #expect(try !isThere())
    #expect(try store.file.read { try Row.fetchOne($0, sql: "PRAGMA foreign_key_check") } == nil)
    // That it was done is noted, and not of whom.
    let entry = try store.file.read { try Row.fetchOne($0, sql: "SELECT kind, detail FROM audit") }
    #expect(entry?["kind"] == "vehicle_erased")
    #expect(entry?["detail"] == "passages 2, reports 2, violations 0, messages 2")
  }

  @Test func theEvidenceStaysForAsLongAfterTheOutcome() throws {
    let bench = try Bench(try SQLitePlace())
    let store = try #require(bench.store as? SQLiteCentralStore)
    try store.take(
      [try sighting(0), try sighting(900, "BNP-B")].map { PassageArrival($0) }, at: later)
    try store.take([PassageArrival(try sighting(90 * 86_400))], at: later)
    let violation = try #require(try store.violations(ViolationQuery()).first)
    #expect(try store.expireAll(after: keep, at: later).isEmpty)
    try store.file.write { database in
      try database.execute(
        sql: """
          INSERT INTO violation_outcomes (id, violation_id, outcome_type, recorded_by, recorded_at)
            VALUES (?1, ?1, 'fined', ?1, ?2)
          """, arguments: [violation.uuid.description, later.milliseconds])
    }
    #expect(try store.expireAll(after: keep, at: later).isEmpty)
    let end = WallTime(epochSeconds: judgedMorning + 151 * 86_400)
    try store.take([PassageArrival(try sighting(151 * 86_400))], at: end)
    let dropped = try store.expireAll(after: keep, at: end)
    #expect(dropped.violations == 1)
    #expect(dropped.passages == 2)
    #expect(
      try store.file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM violation_outcomes") }
        == 0)
    #expect(try store.file.read { try Row.fetchOne($0, sql: "PRAGMA foreign_key_check") } == nil)
  }

  @Test func numbersAreNotGivenAgain() throws {
    let bench = try Bench(try SQLitePlace())
    let store = try #require(bench.store as? SQLiteCentralStore)
    try bench.receive(text(0), id: "SM1")
    _ = try store.erase(ErasureOrder(plate: "BA1PA1234"), rules: JudgingRules(), at: later)
    #expect(try store.messages(after: 0, limit: 1).isEmpty)
    try bench.receive(text(1), id: "SM2")
    #expect(try store.passages(PassageQuery()).map(\.id) == [2])
    #expect(try store.messages(after: 0, limit: 2).map(\.item.id) == [2])
  }

  /// The room of what was dropped is used again.
  @Test func theFileDoesNotGrowForEver() throws {
    let bench = try Bench(try SQLitePlace())
    let store = try #require(bench.store as? SQLiteCentralStore)
    var sizes: [Int64] = []
    for month in 0..<8 as Range<Int64> {
      let now = WallTime(epochSeconds: judgedMorning + month * 30 * 86_400 + 86_400)
      try store.take(
        (0..<200).map { index in
          PassageArrival(
            try sighting(month * 30 * 86_400 + index * 60, plate: "BA1PA\(1_000 + index)"))
        }, at: now)
      try store.expireAll(after: keep, at: now)
      sizes.append(try store.overview().databaseBytes ?? 0)
    }
    #expect(sizes[7] <= sizes[4] + sizes[4] / 10, "\(sizes)")
  }

  /// What belongs to a record or a message is found by an index, also by the rules of the tables.
  @Test func droppingWalksOverNoTable() throws {
    let bench = try Bench(try SQLitePlace())
    let store = try #require(bench.store as? SQLiteCentralStore)
    let queries = [
      "SELECT 1 FROM identities WHERE record = 1", "SELECT 1 FROM names WHERE record = 1",
      "SELECT 1 FROM observations WHERE inbox_id = 1", "SELECT 1 FROM records WHERE inbox_id = 1",
      "SELECT 1 FROM passages WHERE inbox_id = 1", "SELECT 1 FROM violations WHERE exit = 1",
      "SELECT 1 FROM observations WHERE photo_path = 'x'",
    ]
    for query in queries {
      let plan = try store.file.read { database in
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + query).map {
          $0["detail"] as String
        }
      }
      #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(query): \(plan)")
    }
  }
}
