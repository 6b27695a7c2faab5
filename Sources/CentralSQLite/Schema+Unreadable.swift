import GRDB

extension Schema {
  /// What cannot be read is found by an index, plates are kept beside what was read of them, passages of posts whose
  /// segment has one end so far are told with it, and marks of posts by the way on which they came.
  static func addUnreadable(_ database: Database) throws {
    try addPlates(database)
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
