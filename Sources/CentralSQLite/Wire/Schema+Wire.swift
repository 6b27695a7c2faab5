import GRDB
import Passages
import RestAPI

extension Schema {
  /// What others call the things of the directory, and what only they write: what came of violations, and how
  /// far devices are.
  static func addWire(_ database: Database) throws {
    try database.execute(sql: wireTables)
    for (kind, sql) in WireName.all {
      for name in try String.fetchAll(database, sql: sql) {
        try WireName.keep(kind, name, database)
      }
    }
    try database.execute(sql: standingEnds + limits + earlierPlaces)
    try renewWireViews(database)
  }

  /// Makes the views as they are now, in a file that has others.
  static func renewWireViews(_ database: Database) throws {
    try dropWireViews(database)
    // A file on its way to the twenty-sixth version has none of the columns that the views tell by then.
    guard try database.columns(in: "segments").contains(where: { $0.name == "park" }) else {
      return
    }
    try database.execute(sql: standingEnds + earlierPlaces + wireViews)
  }

  /// A number that another program made infinite is none that JSON has.
  private static func finite(_ column: String) -> String {
    "nullif(nullif(\(column), 9e999), -9e999)"
  }

  static func dropWireViews(_ database: Database) throws {
    for table in Catalogue.tables {
      try database.execute(sql: "DROP VIEW IF EXISTS api_\(table.name)")
    }
    try database.execute(sql: "DROP VIEW IF EXISTS api_vehicle_passages_by_identity")
  }

  /// What the views ask of a file of before the seventeenth version, in which a post stands at one end alone: SQLite
  /// looks through all views when it renames something, and finds what they name missing.
  private static let standingEnds = """
    CREATE VIEW IF NOT EXISTS segment_ends AS
      SELECT segment, position_index, code AS post FROM posts WHERE segment IS NOT NULL;
    -- When somebody was told of a violation, as those say who told it.
    CREATE TABLE IF NOT EXISTS violation_deliveries (
      violation TEXT PRIMARY KEY NOT NULL,
      at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- Parks to which people are assigned, by the names of their profiles.
    CREATE TABLE IF NOT EXISTS profile_parks (
      profile TEXT PRIMARY KEY NOT NULL,
      park TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  private static let heldMetres = "coalesce(h.distance_m, s.distance_m)"
  private static let heldLimit = """
    iif(v.kind = 'speeding', coalesce(h.max_speed_mh, s.max_speed_mh), coalesce(h.min_speed_mh, s.min_speed_mh))
    """

  private static let wireTables = """
    -- The UUIDs by which others know segments, posts and people. They never change.
    CREATE TABLE wire_names (
      kind TEXT NOT NULL CHECK (kind IN ('park', 'segment', 'post', 'profile')),
      name TEXT NOT NULL,
      uuid TEXT NOT NULL UNIQUE,
      since_ms INTEGER NOT NULL DEFAULT (CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)),
      PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER wire_names_frozen BEFORE UPDATE ON wire_names
    BEGIN SELECT RAISE(ABORT, 'a name by which others know something is not changed'); END;

