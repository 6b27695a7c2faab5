import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import TestSupport
import Testing
import Time

/// Rows, posts, segments and rangers that are changed by hand count for what is there.
@Suite(.needsPostgreSQL)
struct ChangeTests {
  private static let evening = WallTime(epochSeconds: judgedMorning + 40_000)
  private static let pairs = """
    SELECT a.plate_number || ' ' || extract(epoch FROM b.recorded_at - a.recorded_at)::bigint
    FROM public.vehicle_passages a JOIN public.vehicle_passages b ON b.id = a.matched_passage_id
    WHERE a.is_entry ORDER BY 1
    """
  private static let violations =
    "SELECT violation_type || ' ' || plate_number FROM public.violations ORDER BY 1"
  private static let changes =
    "SELECT change || ' ' || cause FROM checkpost.revisions ORDER BY entry, number"

  @Test func aPlateThatIsPutRightPairsBothVehiclesAnew() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, client: 1, plate: "BA1PA1111").insert(connection)
      try PlainRow(600, "BNP-B", client: 2, plate: "BA1PA1111").insert(connection)
      try PlainRow(3_000, "BNP-B", client: 3, plate: "BA1PA2222").insert(connection)
      #expect(try connection.texts(Self.pairs) == ["BA1PA1111 600"])
      #expect(try connection.texts(Self.violations) == ["speeding BA1PA1111"])
      try connection.query(
        "UPDATE public.vehicle_passages SET plate_number = 'BA 1 PA 2222' WHERE client_id = $1::uuid",
        [.text(PlainRow.uuid(1))])
      #expect(try connection.texts(Self.pairs) == ["BA 1 PA 2222 3000"])
      #expect(try connection.texts(Self.violations) == [])
      #expect(try connection.texts(Self.changes) == ["made arrival", "retracted correction"])
      // What was received is kept beside it.
      #expect(
        try connection.texts("SELECT received_plate FROM checkpost.records ORDER BY number")
          == ["BA1PA1111", "BA1PA1111", "BA1PA2222"])
      // And back, by time.
      try connection.query(
        "UPDATE public.vehicle_passages SET recorded_at = recorded_at - interval '20 minutes'"
          + " WHERE client_id = $1::uuid", [.text(PlainRow.uuid(3))])
      #expect(try connection.texts(Self.pairs) == ["BA 1 PA 2222 1800"])
      try connection.query(
        "UPDATE public.vehicle_passages SET recorded_at = recorded_at - interval '20 minutes'"
          + " WHERE client_id = $1::uuid", [.text(PlainRow.uuid(3))])
      #expect(
        try connection.texts(Self.violations)
          == ["speeding BA1PA2222"].map { _ in "speeding BA 1 PA 2222" })
    }
  }

  /// Links that somebody sets by hand are set back: pairs follow from what is there.
  @Test func pairsAreNotMadeByHand() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(2_000, "BNP-B", client: 2).insert(connection)
      try connection.query(
        "UPDATE public.vehicle_passages SET matched_passage_id = NULL, is_entry = NULL")
      #expect(try connection.texts(Self.pairs) == ["BA1PA1234 2000"])
    }
  }

  @Test func whatIsDeletedIsForgotten() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(30, client: 2).insert(connection)
      try PlainRow(600, "BNP-B", client: 3).insert(connection)
      #expect(try connection.texts(Self.violations) == ["speeding BA1PA1234"])
      try connection.query(
        "DELETE FROM public.vehicle_passages WHERE client_id = $1::uuid", [.text(PlainRow.uuid(3))])
      #expect(try connection.texts(Self.violations) == [])
      #expect(try connection.number("SELECT count(*) FROM checkpost.records") == 2)
      try connection.query(
        "DELETE FROM public.vehicle_passages WHERE client_id = $1::uuid", [.text(PlainRow.uuid(1))])
      #expect(try connection.number("SELECT count(*) FROM checkpost.records") == 0)
      #expect(try connection.number("SELECT count(*) FROM checkpost.identities") == 0)
      #expect(try PlainRow(0, client: 1).insert(connection) == 1)
    }
  }

  /// A violation on which somebody recorded an outcome stays, and says that it was retracted.
  @Test func outcomesAreKept() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(600, "BNP-B", client: 2).insert(connection)
      try connection.query(
        "INSERT INTO public.violation_outcomes (violation_id, outcome_type, recorded_by)"
          + " SELECT id, 'warned', $1::uuid FROM public.violations", [.text(PlainRow.sita)])
      try connection.query(
        "UPDATE public.vehicle_passages SET plate_number = 'BA1PA7777' WHERE client_id = $1::uuid",
        [.text(PlainRow.uuid(2))])
      #expect(try connection.texts("SELECT is_retracted FROM public.violations") == ["true"])
    }
  }

  /// A text came before its post was known, and its ranger; both are known later.
  @Test func theDirectoryCountsForWhatIsThere() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      let judging = JudgingDatabase(connection)
      let reports = [
        try sighting(0, "NEW-1", suffix: "1111", channel: .text),
        try sighting(600, "NEW-2", suffix: "2222", channel: .text),
      ]
      try judging.take(reports.map { PassageArrival($0) }, at: reports[1].receivedAt)
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 0)
      try connection.run(
        script: """
          INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            VALUES ('0b000000-0000-4000-8000-000000000002', '0a000000-0000-4000-8000-000000000001',
              'Other', 30, 60, 20);
          INSERT INTO public.checkposts (segment_id, name, code, position_index) VALUES
            ('0b000000-0000-4000-8000-000000000002', 'One', 'NEW-1', 0),
            ('0b000000-0000-4000-8000-000000000002', 'Two', 'NEW-2', 1);
          """)
      #expect(try connection.texts(Self.pairs) == ["BA1PA1234 600"])
      #expect(try connection.texts(Self.violations) == ["speeding BA1PA1234"])
      let rangers =
        "SELECT u.full_name FROM public.vehicle_passages v JOIN public.user_profiles u ON u.id = v.ranger_id"
        + " ORDER BY v.recorded_at"
      #expect(try connection.texts(rangers) == ["unknown ranger", "unknown ranger"])
      try connection.run(
        script: """
          INSERT INTO auth.users (id) VALUES ('0d000000-0000-4000-8000-00000000000d');
          INSERT INTO public.user_profiles (id, full_name, role, assigned_checkpost_id, phone_number)
            SELECT '0d000000-0000-4000-8000-00000000000d', 'Hari', 'ranger', id, '980-0001111'
            FROM public.checkposts WHERE code = 'NEW-1';
          """)
      #expect(try connection.texts(rangers) == ["Hari", "unknown ranger"])

      // Another speed limit, another name, and another segment.
      try connection.run(
        script: "UPDATE public.highway_segments SET max_speed_kmh = 200 WHERE name = 'Other'")
      #expect(try connection.texts(Self.violations) == [])
      #expect(try connection.texts(Self.changes) == ["made directory", "retracted directory"])
      try connection.run(script: "UPDATE public.checkposts SET code = 'NEW-3' WHERE code = 'NEW-2'")
      #expect(try connection.texts(Self.pairs) == ["BA1PA1234 600"])
      // A text that still names the old code is of the same post, and of the same passage.
      let late = try sighting(630, "NEW-2", suffix: "3333", channel: .text)
      try judging.take([PassageArrival(late)], at: late.receivedAt)
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 2)
      try connection.run(
        script:
          "DELETE FROM public.vehicle_passages; DELETE FROM public.checkposts WHERE code LIKE 'NEW%'"
      )
      #expect(try connection.number("SELECT count(*) FROM checkpost.records") == 0)
    }
  }

  @Test func otherRulesJudgeAllAgain() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(80, client: 2).insert(connection)
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 2)
      var rules = JudgingRules()
      try rules.set(.rangerWindow, to: 100)
      try JudgingDatabase(connection).rejudgeAll(rules, at: Self.evening)
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 1)
      try JudgingDatabase(connection).rejudgeAll(at: Self.evening)
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 2)
    }
  }

  /// The clock's duties: an alert at the minute, ended by an exit that comes late; a violation that is final once
  /// both posts have reported, or a person confirmed a text.
  @Test func theClockAndTheReports() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      let judging = JudgingDatabase(connection)
      func at(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }
      let entry = try sighting(0)
      try judging.take([PassageArrival(entry)], at: at(10))
      // 30 km at 20 km/h take 5,400 s; with the tolerance 5,402 are too long.
      #expect(try judging.tick(at: at(5_401)).changes.isEmpty)
      #expect(try judging.tick(at: at(5_402)).changes.raised.map(\.entry.row) == [1])
      #expect(try judging.tick(at: at(5_403)).changes.isEmpty)
      let alerts =
        "SELECT resolved || ' ' || (resolved_by_passage_id IS NOT NULL)"
        + " FROM public.proactive_overstay_alerts"
      #expect(try connection.texts(alerts) == ["false false"])
      let exit = try sighting(6_000, "BNP-B", channel: .text)
      try judging.take([PassageArrival(exit)], at: at(6_010))
      #expect(try connection.texts(alerts) == ["true true"])

      let finality = "SELECT finality || ' ' || doubts::text FROM public.violations"
      #expect(try connection.texts(finality) == ["provisional {by_text_alone}"])
      for post in ["BNP-A", "BNP-B"] {
        let told = try judging.report(
          try CheckpostCode(post), through: judgedMorning + 9_000, receivedAt: at(9_000),
          at: at(9_000))
        #expect(told.isEmpty)
      }
      let found = try #require(try judging.violations(ViolationQuery()).first)
      let confirmed = try judging.confirm(found.uuid, by: "Maya", at: at(9_010))
      #expect(confirmed?.violation.finality == .reported)
      #expect(try judging.confirm(ClientID(random: 1, 1), at: at(9_010)) == nil)
      #expect(try connection.texts(finality) == ["reported {by_text_alone}"])
    }
  }
}
