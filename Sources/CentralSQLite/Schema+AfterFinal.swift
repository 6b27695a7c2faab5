import GRDB

extension Schema {
  /// What became of violations after they had been final, and what caused it.
  static func addAfterFinal(_ database: Database) throws {
    try addChangedAfterFinal(database)
    // A table is made anew where what it takes changes, and SQLite looks through all views meanwhile.
    for table in try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'view' AND name LIKE 'api_%'")
    {
      try database.execute(sql: "DROP VIEW \"\(table)\"")
    }
    try database.execute(sql: seenNotes)
    try renewWireViews(database)
  }

  /// The columns, where they are not there; a file whose passages were moved has them.
  static func addChangedAfterFinal(_ database: Database) throws {
    try addColumn("origins TEXT NOT NULL DEFAULT ''", to: "violation_revisions", database)
    guard try addColumn("changed_final_ms INTEGER", to: "violations", database) else { return }
    try database.execute(
      sql: """
        CREATE INDEX violations_changed ON violations (changed_final_ms)
          WHERE changed_final_ms IS NOT NULL
        """)
  }

  private static let seenNotes = """
    CREATE TABLE new_violation_notes (
      n INTEGER PRIMARY KEY,
      entry INTEGER NOT NULL REFERENCES violations(entry),
      kind TEXT NOT NULL
        CHECK (kind IN ('confirmed', 'seen', 'provisional', 'reported', 'unreported', 'outcome')),
      at_ms INTEGER NOT NULL,
      author TEXT,
      revision INTEGER NOT NULL
    ) STRICT;
    INSERT INTO new_violation_notes SELECT n, entry, kind, at_ms, author, revision FROM violation_notes;
    DROP TABLE violation_notes;
    ALTER TABLE new_violation_notes RENAME TO violation_notes;
    CREATE INDEX violation_notes_entry ON violation_notes (entry, n);
    CREATE TRIGGER violation_notes_frozen BEFORE UPDATE ON violation_notes
    BEGIN SELECT RAISE(ABORT, 'what happened is not changed'); END;
    """
}
