import CentralCore
import CentralPostgreSQL
import PostgreSQL
import TestSupport
import Testing

/// Rows of other programs whose post moved.
@Suite(.needsPostgreSQL)
struct MovedRowTests {
  private static let rows = """
    SELECT concat_ws(' ', v.plate_number, h.name) FROM public.vehicle_passages v
      JOIN public.highway_segments h ON h.id = v.segment_id ORDER BY 1
    """

  /// Each row shows the segment of its time, whenever it comes and whichever it names; also when the schema is gone.
  @Test func aRowCountsForWhereItsPostStoodThen() async throws {
    let database = try await JudgedDatabase.make()
    let told = try await database.with { connection throws in
      try PlainRow(0, client: 1, plate: "BA1PA1").insert(connection)
      try PlainRow(1_000, "BNP-B", client: 2, plate: "BA1PA1").insert(connection)
      try PlainRow(20_000, "BNP-B", client: 3, plate: "BA1PA2").insert(connection)
      try connection.run(
        script: """
          INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            VALUES ('0b000000-0000-4000-8000-000000000002', '0a000000-0000-4000-8000-000000000001', 'Upper',
              12, 50, 20);
          BEGIN;
          UPDATE public.checkposts SET segment_id = '0b000000-0000-4000-8000-000000000002' WHERE code = 'BNP-B';
          SELECT checkpost.put_earlier_places('BNP-B', ARRAY[\(judgedMorning + 10_000)], ARRAY['Banepa'], ARRAY[1]);
          COMMIT;
          """)
      try PlainRow(5_000, client: 4, plate: "BA1PA3").insert(connection)
      try PlainRow(6_000, "BNP-B", client: 5, plate: "BA1PA3").insert(connection)
      try PlainRow(15_000, client: 6, plate: "BA1PA4").insert(connection)
      try PlainRow(16_000, "BNP-B", client: 7, plate: "BA1PA4").insert(connection)
      let shown = try connection.texts(Self.rows)
      let violations = try connection.texts(
        "SELECT v.plate_number || ' ' || h.name FROM public.violations v JOIN public.highway_segments h"
          + " ON h.id = v.segment_id ORDER BY 1")
      try Migration.down(connection)
      return (shown, violations, try connection.texts(Self.rows))
    }
    #expect(
      told.0 == [
        "BA1PA1 Banepa", "BA1PA1 Banepa", "BA1PA2 Upper", "BA1PA3 Banepa", "BA1PA3 Banepa",
        "BA1PA4 Banepa", "BA1PA4 Upper",
      ])
    #expect(told.1 == ["BA1PA1 Banepa", "BA1PA3 Banepa"])
    // They stay as they were told.
    #expect(told.2 == told.0)
  }
}
