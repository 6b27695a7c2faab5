import CentralCore
import CentralPostgreSQL
import Glibc
import Passages
import PostgreSQL
import SeededRandom
import Synchronization
import TestSupport
import Testing
import Time

/// Rows that come by plain INSERT are treated like everything else.
@Suite(.needsPostgreSQL)
struct InsertTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 40_000)

  /// The database reads a plate as a post does, in whatever script and spelling it comes.
  @Test func platesAreReadAsAPostReadsThem() async throws {
    let pieces = [
      "P", "PRADESH", "Bagmati ", "BA", "PRA", "State ", "No", "प्रदेश", "नं", "कोशी", "1", "3", "02",
      "033", "12345",
      "७", "CHA", "A", "BC", "प", "K", "SUDUR", "PASHCHIM", "Koshi", "-", ". ", "लु", "सुदुर पश्चिम",
      "Province ",
      "बागमती", "HA", "p3", "चा", "–",
    ]
    var random = SplitMix64(seed: 12)
    var plates = [
      "बागमती प्रदेश ०२ ०३३ च १२३४", "Bagmati Pradesh 02 033 Cha 927", "Province 3-02-033 Cha 1234",
      "BA 1 PA 1234",
      "लुम्विनी प्रदेश ०१ ००१ प १२३४", "Bagmati B AB 0123", "P3BAB123", "P302033CHA77", "PRADESH302001PA1",
      "प्रदेश नं. ३ ०२ ०३३ च १२३४", "Bagmati 1 Pa 1234", "Pradesh 02 033 Cha 1234", "Bagmati C HA 1234",
    ]
    for _ in 0..<3_000 {
      let count = Int.random(in: 1...6, using: &random)
      let parts = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }
      plates.append(parts.joined(separator: Bool.random(using: &random) ? " " : ""))
    }
    let read = plates.compactMap { raw in
      // The program refuses what is too long; the database has no such bound.
      (try? Plate(raw)).map { (raw, $0.compact) }
    }
    #expect(read.count > 1_000)
    let database = try await JudgedDatabase.make()
    let wrong = try await database.with { connection throws in
      var wrong: [String] = []
      for (raw, compact) in read {
        let told = try connection.query(
          "SELECT checkpost.compact($1) AS t", [.text(raw)]
        ).firstRow().value("t", .text)
        if told != compact { wrong.append("\(raw): \(told), not \(compact)") }
      }
      return wrong
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(10))")
  }

  @Test(arguments: [30, 1_500, 40_000] as [Int64])
  func theyComeToTheSame(step: Int64) async throws {
    for seed in 0..<3 as Range<UInt64> {
      let database = try await JudgedDatabase.make()
      var generator = SplitMix64(seed: seed)
      let rows = try JudgingWorld.crowd(passages: 50, step: step, seed: seed, corrections: false)
        .arrivals.shuffled(using: &generator).observations.compactMap { PlainRow($0) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for part in 0..<3 {
          group.addTask {
            try await database.with { connection throws in
              for row in rows.indices where row % 3 == part {
                try rows[row].insert(connection, "ON CONFLICT (client_id) DO NOTHING")
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let evening = evening
      let story = try await database.with { connection throws in
        try JudgingDatabase(connection).tick(at: evening)
        return try ToldStory(connection)
      }
      let whole = ToldStory(
        JudgingStory(try rows.map { try $0.understood() }, [], try samplePlaces(), at: evening))
      #expect(story.differences(from: whole) == [], "seed \(seed), step \(step)")
      // The deployed tables show the same.
      let shown = try await database.with { connection throws in
        [
          try connection.number("SELECT count(*) FROM public.vehicle_passages"),
          try connection.number(
            "SELECT count(*) FROM public.vehicle_passages a JOIN public.vehicle_passages b"
              + " ON b.id = a.matched_passage_id AND b.matched_passage_id = a.id"
              + " WHERE a.is_entry AND NOT b.is_entry"),
          try connection.number("SELECT count(*) FROM public.violations"),
          try connection.number(
            "SELECT count(*) FROM public.proactive_overstay_alerts WHERE NOT resolved"),
        ]
      }
      #expect(
        shown
          == [
            Int64(whole.passages.count), Int64(whole.pairs.count), Int64(whole.violations.count),
            Int64(whole.overdue.count),
          ], "seed \(seed), step \(step)")
    }
  }

  /// What one statement brings is judged at its end, however much it is.
  @Test func aStatementWithManyRows() async throws {
    let database = try await JudgedDatabase.make()
    let vehicles = 500
    let counts = try await database.with { connection throws in
      try connection.query(
        """
        INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id,
            recorded_at, ranger_id)
          SELECT gen_random_uuid(), 'BA1PA' || (1000 + n / 2), 'car', c.id, c.segment_id,
            to_timestamp($1::bigint + n % 2 * 600), $2::uuid
          FROM generate_series(0, $3::bigint - 1) AS n
          JOIN public.checkposts c ON c.position_index = n % 2
          ORDER BY md5(n::text)
        """, [.integer(judgedMorning), .text(PlainRow.sita), .integer(Int64(2 * vehicles))])
      return [
        try connection.number("SELECT count(*) FROM checkpost.pairs"),
        try connection.number("SELECT count(*) FROM public.violations"),
        try connection.number("SELECT count(*) FROM checkpost.touched_before"),
      ]
    }
    #expect(counts == [Int64(vehicles), Int64(vehicles), 0])
  }

  /// Set to the pairs of the whole campaign.
  private static let pairs = getenv("CHECKPOST_TEST_PAIRS").flatMap { Int(String(cString: $0)) }

  /// Two posts that drain at once: of each vehicle the entry and the exit are inserted at the same moment.
  @Test func simultaneousOppositeInsertsMissNoPair() async throws {
    let database = try await JudgedDatabase.make()
    let pairs = Self.pairs ?? 60
    let turn = Turn()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for side in 0..<2 {
        group.addTask {
          try await database.with { connection throws in
            // Whoever fails lets the other go on.
            defer { turn.arrive(2 * pairs) }
            for vehicle in 0..<pairs {
              let isEntry = (vehicle + side) % 2 == 0
              let row = PlainRow(
                isEntry ? 0 : 3_000, isEntry ? "BNP-A" : "BNP-B", client: 2 * vehicle + side,
                plate: "BA1PA\(1_000 + vehicle)")
              turn.arrive(1)
              turn.wait(for: 2 * (vehicle + 1))
              try row.insert(connection)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let matched = try await database.with { connection throws in
      try connection.number(
        "SELECT count(*) FROM public.vehicle_passages WHERE is_entry AND matched_passage_id IS NOT NULL"
      )
    }
    #expect(matched == Int64(pairs))
  }

  /// Two transactions that insert the same vehicles in opposite orders: one may be refused, and finds all that it
  /// has to when it is tried again.
  @Test func inBothOrdersOfLocks() async throws {
    let database = try await JudgedDatabase.make()
    let rounds = 4
    let turn = Turn()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for side in 0..<2 {
        group.addTask {
          try await database.with { connection throws in
            defer { turn.arrive(2 * rounds) }
            for round in 0..<rounds {
              let vehicles = [2 * round, 2 * round + 1]
              turn.arrive(1)
              turn.wait(for: 2 * (round + 1))
              try connection.transaction(attempts: 10) { connection throws(PostgreSQLError) in
                for vehicle in side == 0 ? vehicles : vehicles.reversed() {
                  try PlainRow(
                    side == 0 ? 0 : 3_000, side == 0 ? "BNP-A" : "BNP-B",
                    client: 2 * vehicle + side, plate: "BA1PA\(1_000 + vehicle)"
                  ).insert(connection)
                }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let matched = try await database.with { connection in
      try connection.number("SELECT count(*) FROM checkpost.pairs")
    }
    #expect(matched == Int64(2 * rounds))
  }

  @Test func aKnownIdentityIsRefusedAsBefore() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      let row = PlainRow(0, client: 1)
      #expect(try row.insert(connection) == 1)
      let refusal = failure { () throws(PostgreSQLError) in try row.insert(connection) }
      #expect(
        refusal?.isViolation(.uniqueViolation, of: "vehicle_passages_client_id_key") == true)
      #expect(try row.insert(connection, "ON CONFLICT (client_id) DO NOTHING") == 0)

      // Something else under the same identity changes nothing.
      var other = row
      other.plate = "BA1PA9999"
      let contradiction = failure { () throws(PostgreSQLError) in try other.insert(connection) }
      #expect(
        contradiction?.isViolation(.uniqueViolation, of: "vehicle_passages_client_id_key") == true)
      #expect(try other.insert(connection, "ON CONFLICT DO NOTHING") == 0)
      #expect(
        try connection.texts("SELECT contradictions FROM checkpost.passages") == ["{identity}"])
      #expect(
        try connection.texts("SELECT plate_number FROM public.vehicle_passages") == ["BA1PA1234"])
    }
  }

  @Test func theSamePassageAgainAddsToItAndMakesNoRow() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      var text = PlainRow(0, client: 1)
      text.source = "sms"
      text.type = "other"
      #expect(try text.insert(connection) == 1)
      // The upload of it, under an identity of its own, with what a text cannot say.
      var upload = PlainRow(0, client: 2)
      upload.plate = "BA 1 PA 1234"
      upload.milliseconds = 412
      upload.type = "jeep"
      upload.photo = "a.jpg"
      #expect(try upload.insert(connection) == 0)
      // What another ranger of the post wrote down.
      var second = PlainRow(40, client: 3)
      second.ranger = PlainRow.ram
      #expect(try second.insert(connection) == 0)
      // Each of them again is nothing new.
      #expect(try upload.insert(connection) == 0)
      #expect(try second.insert(connection, "ON CONFLICT DO NOTHING") == 0)
      let rows = try connection.texts(
        """
        SELECT concat_ws(' ', client_id, plate_number, plate_number_raw, vehicle_type, source, photo_path,
          to_char(recorded_at AT TIME ZONE 'UTC', 'MS')) FROM public.vehicle_passages
        """)
      #expect(rows == ["\(text.client) BA1PA1234 BA 1 PA 1234 jeep app a.jpg 412"])
      #expect(try connection.number("SELECT count(*) FROM checkpost.observations") == 3)
      #expect(try connection.number("SELECT count(*) FROM checkpost.identities") == 3)
    }
  }

  /// When something came, and when an outcome was recorded, is not for those to say of whom the policies speak.
  @Test func timesOfReceiptAreTheServers() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, "BNP-B", client: 1).insert(connection)
      try PlainRow(100, client: 2).insert(connection)
      try connection.run(
        script: "SELECT set_config('request.jwt.claim.sub', '\(PlainRow.sita)', false);"
          + " SET ROLE authenticated")
      try connection.query(
        """
        INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id,
            recorded_at, ranger_id, source, server_received_at, created_at)
          SELECT '\(PlainRow.uuid(4))', 'BA1PA7777', vehicle_type, checkpost_id, segment_id,
            recorded_at + interval '5000 seconds', ranger_id, source, '2001-01-01', '2001-01-01'
          FROM public.vehicle_passages WHERE client_id = '\(PlainRow.uuid(2))'
        """)
      let isNow =
        "server_received_at > now() - interval '1 hour' AND created_at > now() - interval '1 hour'"
      let row =
        "FROM public.vehicle_passages WHERE client_id = (SELECT client_id FROM public.vehicle_passages"
        + " ORDER BY recorded_at DESC LIMIT 1)"
      #expect(try connection.texts("SELECT \(isNow) \(row)") == ["true"])
      try connection.query(
        """
        UPDATE public.vehicle_passages SET server_received_at = '2001-01-01', created_at = '2099-01-01',
          vehicle_type = 'bus' WHERE ranger_id = $1::uuid
        """, [.text(PlainRow.sita)])
      #expect(try connection.texts("SELECT \(isNow) AND vehicle_type = 'bus' \(row)") == ["true"])
      try connection.run(script: "RESET ROLE")
      let violation = try connection.texts("SELECT id FROM public.violations")
      try #require(!violation.isEmpty)
      try connection.run(script: "SET ROLE authenticated")
      try connection.query(
        """
        INSERT INTO public.violation_outcomes (violation_id, outcome_type, recorded_by, recorded_at)
          VALUES ($1::uuid, 'warned', $2::uuid, '2099-01-01')
        """, [.text(violation[0]), .text(PlainRow.sita)])
      let isKept =
        "SELECT recorded_at <= now() + interval '1 minute' FROM public.violation_outcomes"
      #expect(try connection.texts(isKept) == ["true"])
      try connection.query(
        "UPDATE public.violation_outcomes SET recorded_at = '2099-01-01', notes = 'later'")
      #expect(try connection.texts(isKept) == ["true"])
      try connection.run(script: "RESET ROLE")
    }
  }

  /// What a policy refuses is refused also where a trigger would have taken it in.
  @Test func policiesAreAskedFirst() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, "BNP-B", client: 1).insert(connection)
      try connection.run(
        script: "SELECT set_config('request.jwt.claim.sub', '\(PlainRow.sita)', false);"
          + " SET ROLE authenticated")
      for row in [PlainRow(9_000, "BNP-B", client: 2), PlainRow(30, "BNP-B", client: 3)] {
        let refusal = failure { () throws(PostgreSQLError) in try row.insert(connection) }
        #expect(refusal?.state?.code == "42501")
        #expect(
          refusal?.report?.message
            == "new row violates row-level security policy for table \"vehicle_passages\"")
      }
      #expect(try PlainRow(300, client: 4).insert(connection) == 1)
      #expect(try PlainRow(330, client: 5).insert(connection) == 0)
      for statement in [
        "SELECT * FROM checkpost.records", "SELECT checkpost.judge_posts('{}', 'rules')",
      ] {
        let refusal = failure { () throws(PostgreSQLError) in try connection.query(statement) }
        #expect(refusal?.state?.code == "42501", "\(statement)")
      }
      // The schema's mark of its own changes cannot be forged.
      try connection.run(script: "SELECT set_config('checkpost.projecting', 'on', false)")
      #expect(try PlainRow(340, client: 6).insert(connection) == 0)
      try connection.run(script: "RESET ROLE")
      #expect(try connection.number("SELECT count(*) FROM checkpost.identities") == 4)
    }
  }

  /// Of three posts on a road the people of the middle one see everything, and those of an end what leads there. So it
  /// is also where an earlier version made the policies, and without the schema as it was before.
  @Test(arguments: [false, true])
  func policiesShowTheSegmentsOfAPost(_ isRenewed: Bool) async throws {
    // As an earlier version made them, for one segment of a post.
    let database =
      try await isRenewed
      ? JudgedDatabase.version(
        3,
        with: """
          ALTER POLICY of_segment ON public.vehicle_passages USING (segment_id = public.checkpost_my_segment());
          ALTER POLICY of_segment ON public.violations USING (segment_id = public.checkpost_my_segment());
          ALTER POLICY of_segment ON public.proactive_overstay_alerts
            USING (segment_id = public.checkpost_my_segment());
          ALTER POLICY of_segment ON public.violation_outcomes
            USING (EXISTS (SELECT FROM public.violations v
              WHERE v.id = violation_id AND v.segment_id = public.checkpost_my_segment()));
          ALTER POLICY own_insert ON public.violation_outcomes
            WITH CHECK (recorded_by = auth.uid() AND EXISTS (SELECT FROM public.violations v
              WHERE v.id = violation_id AND v.segment_id = public.checkpost_my_segment()));
          DROP FUNCTION public.checkpost_my_posts();
          DROP FUNCTION public.checkpost_my_segments();

          """) : JudgedDatabase.make()
    try await database.with { connection throws in
      if isRenewed {
        try Migration.up(connection)
        // The stories' time may be ahead of the database's.
        try connection.run(script: "UPDATE checkpost.settings SET ahead = 3000000000")
      }
      // BNP-C behind BNP-B, on a segment that comes first by name.
      try connection.run(
        script: """
          INSERT INTO auth.users (id) VALUES ('0d000000-0000-4000-8000-00000000000d');
          INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            VALUES ('0b000000-0000-4000-8000-000000000002', '0a000000-0000-4000-8000-000000000001', 'Alpha',
              12, 50, 20);
          UPDATE public.checkposts SET segment_id = '0b000000-0000-4000-8000-000000000002', position_index = 0
            WHERE code = 'BNP-B';
          INSERT INTO checkpost.further_ends VALUES
            ('0b000000-0000-4000-8000-000000000001', 1, '0c000000-0000-4000-8000-00000000000b');
          INSERT INTO public.checkposts (id, segment_id, name, code, position_index) VALUES
            ('0c000000-0000-4000-8000-00000000000d', '0b000000-0000-4000-8000-000000000002', 'Far', 'BNP-C', 1);
          INSERT INTO public.user_profiles (id, full_name, role, assigned_checkpost_id) VALUES
            ('0d000000-0000-4000-8000-00000000000d', 'Gopal', 'ranger', '0c000000-0000-4000-8000-00000000000d');
          """)
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(600, "BNP-B", client: 2).insert(connection)
      try PlainRow(900, "BNP-C", client: 3).insert(connection)
      #expect(try connection.number("SELECT count(*) FROM public.violations") == 2)
      func seen(_ user: String) throws -> [String?] {
        try connection.run(
          script: "SELECT set_config('request.jwt.claim.sub', '\(user)', false);"
            + " SET ROLE authenticated")
        defer { try? connection.run(script: "RESET ROLE") }
        return try connection.texts(
          """
          SELECT c.code FROM public.vehicle_passages v JOIN public.checkposts c ON c.id = v.checkpost_id
          UNION ALL SELECT h.name FROM public.violations f JOIN public.highway_segments h ON h.id = f.segment_id
          ORDER BY 1
          """)
      }
      let far = "0d000000-0000-4000-8000-00000000000d"
      #expect(try seen(PlainRow.sita) == ["BNP-A", "BNP-B", "Banepa"])
      #expect(try seen(PlainRow.ram) == ["Alpha", "BNP-A", "BNP-B", "BNP-C", "Banepa"])
      #expect(try seen(far) == ["Alpha", "BNP-B", "BNP-C"])
      try Migration.down(connection)
      #expect(try seen(PlainRow.sita).contains("BNP-A"), "the tables answer without the schema")
    }
  }

  @Test func otherIsolationIsRefused() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      for isolation in [PostgreSQLConnection.Isolation.repeatableRead, .serializable] {
        let refusal = failure { () throws(PostgreSQLError) in
          try connection.transaction(isolation: isolation) { connection throws(PostgreSQLError) in
            try PlainRow(0, client: 1).insert(connection)
          }
        }
        #expect(refusal?.state == .notSupported)
      }
      #expect(try connection.number("SELECT count(*) FROM checkpost.records") == 0)
    }
  }

  /// What the table's own constraints refuse is refused by them.
  @Test func constraintsAnswerAsBefore() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      var row = PlainRow(0, client: 1)
      func refusal() -> SQLState? {
        failure { () throws(PostgreSQLError) in try row.insert(connection) }?.state
      }
      row.type = "jeep_suv"
      #expect(refusal() == .checkViolation)
      row.type = "car"
      row.ranger = PlainRow.uuid(77)
      #expect(refusal() == .foreignKeyViolation)
      #expect(try connection.number("SELECT count(*) FROM checkpost.records") == 0)
    }
  }
}

/// Lets two threads go on at the same moment.
private final class Turn: Sendable {
  private let arrived = Atomic(0)

  func arrive(_ count: Int) {
    arrived.add(count, ordering: .sequentiallyConsistent)
  }

  func wait(for count: Int) {
    while arrived.load(ordering: .sequentiallyConsistent) < count { sched_yield() }
  }
}