    CREATE TABLE violation_outcomes (
      id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 36),
      violation_id TEXT NOT NULL UNIQUE,
      outcome_type TEXT NOT NULL
        CHECK (outcome_type IN ('warned', 'fined', 'let_go', 'not_found', 'other')),
      fine_amount REAL CHECK (fine_amount >= 0),
      notes TEXT,
      recorded_by TEXT NOT NULL,
      recorded_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sync_metadata (
      id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 36),
      user_id TEXT NOT NULL,
      device_id TEXT NOT NULL,
      last_sync_at INTEGER,
      last_pull_at INTEGER,
      pending_count INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (user_id, device_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX passages_segment ON passages (segment, recorded_at_ms);
    """

  /// That something is there that is joined, said so that SQLite does not know it for that: it would begin with what is
  /// joined then, and sort millions of rows that an index has in their order.
  private static func isNamed(_ joined: String) -> String { "ifnull(\(joined).uuid, '') <> ''" }

  /// What others call the kinds of vehicles.
  private static func type(_ column: String) -> String {
    """
    CASE \(column) WHEN 'jeep_suv' THEN 'jeep' WHEN 'auto_rickshaw' THEN 'other'
      WHEN 'tractor' THEN 'other' ELSE \(column) END
    """
  }

  /// A quotient with two digits behind the point, rounded as PostgreSQL rounds a `numeric`.
  private static func hundredths(_ above: String, _ below: String) -> String {
    "(2 * \(above) + \(below)) / (2 * \(below)) / 100.0"
  }

  /// Seconds after the slowest travel from which on a vehicle is overdue: one for the clock of each post.
  private static let tolerance = 2

  /// The person who wrote a passage down: the one whom it names, or whom its text means, as
  /// `RangerAssignment` decides where nobody knows who sent it.
  private static func ranger(_ named: String, at post: String) -> String {
    """
    CASE WHEN \(named) GLOB '????????-????-????-????-????????????' THEN \(named)
      WHEN \(named) IS NOT NULL THEN
        (SELECT iif(count(*) = 1, max(coalesce(a.id, w.uuid)), NULL) FROM rangers r
          JOIN wire_names w ON w.kind = 'profile' AND w.name = r.phone
          LEFT JOIN accounts a ON a.phone = r.phone
          WHERE r.checkpost = \(post) AND r.suffix = p.ranger_phone_suffix AND r.name = \(named))
      WHEN p.ranger_phone_suffix = '\(PhoneSuffix.unknown.digits)' THEN NULL
      ELSE (SELECT CASE count(DISTINCT iif(was, phone, NULL)) WHEN 1 THEN max(iif(was, person, NULL))
          WHEN 0 THEN CASE WHEN count(DISTINCT phone) = 1 THEN max(person)
            WHEN min(coalesce(since_ms > \(moment), 0))
                AND count(DISTINCT iif(since_ms = first_ms, phone, NULL)) = 1
              THEN max(iif(since_ms = first_ms, person, NULL)) END END
        FROM (SELECT a.phone, coalesce(k.id, w.uuid) AS person, a.since_ms,
            min(a.since_ms) OVER () AS first_ms,
            coalesce(a.since_ms <= \(moment), 1) AND coalesce(\(moment) < a.until_ms, 1) AS was
          FROM ranger_assignments a JOIN wire_names w ON w.kind = 'profile' AND w.name = a.phone
            LEFT JOIN accounts k ON k.phone = a.phone
          WHERE a.checkpost = \(post) AND a.suffix = p.ranger_phone_suffix)) END
    """
  }

  /// When a passage was, as far as anybody knows.
  private static let moment = "iif(p.is_dated, p.recorded_at_ms, p.first_received_at_ms)"

  /// What the report says that came under an identity; an upload before a text.
  private static func told(_ column: String) -> String {
    """
    coalesce((SELECT o.\(column) FROM observations o
      WHERE o.record = r.number AND o.client_id = i.client_id
      ORDER BY o.channel = 'upload' DESC, o.n LIMIT 1),
      (SELECT o.\(column) FROM observations o WHERE o.record = r.number ORDER BY o.n LIMIT 1))
    """
  }

  /// What the last correction of a record says that changes that.
  private static func right(_ column: String) -> String {
    """
    (SELECT c.\(column) FROM corrections c
      WHERE r.corrections > 0 AND c.record = r.number AND c.\(column) IS NOT NULL
      ORDER BY c.made_at_ms DESC, c.client_id DESC, c.n DESC LIMIT 1)
    """
  }

  /// The park of what was put in without one.
  private static let firstPark = """
    (SELECT k.uuid FROM parks k ORDER BY k.is_active DESC, k.created_at_ms, k.uuid LIMIT 1)
    """

  /// The park of a person: the one to which they are assigned, that of the segment of the post, or the only one.
  private static func park(of person: String, _ profile: String) -> String {
    """
    coalesce((SELECT f.park FROM profile_parks f WHERE f.profile = \(profile)),
      (SELECT coalesce(g.park, \(firstPark)) FROM posts o JOIN segments g ON g.name = o.segment
      WHERE o.code = \(person).checkpost), (SELECT min(k.uuid) FROM parks k HAVING count(*) = 1))
    """
  }

  /// Tables as others know them. Moments are milliseconds since 1970, truth values 0 and 1.
  static let wireViews = """
    CREATE VIEW api_parks AS SELECT uuid AS id, name, code, is_active, created_at_ms AS created_at,
      updated_at_ms AS updated_at FROM parks;

    CREATE VIEW api_highway_segments AS SELECT w.uuid AS id, coalesce(s.park, \(firstPark)) AS park_id, s.name,
      s.distance_m / 1000.0 AS distance_km, s.max_speed_mh / 1000.0 AS max_speed_kmh,
      s.min_speed_mh / 1000.0 AS min_speed_kmh,
      \(hundredths("s.distance_m * 6000", "s.max_speed_mh")) AS min_travel_time_minutes,
      \(hundredths("s.distance_m * 6000", "s.min_speed_mh")) AS max_travel_time_minutes,
      s.is_active, w.since_ms AS created_at, coalesce(s.updated_at_ms, w.since_ms) AS updated_at,
      (SELECT coalesce(json_group_array(t.uuid), '[]') FROM (SELECT c.uuid FROM segment_ends e
        JOIN wire_names c ON c.kind = 'post' AND c.name = e.post
        WHERE e.segment = s.name ORDER BY e.position_index) AS t) AS checkpost_ids
      FROM segments s JOIN wire_names w ON w.kind = 'segment' AND w.name = s.name;

    CREATE VIEW api_checkposts AS SELECT w.uuid AS id, s.uuid AS segment_id, p.name, p.code,
      p.position_index, \(finite("p.latitude")) AS latitude, \(finite("p.longitude")) AS longitude, p.is_active,
      w.since_ms AS created_at,
      (SELECT coalesce(json_group_array(t.uuid), '[]') FROM (SELECT g.uuid FROM segment_ends e
        JOIN wire_names g ON g.kind = 'segment' AND g.name = e.segment
        WHERE e.post = p.code ORDER BY e.segment) AS t) AS segment_ids
      FROM posts p JOIN wire_names w ON w.kind = 'post' AND w.name = p.code
        LEFT JOIN wire_names s ON s.kind = 'segment' AND s.name = p.segment;

    -- Who has an account, and who is known by the directory alone.
    CREATE VIEW api_user_profiles AS SELECT a.id, a.full_name,
      iif(a.role = 'ranger', 'ranger', 'admin') AS role, a.phone AS phone_number,
      c.uuid AS assigned_checkpost_id, \(park(of: "a", "a.id")) AS assigned_park_id, a.active AS is_active,
      a.created_at_ms AS created_at, a.updated_at_ms AS updated_at
      FROM accounts a LEFT JOIN wire_names c ON c.kind = 'post' AND c.name = a.checkpost
    UNION ALL SELECT w.uuid AS id, r.name AS full_name, 'ranger' AS role,
      r.phone AS phone_number, c.uuid AS assigned_checkpost_id, \(park(of: "r", "w.uuid")) AS assigned_park_id,
      r.is_active, w.since_ms AS created_at, coalesce(r.updated_at_ms, w.since_ms) AS updated_at
      FROM rangers r JOIN wire_names w ON w.kind = 'profile' AND w.name = r.phone
        LEFT JOIN wire_names c ON c.kind = 'post' AND c.name = r.checkpost
      WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE phone = r.phone);

