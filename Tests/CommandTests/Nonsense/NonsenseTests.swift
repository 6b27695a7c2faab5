import EventLoop
import Foundation
import GRDB
import PostgreSQL
import TestSupport
import Testing

/// Whatever another program writes into the database, no value of it ends the service or a command: what cannot be read
/// is listed as it stands, counted, and not judged.
@Suite(.timeLimit(.minutes(15))) struct NonsenseTests {
  /// Every command that looks at what is there; of each it is enough that it comes to its end.
  private static let commands = [
    ["passages"], ["passages", "--json"], ["passages", "--csv"], ["passages", "--plate", "1234"],
    ["passages", "--unpaired", "--json"], ["passages", "--unreadable"],
    ["passages", "--unreadable", "--json"], ["inbox", "list", "--json"], ["rangers"],
    ["rangers", "--history", "--json"], ["numbers"], ["violations"],
    ["violations", "list", "--json"], ["alerts"], ["alerts", "--json"], ["match"],
    ["match", "--json"], ["export", "passages"], ["export", "violations"], ["export", "inbox"],
    ["users", "list", "--json"], ["users", "audit"],
    ["keys", "list"],
  ]

  private func check(_ config: String, _ files: ProgramFiles) throws {
    for command in Self.commands {
      let outcome = try Program.run(["central"] + command + ["--config", config])
      #expect(outcome.status == 0, "\(command): \(outcome.errors.prefix(2_000))")
    }
    let listed = try Program.run(["central", "violations", "list", "--json", "--config", config])
    for violation in try listed.objects().prefix(10) {
      let name = violation["violation"] as? String ?? ""
      for form in [[], ["--json"], ["--html"]] {
        let shown = try Program.run(
          ["central", "violations", "show", name, "--config", config] + form)
        // Some of what is listed is gone by its own name.
        #expect([0, 65].contains(shown.status), "\(name) \(form): \(shown.errors.prefix(2_000))")
      }
    }
    // The service starts, takes what comes, and ends when it is told to.
    let service = try ServiceProcess(config)
    try service.read(until: "\"service_started\"")
    let text =
      #"{"provider":"twilio","provider_id":"late","from":"+9779841114567","#
      + #""body":"V1|BNP-A|BA1PA7777|CAR|1767225600|4567","received_at":"2026-01-01T00:00:05Z"}"#
    let inbox = try files.write("late.jsonl", text + "\n")
    let taken = try Program.run(["central", "replay", "--from", inbox, "--config", config])
    #expect(taken.status == 0, "\(taken.errors.prefix(2_000))")
    for form in [[], ["--json"]] {
      let status = try Program.run(["status", "--config", config] + form)
      #expect([0, 1].contains(status.status), "\(status.errors.prefix(2_000))")
      #expect(status.output.contains("rows_unreadable") || form.isEmpty)
    }
    // Something may be amiss, and is told.
    let doctor = try Program.run(["doctor", "--config", config])
    #expect((0..<128).contains(doctor.status), "\(doctor.errors.prefix(2_000))")
    service.end()
    let again = try ServiceProcess(config)
    try again.read(until: "\"service_started\"")
    again.end()
  }

  private func settings(_ files: ProgramFiles, _ store: String) throws -> String {
    try files.write(
      "nonsense.yaml",
      """
      roles: {central: true}
      central:
        \(store)
        http: {port: 0}
        ingress: {mode: open}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("nonsense.sock"))}
      """)
  }

  @Test(.enabled(if: PostgreSQLServer.binaries != nil, Comment(rawValue: PostgreSQLServer.missing)))
  func inPostgreSQL() async throws {
    let files = try ProgramFiles()
    let server = try await PostgreSQLServer.shared()
    let database = try await server.makeDatabase()
    let config = try settings(
      files,
      "store: postgresql\n  postgresql: {connection: \"host=\(server.directory) port=\(server.port)"
        + " dbname=\(database) user=\(server.owner)\"}")
    func migrate(_ more: String...) throws {
      let outcome = try Program.run(["central", "migrate", "--config", config] + more)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    func write(_ script: String) throws {
      let settings = PostgreSQLSettings(
        servers: [.init(host: server.directory, port: server.port)], database: database,
        user: server.owner)
      let connection = try PostgreSQLConnection(settings, clocks: SystemClocks())
      defer { connection.close() }
      try connection.run(script: script)
    }
    // The deployed tables alone, with nonsense that was there before; then the schema, and nonsense that comes then.
    try migrate()
    try migrate("--down", "--yes")
    try write(Self.furniture + Self.nonsense)
    try migrate()
    try write(Self.nonsense + Self.newcomers)
    try check(config, files)
    let unreadable = try Program.run(
      ["central", "passages", "--unreadable", "--json", "--config", config]
    ).objects()
    #expect(unreadable.contains { ($0["recorded_at"] as? String)?.hasPrefix("10000-") == true })
    #expect(unreadable.contains { $0["recorded_at"] as? String == "infinity" })
    #expect(unreadable.contains { $0["plate_number"] as? String == "?" })
    // Judging goes on for everybody else.
    try write(Self.pair)
    let found = try Program.run(["central", "violations", "list", "--json", "--config", config])
    #expect(try found.objects().contains { $0["plate_number"] as? String == "BA9PA9999" })
  }

  @Test func inSQLite() throws {
    let files = try ProgramFiles()
    let path = files.path("central.db")
    let config = try settings(files, "database: \(path)")
    func run(_ arguments: String...) throws {
      let outcome = try Program.run(["central"] + arguments + ["--config", config])
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    try run("init")
    try run(
      "import", "--segments",
      try files.write(
        "segments.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nBanke,45,10,40\n"),
      "--posts",
      try files.write(
        "posts.csv",
        "code,name,segment,position_index\nBNP-A,East,Banke,0\nBNP-B,West,Banke,1\n"),
      "--rangers",
      try files.write("rangers.csv", "name,phone,checkpost\nSita,+9779841114567,BNP-A\n"))
    var lines = ""
    for vehicle in 0..<60 {
      for (post, second) in [("BNP-A", 1_767_000_000), ("BNP-B", 1_767_000_900)] {
        lines +=
          #"{"provider":"twilio","provider_id":"\#(post)\#(vehicle)","from":"+9779841114567","#
          + #""body":"V1|\#(post)|BA1PA\#(1_000 + vehicle)|CAR|\#(second)|4567","#
          + #""received_at":"2025-12-29T10:00:00Z"}"# + "\n"
      }
    }
    try run("replay", "--from", try files.write("inbox.jsonl", lines))
    try Self.spoil(path)
    try check(config, files)
  }

  // MARK: - A file

  /// Writes nonsense of each type into each column of each table of a file, as another program could; what its rules
  /// refuse is not written.
  private static func spoil(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      let tables = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
          + " AND name NOT IN ('grdb_migrations', 'judging', 'keeping', 'tally') ORDER BY name")
      // Rows are spoilt in turn, another way round for another seed.
      var turn = ProcessInfo.processInfo.environment["CHECKPOST_TEST_SEED"].flatMap { Int($0) } ?? 1
      var written = 0
      for table in tables {
        let columns = try database.columns(in: table)
        let unique = Set(
          try database.indexes(on: table).filter(\.isUnique).flatMap(\.columns)
            + database.primaryKey(table).columns)
        for column in columns {
          for value in column.type.uppercased() == "TEXT" ? texts : numbers {
            turn += 7_919
            written += try spoil(table, columns, unique, column.name, by: value, turn, database)
          }
        }
      }
      #expect(written > 500)
    }
    try queue.close()
  }

  /// A copy of a row that is right but for one column, and a row of which that is changed; where there is no row, or a
  /// rule refuses it, there is none.
  private static func spoil(
    _ table: String, _ columns: [ColumnInfo], _ unique: Set<String>, _ column: String,
    by value: String, _ turn: Int, _ database: Database
  ) throws -> Int {
    let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0
    guard count > 0 else { return 0 }
    let values = columns.map { other in
      if other.name == column { return value }
      guard unique.contains(other.name) else { return "\"\(other.name)\"" }
      return other.type.uppercased() == "TEXT" && other.name != "code"
        ? "printf('%08x-0000-4000-8000-000000000001', \(turn))" : "\(1_000_000 + turn)"
    }
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let key = "\"\(columns[0].name)\""
    var written = 0
    for sql in [
      "INSERT INTO \"\(table)\" (\(names)) SELECT \(values.joined(separator: ", ")) FROM \"\(table)\""
        + " LIMIT 1 OFFSET \(turn % count)",
      "UPDATE \"\(table)\" SET \"\(column)\" = \(value) WHERE \(key) = (SELECT \(key) FROM \"\(table)\""
        + " LIMIT 1 OFFSET \(turn % count))",
    ] {
      do {
        try database.execute(sql: sql)
        written += database.changesCount
      } catch is DatabaseError {}
    }
    return written
  }

  private static let texts = [
    "''", "'?'", "'-'", "'x'", "char(1, 27) || '[2J'", "printf('%.*c', 5000, 'A')", "'=1+1'",
    "'नप'", "char(8238)", "NULL",
  ]
  private static let numbers = [
    "9223372036854775807", "-9223372036854775808", "253402300800000", "253402300800", "-1", "0",
    "2147483648", "NULL",
  ]

  // MARK: - A database

  /// What is right: 120 segments with two posts each, people, pairs of passages with violations, outcomes and alerts.
  private static let furniture = """
    INSERT INTO auth.users (id) SELECT md5('u' || n)::uuid FROM generate_series(1, 120) AS n;
    INSERT INTO public.parks (id, name, code) SELECT md5('k' || n)::uuid, 'park ' || n, 'P' || n
      FROM generate_series(1, 40) AS n;
    INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
      SELECT md5('s' || n)::uuid, md5('k1')::uuid, 'segment ' || n, 45, 40, 10 FROM generate_series(1, 120) AS n;
    INSERT INTO public.checkposts (id, segment_id, name, code, position_index)
      SELECT md5('c' || n || p)::uuid, md5('s' || n)::uuid, 'post', CASE WHEN n = 120 THEN 'BNP-' ELSE 'N' || n END
        || chr(65 + p), p FROM generate_series(1, 120) AS n, generate_series(0, 1) AS p;
    INSERT INTO public.user_profiles (id, full_name, role, phone_number, assigned_checkpost_id)
      SELECT md5('u' || n)::uuid, 'ranger ' || n, 'ranger', '+97798411' || 10000 + n, md5('c' || n || 0)::uuid
      FROM generate_series(1, 120) AS n;
    INSERT INTO public.vehicle_passages (id, client_id, plate_number, vehicle_type, checkpost_id, segment_id,
        recorded_at, ranger_id, server_received_at)
      SELECT md5('p' || n)::uuid, md5('i' || n)::uuid, 'BA1PA' || 1000 + n / 2, 'car',
        md5('c120' || n % 2)::uuid, md5('s120')::uuid, to_timestamp(1767000000 + n % 2 * 900), md5('u120')::uuid,
        to_timestamp(1767001000)
      FROM generate_series(2, 261) AS n;
    INSERT INTO public.violations (id, entry_passage_id, exit_passage_id, segment_id, violation_type, plate_number,
        vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes, calculated_speed_kmh,
        speed_limit_kmh, distance_km)
      SELECT md5('v' || n)::uuid, md5('p' || 2 * n)::uuid, md5('p' || 2 * n + 1)::uuid, md5('s120')::uuid, 'speeding',
        'BA1PA' || 1000 + n, 'car', to_timestamp(1767000000), to_timestamp(1767000900), 15, 67.5, 180, 40, 45
      FROM generate_series(1, 130) AS n;
    INSERT INTO public.violation_outcomes (violation_id, outcome_type, recorded_by)
      SELECT md5('v' || n)::uuid, 'warned', md5('u120')::uuid FROM generate_series(1, 130) AS n;
    INSERT INTO public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
        expected_exit_by)
      SELECT md5('p' || 2 * n)::uuid, md5('s120')::uuid, 'BA1PA' || 1000 + n, 'car', to_timestamp(1767000000),
        to_timestamp(1767016200) FROM generate_series(1, 130) AS n;
    INSERT INTO public.sync_metadata (user_id, device_id, last_sync_at)
      SELECT md5('u' || n)::uuid, 'device', to_timestamp(1767000000) FROM generate_series(1, 120) AS n;

    """

  /// Nonsense of each type in each column that another program can write, each in a row of its own as far as there are
  /// enough; what a rule refuses is not written.
  private static let nonsense = #"""
    DO $$
    DECLARE
      c record;
      v text;
      n integer := 0;
      count integer;
    BEGIN
      FOR c IN
        SELECT format('%I.%I', k.table_schema, k.table_name) AS tab, k.column_name AS col, k.data_type AS kind
        FROM information_schema.columns k JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE t.table_type = 'BASE TABLE' AND k.is_generated = 'NEVER'
          AND (k.table_schema = 'public' OR k.table_schema = 'checkpost' AND EXISTS (
            SELECT FROM information_schema.column_privileges p
            WHERE (p.table_schema, p.table_name, p.column_name) = (k.table_schema, k.table_name, k.column_name)
              AND p.grantee = 'service_role' AND p.privilege_type IN ('INSERT', 'UPDATE')))
        ORDER BY 1, 2
      LOOP
        EXECUTE format('SELECT count(*) FROM %s', c.tab) INTO count;
        CONTINUE WHEN count = 0;
        FOREACH v IN ARRAY CASE
          WHEN c.kind LIKE 'timestamp%' THEN ARRAY['infinity', '-infinity', '10000-01-01', '294276-12-31',
            '4713-01-01 BC', '0001-01-01', '1969-12-31', '1970-01-02', '2010-01-01', '2099-01-01', NULL]
          WHEN c.kind = 'numeric' THEN ARRAY['NaN', '0', '-1', '0.01', '9999.99', '999.99', NULL]
          WHEN c.kind IN ('integer', 'smallint', 'bigint')
            THEN ARRAY['0', '-1', '2147483647', '-2147483648', '32767', '9223372036854775807',
              '-9223372036854775808', NULL]
          WHEN c.kind = 'boolean' THEN ARRAY['true', 'false', NULL]
          WHEN c.kind = 'uuid' THEN ARRAY['00000000-0000-0000-0000-000000000000', md5('p9'), md5('s3'), NULL]
          WHEN c.kind = 'ARRAY' THEN ARRAY['{}', '{nonsense}', '{NULL}']
          ELSE ARRAY['', '?', '-', 'X', E'\x01\x1b[2J', repeat('A', 5000), '=1+1', 'नप', chr(8238), 'nonsense', NULL]
          END
        LOOP
          n := n + 1;
          BEGIN
            EXECUTE format('UPDATE %s SET %I = %L WHERE ctid = (SELECT ctid FROM %s ORDER BY ctid OFFSET %s LIMIT 1)',
              c.tab, c.col, v, c.tab, n % count);
          EXCEPTION WHEN others THEN NULL;
          END;
        END LOOP;
      END LOOP;
    END $$;

    """#

  /// New rows with nonsense, as a ranger's program could hand them in.
  private static let newcomers = #"""
    DO $$
    DECLARE
      v text;
      n integer := 0;
    BEGIN
      FOREACH v IN ARRAY ARRAY['infinity', '10000-01-01', '2300-01-01', '-infinity', '1969-01-01', '1970-01-05',
        '2026-01-01'] LOOP
        n := n + 1;
        BEGIN
          INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id,
              recorded_at, ranger_id, server_received_at, created_at)
            VALUES (md5('n' || n)::uuid, 'BA2PA' || 1000 + n, 'car', md5('c1200')::uuid, md5('s120')::uuid,
              v::timestamptz, md5('u120')::uuid, v::timestamptz, v::timestamptz);
        EXCEPTION WHEN others THEN NULL;
        END;
      END LOOP;
      FOREACH v IN ARRAY ARRAY['', '?', '-', 'X', E'\x01\x1b', repeat('A', 100000), 'BA 3 PA 1111'] LOOP
        n := n + 1;
        BEGIN
          INSERT INTO public.vehicle_passages (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id,
              segment_id, recorded_at, ranger_id)
            VALUES (md5('n' || n)::uuid, v, v, 'car', md5('c1200')::uuid, md5('s120')::uuid, to_timestamp(1767000000),
              md5('u120')::uuid);
        EXCEPTION WHEN others THEN NULL;
        END;
      END LOOP;
    END $$;

    """#

  /// One that is right, at a segment of which nobody spoilt anything.
  private static let pair = """
    INSERT INTO public.parks (id, name, code) VALUES (md5('k0')::uuid, 'new', 'NEW');
    INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
      VALUES (md5('s0')::uuid, md5('k0')::uuid, 'new', 45, 40, 10);
    INSERT INTO public.checkposts (id, segment_id, name, code, position_index)
      SELECT md5('c0' || p)::uuid, md5('s0')::uuid, 'post', 'NEW' || p, p FROM generate_series(0, 1) AS p;
    INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id, recorded_at,
        ranger_id)
      SELECT gen_random_uuid(), 'BA9PA9999', 'car', md5('c0' || p)::uuid, md5('s0')::uuid,
        to_timestamp(1767100000 + 900 * p), (SELECT u.id FROM public.user_profiles u LIMIT 1)
      FROM generate_series(0, 1) AS p;
    """
}
