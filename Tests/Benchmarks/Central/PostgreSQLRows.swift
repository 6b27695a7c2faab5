import CentralCore
import CentralPostgreSQL
import EventLoop
import Passages
import PostgreSQL
import Storage
import TestSupport
import Time

/// A PostgreSQL of the benchmark's own that waits for the disk, with central's schema and as many passages in it as
/// ``CentralRows`` has, and a bare table of as many rows beside.
struct PostgreSQLRows {
  let server: PostgreSQLServer
  let database: String

  /// What libpq needs to connect.
  var text: String {
    "host=\(server.directory) port=\(server.port) dbname=\(database) user=\(server.owner)"
  }

  /// Starts it and writes the rows.
  init() async throws {
    server = try await PostgreSQLServer.start(
      isDurable: true,
      settings: [
        "shared_buffers = 1GB", "max_wal_size = 8GB", "maintenance_work_mem = 1GB",
        "checkpoint_timeout = 30min",
      ])
    database = try await server.makeDatabase()
    let connection = try connect(answers: .seconds(3_600))
    defer { connection.close() }
    try Migration.up(connection)
    let store = try PostgreSQLCentralStore(
      try PostgreSQLSettings(text: text), clocks: SystemClocks())
    for refusal in try store.put(try CentralRows.directory()) where refusal != nil {
      throw Failure("the directory of the benchmark is refused")
    }
    try CentralRows.take(
      [CentralRows.arrival(0, "BNP-A", 0), CentralRows.arrival(1, "BNP-B", 2_700)], store)
    try store.close()
    try connection.run(script: PostgreSQLRows.multiply)
    try connection.run(script: PostgreSQLRows.bare)
    try connection.run(script: "VACUUM ANALYZE")
    try connection.run(script: "CHECKPOINT")
  }

  /// A connection of its own.
  func connect(answers: Duration = .seconds(30)) throws -> PostgreSQLConnection {
    var settings = try PostgreSQLSettings(text: text)
    settings.statementTimeout = answers
    settings.answerTimeout = answers + .seconds(10)
    return try PostgreSQLConnection(settings, clocks: SystemClocks())
  }

  // MARK: Rows

  private static let second = "(g.i * 31536000 / \(CentralRows.count / 2))"
  private static let plate =
    "'ZZ1PA' || lpad((1 + g.i * 7919 % \(CentralRows.vehicles))::text, 6, '0')"

  private static func name(_ number: String) -> String {
    "md5('bench' || \(number) + 2 * g.i)::uuid"
  }

  private static func later(_ column: String) -> String {
    "t.\(column) + make_interval(secs => \(second))"
  }

  /// What is other in each row; the rest is as it is in the first travel.
  private static let other: [(table: String, columns: [String: String])] = [
    (
      "checkpost.records",
      [
        "number": "t.number + 2 * g.i", "row_number": "t.row_number + 2 * g.i",
        "received_plate": plate, "plate": plate, "received_second": "t.received_second + \(second)",
        "second": "t.second + \(second)", "passage_id": name("t.number"),
        "client_id": name("t.number"),
      ]
    ),
    ("checkpost.identities", ["client_id": name("t.record"), "record": "t.record + 2 * g.i"]),
    (
      "checkpost.observations",
      [
        "number": "t.number + 2 * g.i", "record": "t.record + 2 * g.i",
        "client_id": name("t.record"), "plate": plate, "raw_plate": plate,
        "recorded_at": later("recorded_at"), "received_at": later("received_at"),
      ]
    ),
    (
      "checkpost.passages",
      [
        "row_number": "t.row_number + 2 * g.i", "members": "ARRAY[t.row_number + 2 * g.i]",
        "plate": plate, "raw_plate": plate, "earliest": "t.earliest + \(second)",
        "latest": "t.latest + \(second)", "recorded_at": later("recorded_at"),
        "first_received_at": later("first_received_at"),
      ]
    ),
    ("checkpost.pairs", ["entry": "t.entry + 2 * g.i", "exit": "t.exit + 2 * g.i"]),
    (
      "public.vehicle_passages",
      [
        "id": name("n.number"), "client_id": name("n.number"), "plate_number": plate,
        "plate_number_raw": plate, "recorded_at": later("recorded_at"),
        "server_received_at": later("server_received_at"),
        "matched_passage_id": name("n.partner"),
      ]
    ),
  ]

