import GRDB

extension Schema {
  /// What cannot be read is found by an index, plates are kept beside what was read of them, passages of posts whose
  /// segment has one end so far are told with it, and marks of posts by the way on which they came.
  static func addUnreadable(_ database: Database) throws {
    try addPlates(database)
    try boundCounters(database)
    try database.execute(sql: unreadable + marks)
    try renewWireViews(database)
  }

  /// The plate of a report and of a correction, where it is not what was read.
  static func addPlates(_ database: Database) throws {
    for table in ["observations", "corrections", "early_corrections"] {
      try addColumn("plate TEXT", to: table, database)
    }
    try database.execute(
      sql: """
        CREATE TRIGGER IF NOT EXISTS observations_plate_frozen BEFORE UPDATE OF plate ON observations
        BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
        """)
    try makeMarks(database)
  }

  /// What each post said last on each way of what is here.
  private static func makeMarks(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS post_marks (
          post TEXT NOT NULL,
          way TEXT NOT NULL CHECK (way IN ('devices', 'text')),
          through INTEGER NOT NULL,
          received_at_ms INTEGER NOT NULL,
          went_back_at_ms INTEGER,
          PRIMARY KEY (post, way)
        ) STRICT, WITHOUT ROWID;
        """)
  }

  /// The condition on a number after which there are others: one that another program made as large as it can be is
  /// none that one counts on from.
  static func leavesRoom(_ column: String) -> String { "\(column) < \(Int64.max / 2)" }

  /// The highest number that was given away: a column of it, where that leaves room.
  static func given(_ column: String) -> String { "iif(\(leavesRoom(column)), \(column), 0)" }

  /// The number of the next row of a table that numbers its rows by itself and never twice. Where another program took
  /// the last one that there is, nothing could be put in any more: then it is the next behind those that leave room.
  static func freeNumber(of table: String, _ column: String) -> String {
    """
    iif(coalesce((SELECT seq FROM sqlite_sequence WHERE name = '\(table)'), 0) < \(Int64.max / 2), NULL,
      (SELECT coalesce(max(\(column)), 0) + 1 FROM \(table) WHERE \(leavesRoom(column))))
    """
  }

  /// What a counter is when it counts one more, or one less: it stops before there are no numbers any more, so that
  /// whatever another program wrote there, nothing that counts with it is refused.
  static func oneMore(_ column: String, by step: String = "+ 1") -> String {
    "min(max(\(column), \(Int64.min / 2)), \(Int64.max / 2)) \(step)"
  }

  /// The same of the counts of everything, with which every message and every judgement counts.
  static func boundTally(_ database: Database) throws {
    let triggers = try Row.fetchAll(
      database,
      sql:
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%UPDATE tally SET n = n %'"
    )
    for trigger in triggers {
      let (name, sql) = (trigger[0] as String, trigger[1] as String)
      let bounded = sql.replacing("SET n = n ", with: "SET n = \(oneMore("n", by: "")) ")
      try database.execute(sql: "DROP TRIGGER \"\(name)\"; \(bounded)")
    }
  }

  /// Has the counters that triggers keep stop there too.
  private static func boundCounters(_ database: Database) throws {
    let triggers = try Row.fetchAll(
      database,
      sql:
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('passages', 'observations')"
    )
    for trigger in triggers {
      let (name, sql) = (trigger[0] as String, trigger[1] as String)
      var bounded = sql
      for column in ["passages", "recorded"] {
        for step in ["+ 1", "- 1"] {
          bounded = bounded.replacing(
            "\(column) = \(column) \(step)", with: "\(column) = \(oneMore(column, by: step))")
        }
      }
      guard bounded != sql else { continue }
      try database.execute(sql: "DROP TRIGGER \"\(name)\"; \(bounded)")
    }
  }

  /// What is a plate, a post and a moment, as columns have them.
  static func readable(plate: String, post: String, second: String) -> String {
    """
    \(plate) NOT GLOB '*[^0-9A-Z]*' AND length(\(plate)) BETWEEN 2 AND 20
      AND \(post) NOT GLOB '*[^-0-9A-Z]*' AND length(\(post)) BETWEEN 1 AND 10
      AND \(second) BETWEEN 0 AND 9999999999
    """
  }

  /// The condition on a row of passages that cannot be read, as the index has it.
  static let isUnreadable =
    "NOT (\(readable(plate: "plate_number", post: "checkpost", second: "recorded_at_ms / 1000")))"

  private static let unreadable = """
    CREATE INDEX passages_unreadable ON passages (uuid) WHERE \(isUnreadable);
    UPDATE passages SET segment = (SELECT segment FROM posts WHERE code = passages.checkpost)
      WHERE segment IS NOT (SELECT segment FROM posts WHERE code = passages.checkpost);

    """

  private static let marks = """
    INSERT INTO post_marks (post, way, through, received_at_ms)
      SELECT checkpost, 'text', reported_through, max(reported_through, 0) * 1000 FROM heard
      WHERE reported_through IS NOT NULL;

    -- What a device of an account told last: it says nothing of what comes after it came.
    ALTER TABLE sync_metadata ADD COLUMN through INTEGER;
    ALTER TABLE sync_metadata ADD COLUMN received_at INTEGER;
    ALTER TABLE sync_metadata ADD COLUMN went_back_at INTEGER;
    UPDATE sync_metadata SET received_at = updated_at,
      through = max(min(last_sync_at, updated_at), 0) / 1000;

    """
}
