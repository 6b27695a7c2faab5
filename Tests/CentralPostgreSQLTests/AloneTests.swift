import CentralCore
import CentralPostgreSQL
import PostgreSQL
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
}
