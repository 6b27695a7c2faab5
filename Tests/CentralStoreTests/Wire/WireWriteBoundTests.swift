import CentralCore
import CentralPostgreSQL
import CentralSQLite
import PostgreSQL
import RestAPI
import Testing
import Time

/// Whatever a caller writes, and into whichever table, is taken back when it takes longer than it may; the next one goes on
/// as if nothing had been.
@Suite(.timeLimit(.minutes(10))) struct WireWriteBoundTests {
  private static let admin = RestPrincipal(.admin, user: WireWorld.client(77))

  /// A write, and where its rows lie in both stores.
  private struct Write {
    var method = "PATCH"
    var target: String
    var body: String
    var sqlite: String
    var postgreSQL: String
  }

  /// A violation, an alert and all else that is written below.
  private static func world(_ kind: StoreKind) throws -> WireWorld {
    // Its tables are changed, so that no other test gets it.
    let isPostgreSQL = kind.testDescription == StoreKind.postgreSQL.testDescription
    var world = try isPostgreSQL ? WireWorld(try PostgreSQLPlace()) : WireWorld(kind)
    for (number, plate, second, isWest) in [
      (1, "BA1PA1234", 0, false), (2, "BA1PA1234", 1_800, true), (3, "BA3PA3", 0, false),
    ] {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(number, plate, at: second, west: isWest), as: .service)
      #expect(world.status == 201)
    }
    world.now = world.now + .seconds(6 * 3_600)
    _ = try world.store.clock(rules: JudgingRules(), at: world.now)
    #expect(world.rows("proactive_overstay_alerts?resolved=is.false").count == 1)
    return world
  }

  private static func writes(_ world: inout WireWorld) throws -> [Write] {
    let violation = try #require(world.rows("violations").first?["id"]?.text)
    let park = try #require(world.rows("parks").first?["id"]?.text)
    return [
      Write(
        target: "parks", body: "{\"name\":\"Banke\"}", sqlite: "parks", postgreSQL: "public.parks"),
      Write(
        target: "highway_segments?id=eq.\(WireWorld.segment)", body: "{\"max_speed_kmh\":41}",
        sqlite: "segments", postgreSQL: "public.highway_segments"),
      Write(
        target: "checkposts?code=eq.BNP-A", body: "{\"latitude\":28.1}", sqlite: "posts",
        postgreSQL: "public.checkposts"),
      Write(
        method: "POST", target: "highway_segments",
        body: "{\"park_id\":\"\(park)\",\"name\":\"New\",\"distance_km\":20,\"max_speed_kmh\":40,"
          + "\"min_speed_kmh\":10}", sqlite: "segments", postgreSQL: "public.highway_segments"),
      Write(
        method: "DELETE", target: "highway_segments?name=eq.New", body: "", sqlite: "segments",
        postgreSQL: "public.highway_segments"),
      Write(
        target: "user_profiles?id=eq.\(WireWorld.sita)", body: "{\"full_name\":\"Sita K.C.\"}",
        sqlite: "rangers", postgreSQL: "public.user_profiles"),
      Write(
        method: "POST", target: "user_profiles",
        body: "{\"full_name\":\"Hari\",\"role\":\"ranger\",\"phone_number\":\"9801112255\","
          + "\"assigned_checkpost_id\":\"\(WireWorld.east)\"}", sqlite: "rangers",
        postgreSQL: "public.user_profiles"),
      Write(
        target: "proactive_overstay_alerts?resolved=is.false", body: "{\"resolved\":true}",
        sqlite: "alerts", postgreSQL: "checkpost.alerts"),
      Write(
        target: "violations?id=eq.\(violation)",
        body: "{\"alert_delivered_at\":\"2026-01-01T02:00:00Z\"}",
        sqlite: "violation_deliveries", postgreSQL: "public.violations"),
      Write(
        method: "POST", target: "violation_outcomes",
        body: "{\"violation_id\":\"\(violation)\",\"outcome_type\":\"warned\","
          + "\"recorded_by\":\"\(WireWorld.sita)\"}", sqlite: "violation_outcomes",
        postgreSQL: "public.violation_outcomes"),
      Write(
        target: "violation_outcomes", body: "{\"outcome_type\":\"let_go\"}",
        sqlite: "violation_outcomes", postgreSQL: "public.violation_outcomes"),
      Write(
        method: "DELETE", target: "violation_outcomes", body: "", sqlite: "violation_outcomes",
        postgreSQL: "public.violation_outcomes"),
      Write(
        method: "POST", target: "sync_metadata",
        body: "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"a\"}", sqlite: "sync_metadata",
        postgreSQL: "public.sync_metadata"),
      Write(
        method: "POST", target: "vehicle_passages",
        body: WireWorld.passage(9, "BA9PA9", at: 60), sqlite: "observations",
        postgreSQL: "checkpost.observations"),
    ]
  }

  /// Lets every change of a table's rows take far longer than a call may: in SQLite without end.
  private func slow(_ write: Write, _ isSlow: Bool, _ world: WireWorld) throws {
    switch world.place {
    case let place as PostgreSQLPlace:
      try place.with { other in
        try other.run(
          script: isSlow
            ? """
            CREATE FUNCTION public.slowly() RETURNS trigger LANGUAGE plpgsql AS
              $$ BEGIN PERFORM pg_sleep(10); RETURN coalesce(NEW, OLD); END $$;
            CREATE TRIGGER slowly BEFORE INSERT OR UPDATE OR DELETE ON \(write.postgreSQL)
              FOR EACH ROW EXECUTE FUNCTION public.slowly();
            """ : "DROP FUNCTION public.slowly() CASCADE")
      }
    case let place as SQLitePlace:
      for event in ["INSERT", "UPDATE", "DELETE"] {
        try place.execute(
          isSlow
            ? """
            CREATE VIEW IF NOT EXISTS endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
              SELECT count(*) AS n FROM c;
            CREATE TRIGGER slowly_\(event) BEFORE \(event) ON \(write.sqlite)
              BEGIN SELECT n FROM endless; END;
            """ : "DROP TRIGGER slowly_\(event)")
      }
    default: throw WireFault()
    }
  }

  @Test(arguments: StoreKind.shipped) func eachTablesWriteEnds(_ kind: StoreKind) throws {
    var world = try Self.world(kind)
    defer { try? world.store.close() }
    let bound = Duration.milliseconds(250)
    let impatient: any RestStore =
      switch world.store {
      case let store as SQLiteCentralStore:
        SQLiteRestStore(
          of: store, rules: { JudgingRules() }, writeTimeout: bound, onChanges: { _ in })
      case let store as PostgreSQLCentralStore:
        PostgreSQLRestStore(of: store, writeTimeout: bound, onChanges: { _ in })
      default: throw WireFault()
      }
    for write in try Self.writes(&world) {
      let parts = write.target.split(separator: "?", maxSplits: 1).map(String.init)
      let before = world.rows(parts[0], as: .service)
      try slow(write, true, world)
      let answer = RestHandler.answer(
        RestRequest(
          write.method, parts[0], query: parts.count > 1 ? parts[1] : "",
          body: Array(write.body.utf8)), as: Self.admin, from: impatient, at: world.now)
      try slow(write, false, world)
      let label = "\(write.method) \(write.target): \(answer.body)"
      #expect(answer.status == 500, "\(label)")
      #expect(RestJSON(Array(answer.body.utf8))?.object?["code"]?.text == "57014", "\(label)")
      #expect(world.rows(parts[0], as: .service) == before, "\(label)")
      // The same goes on at once, also where it is under the bound, on the same connections.
      let told = world.ask(write.method, write.target, write.body, as: Self.admin)
      #expect(world.status < 300, "\(label), then \(told)")
    }
  }

  /// However short each statement is: what they take together counts.
  @Test(.needsPostgreSQL) func manyShortStatementsEndTogether() throws {
    var world = try Self.world(.postgreSQL)
    defer { try? world.store.close() }
    let store = try #require(world.store as? PostgreSQLCentralStore)
    let place = try #require(world.place as? PostgreSQLPlace)
    let rows = (0..<20).map { "{\"name\":\"Park \($0)\",\"code\":\"P\($0)\"}" }
    // Half as long as all of them may take.
    try place.with {
      try $0.run(
        script: """
          CREATE FUNCTION public.slowly() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$;
          CREATE TRIGGER slowly BEFORE INSERT ON public.parks FOR EACH ROW EXECUTE FUNCTION public.slowly();
          """)
    }
    let impatient = PostgreSQLRestStore(
      of: store, writeTimeout: .seconds(1), onChanges: { _ in })
    let answer = RestHandler.answer(
      RestRequest("POST", "parks", body: Array("[\(rows.joined(separator: ","))]".utf8)),
      as: Self.admin, from: impatient, at: world.now)
    #expect(RestJSON(Array(answer.body.utf8))?.object?["code"]?.text == "57014", "\(answer.body)")
    #expect(world.rows("parks?code=like.P*", as: .service).count <= 1)
  }
}