    CREATE VIEW api_vehicle_passages AS SELECT p.uuid AS id, p.client_id, p.plate_number,
      p.plate_number_raw, \(type("p.vehicle_type")) AS vehicle_type, c.uuid AS checkpost_id,
      s.uuid AS segment_id, p.recorded_at_ms AS recorded_at,
      p.first_received_at_ms AS server_received_at,
      \(ranger("p.ranger", at: "p.checkpost")) AS ranger_id, p.photo_path, p.source,
      (SELECT m.uuid FROM passages m WHERE m.id = p.partner) AS matched_passage_id, p.is_entry,
      p.inserted_at_ms AS created_at
      FROM passages p LEFT JOIN wire_names c ON c.kind = 'post' AND c.name = p.checkpost
        LEFT JOIN wire_names s ON s.kind = 'segment' AND s.name = p.segment
      WHERE \(isNamed("c")) AND \(isNamed("s"));

    -- A passage under each of its identities, as it came under that one.
    CREATE VIEW api_vehicle_passages_by_identity AS SELECT p.uuid AS id, i.client_id,
      r.plate AS plate_number,
      coalesce(\(right("plate_raw")),
        iif(r.plate = r.received_plate, \(told("plate_raw")), p.plate_number_raw))
        AS plate_number_raw, \(type("p.vehicle_type")) AS vehicle_type, c.uuid AS checkpost_id,
      s.uuid AS segment_id,
      coalesce(\(right("recorded_at_ms")),
        iif(r.second = r.received_second, \(told("recorded_at_ms")), r.second * 1000)) AS recorded_at,
      p.first_received_at_ms AS server_received_at,
      \(ranger("coalesce(\(told("ranger")), p.ranger)", at: "r.post")) AS ranger_id, p.photo_path, p.source,
      m.uuid AS matched_passage_id, p.is_entry, p.inserted_at_ms AS created_at
      FROM identities i JOIN records r ON r.number = i.record JOIN passages p ON p.id = r.passage
        JOIN wire_names c ON c.kind = 'post' AND c.name = r.post
        JOIN wire_names s ON s.kind = 'segment' AND s.name = p.segment
        LEFT JOIN passages m ON m.id = p.partner;

