import CentralPostgreSQL
import PostgreSQL
import Testing

/// Texts that the deployed tables hold, and that no index of the schema does.
@Suite(.needsPostgreSQL) struct LongTextTests {
  /// A post's code and the path of a photograph, of letters at random, as an index packs what repeats.
  @Test func theyEndNoMigration() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try Migration.up(connection)
      try Migration.down(connection)
      try connection.run(script: Self.rows)
      try Migration.up(connection)
      #expect(try Migration.status(connection).isComplete)
      #expect(try connection.number("SELECT count(*) FROM checkpost.unreadable") == 1)
      #expect(
        try connection.texts("SELECT plate_number FROM public.violations WHERE NOT is_retracted")
          == ["BA1PA1002"])
      // One more at that post, and others, are taken as well.
      try connection.run(script: Self.later)
      #expect(try connection.number("SELECT count(*) FROM checkpost.unreadable") == 2)
      #expect(
        try connection.texts(
          "SELECT plate_number FROM public.violations WHERE NOT is_retracted ORDER BY 1")
          == ["BA1PA1002", "BA2PA1002"])
    }
  }

  /// A moment as late as there are, which the owner of the tables wrote: other violations become final all the same.
  @Test func aViolationOfTheEndOfTimeKeepsNoOtherFromBeingFinal() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try Migration.up(connection)
      try Migration.down(connection)
      try connection.run(script: Self.rows)
      try Migration.up(connection)
      try connection.run(script: Self.passages("BA3PA", road: 2, photo: "NULL"))
      try connection.run(
        script: """
          UPDATE checkpost.violations SET since = '294276-12-31 00:00:00+00'
            WHERE (found).plate = 'BA3PA1002';
          SELECT count(*) FROM checkpost.clock(1000, now() + interval '2 days');
          """)
      #expect(
        try connection.texts(
          "SELECT (found).plate || ' ' || finality FROM checkpost.violations ORDER BY 1")
          == ["BA1PA1002 unreported", "BA3PA1002 provisional"])
    }
  }

  private static let rows =
    """
    INSERT INTO auth.users (id) VALUES (md5('u')::uuid);
    INSERT INTO public.parks (id, name, code) VALUES (md5('k')::uuid, 'Park', 'P');
    INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
      SELECT md5('s' || n)::uuid, md5('k')::uuid, 'Road ' || n, 45, 40, 10 FROM generate_series(1, 2) AS n;
    INSERT INTO public.checkposts (id, segment_id, name, code, position_index)
      SELECT md5('c' || n || p)::uuid, md5('s' || n)::uuid, 'post', CASE WHEN n = 1 AND p = 0
          THEN (SELECT left(string_agg(md5(k::text), ''), 2690) FROM generate_series(1, 300) AS k)
          ELSE 'N' || n || p END, p
      FROM generate_series(1, 2) AS n, generate_series(0, 1) AS p;
    INSERT INTO public.user_profiles (id, full_name, role) VALUES (md5('u')::uuid, 'Sita', 'ranger');

    """
    + passages(
      "BA1PA", photo: "(SELECT string_agg(md5(k::text), '') FROM generate_series(1, 300) AS k)")
  private static let later = passages("BA2PA", photo: "NULL")

  private static func passages(
    _ plate: String, road: Int = 1, photo: String
  ) -> String {
    """
    INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id, recorded_at,
        ranger_id, photo_path)
      SELECT gen_random_uuid(), '\(plate)' || 1000 + n, 'car', md5('c' || n || p)::uuid, md5('s' || n)::uuid,
        to_timestamp(1767000000 + p * 900), md5('u')::uuid, \(photo)
      FROM generate_series(\(road), 2) AS n, generate_series(0, 1) AS p;
    """
  }
}
