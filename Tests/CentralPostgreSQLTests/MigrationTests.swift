import CentralCore
import CentralPostgreSQL
import Foundation
import PostgreSQL
import SeededRandom
import TestSupport
import Testing
import Time

/// The schema goes into an empty database and into one that is in use, twice, and out again.
@Suite(.needsPostgreSQL)
struct MigrationTests {
  /// Set to the rows of the whole campaign.
  private static let rows = ProcessInfo.processInfo.environment["CHECKPOST_TEST_ROWS"]
    .flatMap { Int($0) }

  /// The deployed tables of `Tests/PostgreSQL/schema.sql`, with the directory of the stories.
  private func deployed() async throws -> TestDatabase {
    let database = try await TestDatabase.make()
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../PostgreSQL/schema.sql").path
    // Roles belong to the server, which other tests use too.
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let script = lines.filter { !$0.hasPrefix("CREATE ROLE") }.joined(separator: "\n")
    let other = try await TestDatabase.make()
    try await other.with { connection throws in try Migration.up(connection) }
    try await database.with { connection throws in
      try connection.run(script: script)
      try connection.run(
        script: """
          UPDATE public.highway_segments SET name = 'Banepa', distance_km = 30, max_speed_kmh = 60,
            min_speed_kmh = 20;
          UPDATE public.user_profiles SET phone_number = '+9779800004567' WHERE full_name = 'Sita';
          UPDATE public.user_profiles SET phone_number = '+9779800009801' WHERE full_name = 'Ram';
          -- As Supabase has it.
          ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO anon, authenticated;
          """)
    }
    return database
  }

  private static let objects = """
    SELECT string_agg(t, E'\\n' ORDER BY t) FROM (
      SELECT 'column ' || attrelid::regclass || ' ' || attname || ' ' || atttypid::regtype || ' '
        || attnotnull AS t
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT 'policy ' || polrelid::regclass || ' ' || polname || ' '
        || translate(concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), E'\\n', ' ')
        FROM pg_policy
      UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace
      UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger
        WHERE NOT tgisinternal) AS q(t)
    """

  @Test func anEmptyDatabaseTwiceAndBack() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      #expect(try Migration.status(connection).version == nil)
      let plan = try Migration.plan(connection)
      #expect(plan.first?.contains("public.vehicle_passages") == true)
      try Migration.up(connection, isDryRun: true)
      #expect(try connection.texts("SELECT to_regnamespace('checkpost')") == [nil])
      #expect(try connection.texts("SELECT to_regclass('public.vehicle_passages')") == [nil])

      try Migration.up(connection)
      #expect(try Migration.status(connection).isComplete)
      #expect(try Migration.plan(connection) == [])
      let objects = try connection.texts(Self.objects)
      try Migration.up(connection)
      #expect(try connection.texts(Self.objects) == objects)

