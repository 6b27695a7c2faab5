import GRDB

extension Schema {
  /// What is needed to forget: how far it is, what was set aside, and indexes by which all is found that
  /// depends on a record or a message, also by the rules of the tables themselves.
  static func addKeeping(_ database: Database) throws {
    // Files that were moved to judging by this version have it.
    if try !database.columns(in: "records").contains(where: { $0.name == "is_aside" }) {
      try database.execute(sql: aside)
    }
    try database.execute(sql: keeping)
  }

  private static let aside =
    "ALTER TABLE records ADD COLUMN is_aside INTEGER NOT NULL DEFAULT 0 CHECK (is_aside IN (0, 1))"

  /// Where the right photograph lies, and empty where there is none.
  static let rightPhotographs = """
    ALTER TABLE corrections ADD COLUMN photo_path TEXT;
    ALTER TABLE early_corrections ADD COLUMN photo_path TEXT;
    CREATE INDEX corrections_photo ON corrections (photo_path) WHERE photo_path IS NOT NULL;
    """

  private static let keeping = """
    CREATE TABLE keeping (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- The second before which nothing is taken any more.
      since INTEGER,
      place TEXT CHECK (place IN ('passages', 'messages', 'audit')),
      after_ms INTEGER,
      after_id INTEGER,
      next_at_ms INTEGER,
      -- Numbers of what was dropped are not given again.
      last_record INTEGER NOT NULL DEFAULT 0,
      last_message INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO keeping (id) VALUES (1);

    -- Photographs that belong to nothing any more and were not removed yet.
    CREATE TABLE dropped_photographs (
      path TEXT PRIMARY KEY NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX records_inbox ON records (inbox_id) WHERE inbox_id IS NOT NULL;
    CREATE INDEX observations_inbox ON observations (inbox_id) WHERE inbox_id IS NOT NULL;
    CREATE INDEX observations_photo ON observations (photo_path) WHERE photo_path IS NOT NULL;
    CREATE INDEX passages_inbox ON passages (inbox_id) WHERE inbox_id IS NOT NULL;
    CREATE INDEX identities_record ON identities (record);
    CREATE INDEX names_record ON names (record);
    CREATE INDEX violations_exit ON violations (exit);
    """
}