  /// Rows are written without triggers and indexes, which are made behind them; one by one it would take hours.
  private static var multiply: String {
    let tables = other.map { "'\($0.table)'" }.joined(separator: ", ")
    let changed = other.map { table, columns in
      columns.map { "('\(table)', '\($0.key)', \(quoted($0.value)))" }.joined(separator: ", ")
    }.joined(separator: ", ")
    return """
      SET session_replication_role = replica;
      SET synchronous_commit = off;
      CREATE TEMP TABLE built AS
        SELECT 1 AS turn, indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS script,
            indrelid::regclass::text AS tab, false AS is_constraint
          FROM pg_index i WHERE indrelid = ANY (ARRAY[\(tables)]::regclass[])
            AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
        UNION ALL SELECT CASE contype WHEN 'f' THEN 3 ELSE 2 END, conname, pg_get_constraintdef(oid),
            conrelid::regclass::text, true
          FROM pg_constraint WHERE contype IN ('p', 'u', 'f')
            AND (conrelid = ANY (ARRAY[\(tables)]::regclass[]) OR confrelid = ANY (ARRAY[\(tables)]::regclass[]));
      CREATE TEMP TABLE other AS SELECT * FROM (VALUES \(changed)) AS o(tab, col, value);
      DO $$
      DECLARE
        each record;
        columns text;
        given text;
        source text;
      BEGIN
        FOR each IN SELECT * FROM built ORDER BY turn DESC LOOP
          IF each.is_constraint THEN
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.tab, each.name);
          ELSE
            EXECUTE format('DROP INDEX %s', each.name);
          END IF;
        END LOOP;
        FOR each IN SELECT DISTINCT tab FROM other LOOP
          SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
              string_agg(coalesce(o.value, 't.' || quote_ident(a.attname)), ', ' ORDER BY a.attnum)
            INTO columns, given
            FROM pg_attribute a LEFT JOIN other o ON o.tab = each.tab AND o.col = a.attname
            WHERE a.attrelid = each.tab::regclass AND a.attnum > 0 AND NOT a.attisdropped
              AND a.attgenerated = '';
          source := CASE each.tab WHEN 'public.vehicle_passages' THEN
            '(SELECT v.*, r.number, b.number AS partner FROM public.vehicle_passages v '
              'JOIN checkpost.records r ON r.passage_id = v.id '
              'JOIN checkpost.records b ON b.passage_id = v.matched_passage_id LIMIT 2)'
            ELSE '(SELECT * FROM ' || each.tab || ' LIMIT 2)' END;
          given := replace(replace(given, 'n.number', 't.number'), 'n.partner', 't.partner');
          EXECUTE format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM '
            'generate_series(1::bigint, \(CentralRows.count / 2 - 1)) AS g(i), %s AS t', each.tab, columns, given, source);
        END LOOP;
        PERFORM setval('checkpost.records_number_seq', (SELECT max(number) FROM checkpost.records));
        PERFORM setval(pg_get_serial_sequence('checkpost.observations', 'number'),
          (SELECT max(number) FROM checkpost.observations));
        FOR each IN SELECT * FROM built ORDER BY turn, is_constraint, script LOOP
          IF each.is_constraint THEN
            EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s%s', each.tab, each.name, each.script,
              CASE WHEN each.turn = 3 AND each.script NOT LIKE '%NOT VALID' THEN ' NOT VALID' ELSE '' END);
          ELSE
            EXECUTE each.script;
          END IF;
        END LOOP;
      END $$;
      RESET session_replication_role;
      RESET synchronous_commit;
      """
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// A table of the columns that a passage has, with the indexes that it needs to be found.
  private static let bare = """
    CREATE TABLE public.bare (
      id uuid NOT NULL DEFAULT gen_random_uuid(), client_id uuid NOT NULL, plate_number text NOT NULL,
      plate_number_raw text NOT NULL, vehicle_type text NOT NULL, checkpost_id uuid NOT NULL, segment_id uuid,
      recorded_at timestamptz NOT NULL, server_received_at timestamptz NOT NULL DEFAULT now(), ranger_id uuid,
      source text NOT NULL
    );
    INSERT INTO public.bare SELECT id, client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id,
      segment_id, recorded_at, server_received_at, ranger_id, source FROM public.vehicle_passages;
    ALTER TABLE public.bare ADD PRIMARY KEY (id), ADD UNIQUE (client_id);
    CREATE INDEX ON public.bare (plate_number, segment_id, recorded_at DESC);
    CREATE INDEX ON public.bare (checkpost_id, recorded_at DESC);
    """

  /// One of its rows, as `pgbench` is told to insert it.
  static let insert = """
    \\set n random(1, 1000000000)
    INSERT INTO public.bare (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, segment_id,
      recorded_at, ranger_id, source) VALUES (gen_random_uuid(), 'ZY1PA' || :n, 'ZY1PA' || :n, 'car',
      '0c000000-0000-4000-8000-00000000000a', '0b000000-0000-4000-8000-000000000001',
      to_timestamp(1792000000 + :n % 1000000), '0d000000-0000-4000-8000-00000000000a', 'app');
    """
}
