import CentralCore
import CentralPostgreSQL
import PostgreSQL
import TestSupport
import Testing
import Time

/// What a row may say that another program writes: the trigger refuses what the API refuses, and what was there before
/// and cannot be read is listed and not judged.
@Suite(.needsPostgreSQL)
struct RowRuleTests {
  private static let insert = """
    INSERT INTO public.vehicle_passages (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id,
        segment_id, recorded_at, ranger_id, photo_path)
      SELECT gen_random_uuid(), $1, $2, 'car', c.id, coalesce($3::uuid, c.segment_id), $4::text::timestamptz,
        '\(PlainRow.sita)', $5
      FROM public.checkposts c WHERE c.code = 'BNP-A'
    """

  /// Letters at random, as an index packs what repeats.
  @Test func aCodeThatNoIndexHoldsIsRefusedAsSuch() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      for length in [201, 2_600, 9_000] {
        let refusal = failure { () throws(PostgreSQLError) in
          try connection.run(
            script: """
              UPDATE public.checkposts SET code = (SELECT left(string_agg(md5(n::text), ''), \(length))
                FROM generate_series(1, 300) AS n) WHERE code = 'BNP-A'
              """)
        }
        #expect(refusal?.state?.code == "23514", "\(length)")
      }
      try connection.run(
        script: "UPDATE public.checkposts SET code = repeat('x', 200) WHERE code = 'BNP-A'")
      #expect(try connection.number("SELECT count(*) FROM public.checkposts") == 2)
    }
  }

  @Test func whatTheAPIRefusesIsRefused() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      func state(
        plate: String = "BA1PA1234", raw: String? = nil, segment: String? = nil,
        at time: String = "2025-06-01", photo: String? = nil
      ) -> String? {
        failure { () throws(PostgreSQLError) in
          try connection.query(
            Self.insert, [.text(plate), .text(raw), .text(segment), .text(time), .text(photo)])
        }?.state?.code
      }
      for time in [
        "10000-01-01", "infinity", "-infinity", "2287-01-01", "1969-12-31 23:59:59+00",
        "0044-03-15 BC",
      ] {
        #expect(state(at: time) == "22008", "\(time)")
      }
      try connection.run(script: "UPDATE checkpost.settings SET ahead = 86400")
      #expect(state(at: "2285-01-01") == "22008", "it is yet to come")
      for plate in ["", "?", "-", "X", "\u{1}", String(repeating: "A", count: 300), "BA1PA?"] {
        #expect(state(plate: plate) == "23514", "\(plate)")
      }
      #expect(state(raw: String(repeating: "x", count: 201)) == "23514")
      #expect(state(photo: String(repeating: "x", count: 401)) == "23514")
      try connection.run(
        script: """
          INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            VALUES ('\(PlainRow.uuid(900))', '0a000000-0000-4000-8000-000000000001', 'other', 9, 40, 10)
          """)
      #expect(state(segment: PlainRow.uuid(900)) == "23503")
      #expect(state(segment: PlainRow.uuid(901)) == "23503")
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 0)

      // A camera's reading is taken as it was read, and time of before 2025 is none that anybody knows.
      #expect(state(raw: "B4 1PA I234?") == nil)
      #expect(state(plate: "BA1PA7777", at: "1970-01-01 00:00:07+00") == nil)
      let told = try connection.texts(
        "SELECT raw_plate || ' ' || is_dated FROM checkpost.passages ORDER BY is_dated DESC")
      #expect(told == ["B4 1PA I234? true", "BA1PA7777 false"])
      for (change, code) in [
        ("client_id = gen_random_uuid()", "0A000"), ("source = 'sms'", "0A000"),
        ("recorded_at = 'infinity'", "22008"), ("plate_number = '?'", "23514"),
        ("segment_id = '\(PlainRow.uuid(900))'", "23503"),
      ] {
        let refusal = failure { () throws(PostgreSQLError) in
          try connection.query(
            "UPDATE public.vehicle_passages SET \(change) WHERE plate_number = 'BA1PA1234'")
        }
        #expect(refusal?.state?.code == code, "\(change)")
      }
      // When it came, the database knows.
      try connection.run(
        script:
          "UPDATE public.vehicle_passages SET server_received_at = 'infinity', created_at = '-infinity'"
      )
      #expect(
        try connection.number(
          "SELECT count(*) FROM public.vehicle_passages WHERE isfinite(server_received_at) AND isfinite(created_at)"
        ) == 2)
    }
  }

  /// Rows that were there before the schema: nothing of them is judged, two that nobody could read are not one vehicle,
  /// and each is judged once it can be read.
  @Test func whatWasThereAndCannotBeReadIsListed() async throws {
    let judged = JudgedDatabase(database: try await TestDatabase.make())
    try await judged.with { connection throws in
      try Migration.up(connection)
      try Migration.down(connection)
      try connection.run(script: JudgedDatabase.directory)
      func row(_ number: Int, _ post: String, _ plate: String, _ time: String) throws {
        try connection.query(
          """
          INSERT INTO public.vehicle_passages (id, client_id, plate_number, vehicle_type, checkpost_id, segment_id,
              recorded_at, ranger_id)
            SELECT $1::uuid, $1::uuid, $2, 'car', c.id, c.segment_id, $3::text::timestamptz, '\(PlainRow.sita)'
            FROM public.checkposts c WHERE c.code = $4
          """, [.text(PlainRow.uuid(number)), .text(plate), .text(time), .text(post)])
      }
      try row(1, "BNP-A", "?", "2025-06-01 00:00:00+00")
      try row(2, "BNP-B", "?", "2025-06-01 00:10:00+00")
      try row(3, "BNP-A", "BA1PA1234", "10000-01-01 00:00:00+00")
      try row(4, "BNP-B", "BA1PA1234", "10000-01-01 00:10:00+00")
      try row(5, "BNP-A", "BA1PA5555", "infinity")
      try row(6, "BNP-A", "BA1PA6666", "2025-06-01 00:00:00+00")
      try row(7, "BNP-B", "BA1PA6666", "2025-06-01 00:10:00+00")
      try Migration.up(connection)
      #expect(try Migration.status(connection).isComplete)
      let judging = JudgingDatabase(connection)
      let moment = WallTime(epochSeconds: judgedMorning)
      _ = try judging.tick(at: moment)
      #expect(
        try judging.violations(ViolationQuery()).map(\.violation.finding.plate) == ["BA1PA6666"])
      #expect(try judging.passages(PassageQuery()).count == 2)
      #expect(try connection.number("SELECT count(*) FROM checkpost.unreadable") == 5)
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 7)

      // Somebody puts both right, by whatever they have.
      try connection.run(
        script: """
          UPDATE public.vehicle_passages SET plate_number = 'BA1PA7777' WHERE plate_number = '?';
          UPDATE public.vehicle_passages SET recorded_at = '2025-06-01 00:00:00+00' WHERE id = '\(PlainRow.uuid(3))';
          DELETE FROM public.vehicle_passages WHERE id = '\(PlainRow.uuid(5))';
          """)
      #expect(
        Set(try judging.violations(ViolationQuery()).map(\.violation.finding.plate))
          == ["BA1PA6666", "BA1PA7777"])
      #expect(
        try connection.texts("SELECT passage FROM checkpost.unreadable") == [PlainRow.uuid(4)])
    }
  }

  /// A ranger who serves at a post can neither make a travel of two passages there nor write in somebody else's name.
  @Test func aRangerMovesNothingAndWritesAsThemselves() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try connection.run(
        script:
          "SELECT set_config('request.jwt.claim.sub', '\(PlainRow.sita)', false); SET ROLE authenticated"
      )
      for ranger in [PlainRow.ram, "0d000000-0000-4000-8000-00000000000c"] {
        var row = PlainRow(0, client: 9)
        row.ranger = ranger
        let refusal = failure { () throws(PostgreSQLError) in try row.insert(connection) }
        #expect(refusal?.state?.code == "42501")
      }
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(600, client: 2).insert(connection)
      for change in [
        "checkpost_id = '0c000000-0000-4000-8000-00000000000b'", "ranger_id = '\(PlainRow.ram)'",
      ] {
        let refusal = failure { () throws(PostgreSQLError) in
          try connection.query(
            "UPDATE public.vehicle_passages SET \(change) WHERE client_id = '\(PlainRow.uuid(2))'")
        }
        #expect(refusal?.state?.code == "42501", "\(change)")
      }
      // What is no move stays allowed; and central may, with a doubt.
      try connection.run(
        script: """
          UPDATE public.vehicle_passages SET vehicle_type = 'bus' WHERE client_id = '\(PlainRow.uuid(2))';
          RESET ROLE;
          UPDATE public.vehicle_passages SET checkpost_id = '0c000000-0000-4000-8000-00000000000b'
            WHERE client_id = '\(PlainRow.uuid(2))';
          """)
      let found = try JudgingDatabase(connection).violations(ViolationQuery())
      #expect(found.map(\.violation.finding.doubts) == [[.contradicted]])
      #expect(
        try connection.texts("SELECT contradictions FROM checkpost.passages WHERE post = 'BNP-B'")
          == ["{post}"])
    }
  }

  /// What two rangers wrote down of one vehicle is one row; each finds and corrects their own by the identity that it
  /// came under, and nobody else's.
  @Test func aPassageIsFoundByEachOfItsIdentities() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(40, client: 2).insert(connection)
      try PlainRow(600, "BNP-B", client: 3).insert(connection)
      #expect(try connection.number("SELECT count(*) FROM public.vehicle_passages") == 2)
      let found =
        "SELECT count(*) FROM public.passages_by_identity WHERE client_id = '\(PlainRow.uuid(2))'"
      try connection.run(
        script:
          "SELECT set_config('request.jwt.claim.sub', '\(PlainRow.sita)', false); SET ROLE authenticated"
      )
      #expect(try connection.number(found) == 1)
      let change =
        "UPDATE public.passages_by_identity SET plate_number = 'BA1PA7777' WHERE client_id = '\(PlainRow.uuid(2))'"
      #expect(try connection.query(change).affected == 1)
      let rows = "SELECT plate_number FROM public.vehicle_passages ORDER BY recorded_at, 1"
      #expect(try connection.texts(rows) == ["BA1PA1234", "BA1PA7777", "BA1PA1234"])
      #expect(try connection.texts("SELECT plate_number FROM public.violations") == ["BA1PA1234"])
      #expect(
        failure { () throws(PostgreSQLError) in
          try connection.query(
            "UPDATE public.passages_by_identity SET client_id = gen_random_uuid()")
        }?.state?.code == "0A000")
      // Of another segment nothing is seen, and of another ranger nothing changed.
      try connection.run(
        script: "SELECT set_config('request.jwt.claim.sub', '\(PlainRow.ram)', false)")
      #expect(try connection.query(change).affected == 0)
      try connection.run(
        script:
          "SELECT set_config('request.jwt.claim.sub', '0d000000-0000-4000-8000-0000000000ff', false)"
      )
      #expect(try connection.number(found) == 0)
      try connection.run(script: "RESET ROLE")
    }
  }
}
