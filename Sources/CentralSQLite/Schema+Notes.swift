import GRDB

extension Schema {
  /// What happened to violations beside their revisions.
  static func addNotes(_ database: Database) throws {
    try database.execute(sql: notes)
    try renewWireViews(database)
  }

  private static let notes = """
    CREATE TABLE violation_notes (
      n INTEGER PRIMARY KEY,
      entry INTEGER NOT NULL REFERENCES violations(entry),
      kind TEXT NOT NULL
        CHECK (kind IN ('confirmed', 'provisional', 'reported', 'unreported', 'outcome')),
      at_ms INTEGER NOT NULL,
      author TEXT,
      revision INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX violation_notes_entry ON violation_notes (entry, n);
    CREATE TRIGGER violation_notes_frozen BEFORE UPDATE ON violation_notes
    BEGIN SELECT RAISE(ABORT, 'what happened is not changed'); END;
    -- What stands of before; when it became final nobody wrote down.
    INSERT INTO violation_notes (entry, kind, at_ms, author, revision)
      SELECT entry, 'confirmed', confirmed_at_ms, confirmed_by, revision FROM violations
      WHERE confirmed_at_ms IS NOT NULL ORDER BY confirmed_at_ms, entry;
    """
}