    CREATE VIEW api_violations AS SELECT v.uuid AS id, e.uuid AS entry_passage_id,
      x.uuid AS exit_passage_id, w.uuid AS segment_id, v.kind AS violation_type,
      v.plate AS plate_number, \(type("e.vehicle_type")) AS vehicle_type,
      e.recorded_at_ms AS entry_time, x.recorded_at_ms AS exit_time,
      \(hundredths("v.seconds * 100", "60")) AS travel_time_minutes,
      \(hundredths("\(heldMetres) * 6000", heldLimit))
        AS threshold_minutes,
      min(9999.99, \(hundredths("\(heldMetres) * 360", "max(v.seconds, 1)"))) AS calculated_speed_kmh,
      \(heldLimit) / 1000.0 AS speed_limit_kmh,
      \(heldMetres) / 1000.0 AS distance_km,
      (SELECT d.at_ms FROM violation_deliveries d WHERE d.violation = v.uuid) AS alert_delivered_at, v.since_ms AS created_at,
      v.is_retracted, v.finality,
      iif(v.doubts = '', '[]', '["' || replace(v.doubts, ' ', '","') || '"]') AS doubts
      FROM violations v JOIN passages e ON e.id = v.entry JOIN passages x ON x.id = v.exit
        JOIN segments s ON s.name = v.segment
        -- By what held when the vehicle came.
        LEFT JOIN earlier_limits h ON h.segment = v.segment AND h.until_s = (
          SELECT min(l.until_s) FROM earlier_limits l WHERE l.segment = v.segment AND l.until_s > v.entry_earliest)
        JOIN wire_names w ON w.kind = 'segment' AND w.name = v.segment
      WHERE NOT v.is_retracted
        OR EXISTS (SELECT 1 FROM violation_outcomes WHERE violation_id = v.uuid);

    CREATE VIEW api_violation_outcomes AS SELECT id, violation_id, outcome_type,
      \(finite("fine_amount")) AS fine_amount, notes, recorded_by, recorded_at FROM violation_outcomes;

    CREATE VIEW api_proactive_overstay_alerts AS SELECT a.uuid AS id, e.uuid AS entry_passage_id,
      w.uuid AS segment_id, a.plate AS plate_number, \(type("e.vehicle_type")) AS vehicle_type,
      e.recorded_at_ms AS entry_time, (a.due_at - \(tolerance)) * 1000 AS expected_exit_by,
      a.ending IS NOT NULL AS resolved, a.ended_at_ms AS resolved_at,
      x.uuid AS resolved_by_passage_id, a.raised_at_ms AS created_at
      FROM alerts a LEFT JOIN passages e ON e.id = a.entry
        LEFT JOIN wire_names w ON w.kind = 'segment' AND w.name = coalesce(
          (SELECT min(i.segment) FROM held_ends i JOIN held_ends o ON o.segment = i.segment
            WHERE i.post = a.post AND o.post = a.opposite AND \(isHeld("i", at: "a.second"))
              AND \(isHeld("o", at: "a.due_at"))), e.segment)
        LEFT JOIN passages x ON x.id = a.exit
      WHERE \(isNamed("e")) AND \(isNamed("w"));

    CREATE VIEW api_sync_metadata AS SELECT * FROM sync_metadata;
    """
}

/// The UUIDs by which others know things of the directory. What nobody gave one has the one that follows
/// from its name, the same in every store.
enum WireName {
  enum Kind: String {
    case park, segment, post, profile
  }

  static let all: [(Kind, String)] = [
    (.park, "SELECT 'Park'"), (.segment, "SELECT name FROM segments"),
    (.post, "SELECT code FROM posts"), (.profile, "SELECT phone FROM rangers"),
  ]

  static func keep(_ kind: Kind, _ name: String, _ database: Database) throws {
    // A person's name is the number, of which the digits count.
    let named = kind == .profile ? String(name.filter { ("0"..."9").contains($0) }) : name
    let uuid = ClientID.derived(kind: kind.rawValue, name: named)
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO wire_names (kind, name, uuid) VALUES (?, ?, ?)"
    ).execute(arguments: [kind.rawValue, name, uuid.description])
  }

  /// What has that UUID; nil when nothing of the kind has it.
  static func name(_ kind: Kind, of uuid: String, _ database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT name FROM wire_names WHERE uuid = ? AND kind = ?"),
      arguments: [uuid, kind.rawValue])
  }
}
