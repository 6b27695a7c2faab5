import CentralCore
import CentralPostgreSQL
import PostgreSQL
import SeededRandom
import TestSupport
import Testing
import Time

/// A row of which nothing is known and that nothing is near is judged at once; it is what any other way would give.
@Suite(.needsPostgreSQL)
struct AloneTests {
  private static let rows = """
    SELECT to_jsonb(v)::text FROM public.vehicle_passages v
    UNION ALL SELECT to_jsonb(p)::text FROM checkpost.passages p
    UNION ALL SELECT (to_jsonb(w) - 'is_told')::text FROM checkpost.waiting w
    UNION ALL SELECT to_jsonb(r)::text FROM checkpost.records r ORDER BY 1
    """

  @Test func itIsWhatJudgingItAgainGives() async throws {
    let judged = try await JudgedDatabase.make()
    try await judged.with { connection throws in
      let now = WallTime(
        milliseconds: try connection.number(
          "SELECT (extract(epoch FROM now()) * 1000)::bigint"))
      let second = now.epochSeconds - judgedMorning
      #expect(try PlainRow(second - 600, client: 1, plate: "BA1PA0001").insert(connection) == 1)
      #expect(
        try PlainRow(second - 500, "BNP-B", client: 2, plate: "BA1PA0002").insert(connection) == 1)
      #expect(try connection.number("SELECT count(*) FROM checkpost.waiting") == 2)
      let rows = try connection.texts(Self.rows)
      #expect(rows.count == 8)
      #expect(try JudgingDatabase(connection).rejudgeAll(everything: true, at: now).isEmpty)
      #expect(try connection.texts(Self.rows) == rows)
      // Now something is near.
      #expect(try PlainRow(second, "BNP-B", client: 3, plate: "BA1PA0001").insert(connection) == 1)
      #expect(try connection.texts("SELECT plate_number FROM public.violations") == ["BA1PA0001"])
      #expect(try connection.number("SELECT count(*) FROM checkpost.waiting") == 1)
      #expect(try JudgingDatabase(connection).rejudgeAll(everything: true, at: now).isEmpty)
      // The same identity and the same content once more make no row.
      #expect(
        try PlainRow(second - 500, "BNP-B", client: 4, plate: "BA1PA0002").insert(connection) == 0)
      // The directory changes: what was found out of it is found out anew.
      #expect(try connection.number("SELECT count(*) FROM checkpost.known_places") == 2)
      try connection.run(script: "UPDATE public.highway_segments SET min_speed_kmh = 15")
      try PlainRow(second - 400, client: 5, plate: "BA1PA0003").insert(connection)
      #expect(
        try connection.number(
          "SELECT due_at - second FROM checkpost.waiting WHERE plate = 'BA1PA0003'") == 7_202)
    }
  }

  /// The same without what makes it short: all that is known and shown, but what counts the order of writing.
  private static let everything = """
    SELECT 'row ' || (to_jsonb(v) - 'created_at' - 'server_received_at')::text FROM public.vehicle_passages v
    UNION ALL SELECT 'shown ' || (to_jsonb(v) - 'created_at')::text FROM public.violations v
    UNION ALL SELECT 'record ' || (to_jsonb(r) - 'last_at' - 'inserted_at')::text FROM checkpost.records r
    UNION ALL SELECT 'passage ' || (to_jsonb(p) - 'first_received_at')::text FROM checkpost.passages p
    UNION ALL SELECT 'pair ' || to_jsonb(p)::text FROM checkpost.pairs p
    UNION ALL SELECT 'unpaired ' || to_jsonb(u)::text FROM checkpost.unpaired u
    UNION ALL SELECT 'waiting ' || to_jsonb(w)::text FROM checkpost.waiting w
    UNION ALL SELECT 'alert ' || (to_jsonb(a) - 'raised_at' - 'ended_at')::text FROM checkpost.alerts a
    UNION ALL SELECT 'violation ' || (to_jsonb(v) - 'since' - 'unreported_from')::text FROM checkpost.violations v
    UNION ALL SELECT 'revision ' || (to_jsonb(r) - 'at')::text FROM checkpost.revisions r
    UNION ALL SELECT 'note ' || (to_jsonb(n) - 'at')::text FROM checkpost.violation_notes n
    UNION ALL SELECT 'change ' || row_number() OVER (ORDER BY c.number) || c.kind || c.entry || coalesce(c.other, 0)
      FROM checkpost.changes c
    UNION ALL SELECT 'heard ' || h.post || sum(h.passages) || ' ' || sum(h.recorded)
      FROM checkpost.heard_changes h GROUP BY h.post ORDER BY 1
    """

  /// Rows of few vehicles close together and far apart, one by one and several in a statement, in any order: what is
  /// judged in few statements comes to what the whole judging gives, with all that is written down of it.
  @Test(arguments: [30, 2_000, 20_000, 90_000] as [Int64])
  func theShortWayComesToTheSame(step: Int64) async throws {
    let short = try await JudgedDatabase.make()
    let long = try await JudgedDatabase.make()
    try await long.with { connection in
      try connection.run(
        script: """
          SET search_path = checkpost;
          CREATE OR REPLACE FUNCTION judge_second(moment timestamptz) RETURNS change[] LANGUAGE sql AS 'SELECT NULL::checkpost.change[]';
          DO $$
          DECLARE
            whole CONSTANT text := pg_get_functiondef('take_row'::regproc);
            short CONSTANT text := 'EXIT at_once WHEN is_known;';
          BEGIN
            ASSERT strpos(whole, short) > 0;
            EXECUTE replace(whole, short, 'EXIT at_once;');
          END $$;
          """)
    }
    var random = SplitMix64(seed: UInt64(step))
    var statements: [String] = []
    for number in 1...70 {
      let second = judgedMorning + Int64.random(in: 0...9, using: &random) * step
      let post = Bool.random(using: &random) ? ("a", "BNP-A") : ("b", "BNP-B")
      let vehicle = Int.random(in: 1...(number < 40 ? 30 : 6), using: &random)
      let source = Int.random(in: 0...9, using: &random) == 0 ? "sms" : "app"
      let row = """
        ('\(PlainRow.uuid(900 + number))', '\(PlainRow.uuid(number))', 'BA1PA\(1_000 + vehicle)', 'car',
          '0c000000-0000-4000-8000-00000000000\(post.0)', '0b000000-0000-4000-8000-000000000001',
          to_timestamp(\(second)), '0d000000-0000-4000-8000-00000000000\(post.0)', '\(source)')
        """
      if Int.random(in: 0...4, using: &random) == 0, let last = statements.popLast() {
        statements.append(last + ", " + row)
      } else {
        statements.append(row)
      }
    }
    let rows = statements
    func story(_ database: JudgedDatabase) async throws -> [String?] {
      try await database.with { connection in
        for row in rows {
          try connection.run(
            script: """
              INSERT INTO public.vehicle_passages (id, client_id, plate_number, vehicle_type, checkpost_id,
                segment_id, recorded_at, ranger_id, source) VALUES \(row)
              """)
        }
        return try connection.texts(Self.everything)
      }
    }
    let (one, other) = (try await story(short), try await story(long))
    #expect(one.contains { $0?.hasPrefix("pair ") == true } || step > 60_000)
    #expect(Set(one).symmetricDifference(Set(other)).sorted { ($0 ?? "") < ($1 ?? "") } == [])
    #expect(one.count == other.count)
  }
}
