import CentralCore
import GRDB
import Passages
import RestAPI
import Testing
import Time

@testable import CentralSQLite

/// A file without names for others has one for each thing that was there, once and again.
@Suite struct WireMigrationTests {
  @Test func whatWasThereHasItsName() throws {
    let place = try SQLitePlace()
    let queue = try DatabaseQueue(path: place.path)
    try Schema.migrations.migrate(queue, upTo: "v8: numbers")
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      try database.execute(
        sql: """
          INSERT INTO segments VALUES ('Banke', 45000, 10000, 40000);
          INSERT INTO posts VALUES ('BNP-A', 'East', 'Banke', 0, NULL);
          INSERT INTO rangers VALUES ('+9779801234567', 'Sita', 'BNP-A', '4567');
          INSERT INTO accounts VALUES ('5b0b1d3e-0000-4000-8000-000000000003', 'hari@bnp.local',
            'Hari', 'admin', NULL, NULL, 1, '$x', 1, 1);
          """)
    }
    try queue.close()
    for _ in 0..<2 {
      let store = try SQLiteCentralStore(path: place.path)
      let rest = SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in })
      func ids(_ table: String) -> String {
        RestHandler.answer(
          RestRequest("GET", table, query: "select=id&order=id"), as: .service, from: rest,
          at: WallTime(epochSeconds: 0)
        ).body
      }
      let segment = ClientID.derived(kind: "segment", name: "Banke")
      let post = ClientID.derived(kind: "post", name: "BNP-A")
      let sita = ClientID.derived(kind: "profile", name: "9779801234567")
      #expect(ids("highway_segments") == "[{\"id\":\"\(segment)\"}]")
      #expect(ids("checkposts") == "[{\"id\":\"\(post)\"}]")
      #expect(ids("user_profiles").contains("\(sita)"))
      #expect(ids("user_profiles").contains("5b0b1d3e-0000-4000-8000-000000000003"))
      try store.close()
    }
  }

  @Test func viewsOfAnOlderFileAreMadeAnew() throws {
    let place = try SQLitePlace()
    let queue = try DatabaseQueue(path: place.path)
    try Schema.migrations.migrate(
      queue, upTo: "v9: names for others, and the tables of the API")
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          PRAGMA application_id = \(Schema.applicationID);
          DROP VIEW IF EXISTS api_proactive_overstay_alerts;
          CREATE VIEW api_proactive_overstay_alerts AS SELECT 'x' AS id;
          """)
    }
    try queue.close()
    let store = try SQLiteCentralStore(path: place.path)
    let rest = SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in })
    let told = RestHandler.answer(
      RestRequest("GET", "proactive_overstay_alerts"), as: .service, from: rest,
      at: WallTime(epochSeconds: 0))
    #expect(told.body == "[]")
    try store.close()
  }
}