      try Migration.down(connection, isDryRun: true)
      #expect(try Migration.status(connection).isComplete)
      #expect(try Migration.planDown(connection).isEmpty == false)
      try Migration.down(connection)
      #expect(try connection.texts("SELECT to_regnamespace('checkpost')") == [nil])
      #expect(try Migration.status(connection).version == nil)
      try Migration.down(connection)
      // And once more into what that left.
      try Migration.up(connection)
      #expect(try connection.texts(Self.objects) == objects)
    }
  }

  /// What is made beside deployed tables is as protected as they are.
  @Test func theTableOfOutcomesHasPolicies() async throws {
    let database = try await deployed()
    try await database.with { connection throws in
      try Migration.up(connection)
      #expect(try connection.texts(Self.protection) == ["true 4 false false true"])
    }
  }

  /// Row security, how many policies there are, and what some may do.
  static let protection = """
    SELECT relrowsecurity || ' ' || (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) || ' '
      || has_table_privilege('anon', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') || ' '
      || has_table_privilege('authenticated', oid, 'TRUNCATE') || ' '
      || has_table_privilege('authenticated', oid, 'INSERT')
    FROM pg_class c WHERE oid = 'public.violation_outcomes'::regclass
    """

  /// Rows that the deployed trigger paired wrongly, as they came in any order, are judged as the model judges.
  @Test func deployedTablesWithRows() async throws {
    // What is told of all at once is long in coming, where somebody asks for many rows.
    let database = try await deployed().with { settings in
      settings.statementTimeout = .seconds(900)
      settings.answerTimeout = .seconds(910)
    }
    let trips = Self.rows.map { $0 / 3 } ?? 120
    var generator = SplitMix64(seed: 5)
    let rows = try JudgingWorld.days(
      trips: trips, vehicles: max(trips / 12, 20), seed: 5, corrections: false
    ).arrivals.shuffled(using: &generator).observations.compactMap { PlainRow($0) }
    try await database.with { connection throws in
      for row in rows { try row.insert(connection, "ON CONFLICT (client_id) DO NOTHING") }
      let before = try Self.things(connection)
      let contents = try Self.contents(connection)
      let identities = try connection.texts(
        "SELECT client_id FROM public.vehicle_passages ORDER BY client_id")
      let known = Set(identities.compactMap { $0 })
      // The deployed table keeps the first of what came under one identity.
      var firsts: Set<String> = []
      let kept = rows.filter { firsts.insert($0.client).inserted }
      #expect(known == firsts)
      // What is on them stays with them.
      try connection.query(
        "INSERT INTO public.sync_metadata (user_id, device_id) VALUES ($1::uuid, 'tablet')",
        [.text(PlainRow.sita)])

      let evening = WallTime(epochSeconds: judgedMorning + 40_000)
      var told: [Migration.Progress] = []
      try Migration.up(connection) { told.append($0) }
      #expect(told.contains(.adopting(Int64(known.count), of: Int64(known.count))))
      try JudgingDatabase(connection).tick(at: evening)
      let whole = ToldStory(
        JudgingStory(try kept.map { try $0.understood() }, [], try samplePlaces(), at: evening))
      #expect(try ToldStory(connection).differences(from: whole) == [])
      #expect(
        try connection.number("SELECT count(*) FROM public.vehicle_passages")
          == Int64(whole.passages.count))
      #expect(
        try connection.number("SELECT count(*) FROM public.violations")
          == Int64(whole.violations.count))

      // Twice.
      try Migration.up(connection)
      #expect(try ToldStory(connection).differences(from: whole) == [])
      // What comes now is judged, and only once; the story's time may be ahead of the database's.
      try connection.run(script: "UPDATE checkpost.settings SET ahead = 3000000000")
      #expect(
        try PlainRow(900_000_000, client: 1, plate: "BA1PA0001").insert(connection) == 1)
      #expect(
        try PlainRow(900_000_600, "BNP-B", client: 2, plate: "BA1PA0001").insert(connection) == 1)
      #expect(
        try connection.texts(
          "SELECT violation_type FROM public.violations WHERE plate_number = 'BA1PA0001'")
          == ["speeding"])

      // And back: every row that was there is there as it was, and the deployed trigger pairs again.
      let plan = try Migration.planDown(connection)
      #expect(plan.contains { $0.hasPrefix("leave the 2 passages that came since") })
      try Migration.down(connection)
      let back = try Self.contents(connection)
      #expect(Set(contents).subtracting(back) == [])
      #expect(Set(back).subtracting(contents).count == 3)
      // The table of outcomes was missing, and what was made stays.
      #expect(try Self.things(connection).filter { !$0.contains("violation_outcomes") } == before)
      #expect(
        Set(
          try connection.texts("SELECT client_id FROM public.vehicle_passages").compactMap { $0 })
          == known.union([PlainRow.uuid(1), PlainRow.uuid(2)]))
      #expect(try connection.number("SELECT count(*) FROM public.sync_metadata") == 1)
      try PlainRow(950_000_000, client: 3, plate: "BA1PA0002").insert(connection)
      try PlainRow(950_000_600, "BNP-B", client: 4, plate: "BA1PA0002").insert(connection)
      #expect(
        try connection.number(
          "SELECT count(*) FROM public.vehicle_passages"
            + " WHERE plate_number = 'BA1PA0002' AND matched_passage_id IS NOT NULL") == 2)
    }
  }

  /// Every row of the deployed tables that something may change, as the deployed tables have it.
  private static func contents(_ connection: PostgreSQLConnection) throws -> [String] {
    try ["vehicle_passages", "violations", "proactive_overstay_alerts"].flatMap { table in
      try connection.texts(
        "SELECT '\(table) ' || (to_jsonb(t) - ARRAY['is_retracted', 'finality', 'doubts'])::text"
          + " FROM public.\(table) t"
      ).compactMap { $0 }
    }
  }

  /// The deployed tables as another test has them keep everything that they had.
  @Test func nothingIsRenamedOrDropped() async throws {
    let database = try await deployed()
    let before = try await database.with { connection throws in try Self.things(connection) }
    let after = try await database.with { connection throws in
      try Migration.up(connection)
      return Set(try Self.things(connection))
    }
    // The deployed trigger rests, so that it shows otherwise.
    #expect(before.filter { !$0.hasPrefix("trigger") && !after.contains($0) } == [])
  }

  private static func things(_ connection: PostgreSQLConnection) throws -> [String] {
    let text = try connection.texts(objects).first ?? nil
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// A second who migrates waits for the first.
  @Test func aSecondOneWaits() async throws {
    let database = try await TestDatabase.make()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          try await database.with { connection throws in try Migration.up(connection) }
        }
      }
      try await group.waitForAll()
    }
    let versions = try await database.with { connection throws in
      try connection.texts("SELECT version FROM checkpost.migrations")
    }
    #expect(versions == ["\(try await database.with { try Migration.status($0).needed })"])
  }
}
