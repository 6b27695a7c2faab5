import GRDB
import RestAPI

extension Schema {
  /// Which rows changed, in their order, while somebody wants to know; and who writes it down.
  static let feed = feedTables + feedTriggers

  private static let feedTables =
    """
    CREATE TABLE feed (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      id TEXT NOT NULL
    ) STRICT;
    -- Until when they are written down.
    CREATE TABLE feed_wanted (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      until_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER feed_bounded AFTER INSERT ON feed
    BEGIN DELETE FROM feed WHERE number <= NEW.number - \(RestChanges.remembered); END;

    """

  private static let feedTriggers =
    [
      ("passages", "vehicle_passages"), ("violations", "violations"),
      ("alerts", "proactive_overstay_alerts"),
    ].map(notes).joined()
      + """
      CREATE TRIGGER feed_told AFTER INSERT ON violation_deliveries
        WHEN \(isFed)
      BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.violation); END;
      CREATE TRIGGER feed_told_anew AFTER UPDATE ON violation_deliveries
        WHEN \(isFed)
      BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.violation); END;
      """

  /// The moment, in milliseconds since 1970.
  static let feedNow = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

  /// Whether somebody wants to know, and there are numbers left: a change is made, and a reader begins again, also where
  /// another program took the last one.
  private static let isFed =
    "EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > \(feedNow)) AND NOT EXISTS (\(isFeedFull))"

  /// A row where no numbers are left.
  static let isFeedFull =
    "SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > \(Int64.max / 2)"

  /// Has older files ask for that, and lets nobody forget what is yet to come.
  static func leaveRoom(_ database: Database) throws {
    for name in try String.fetchAll(
      database,
      sql:
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'feed%' AND name <> 'feed_bounded'"
    ) {
      try database.execute(sql: "DROP TRIGGER \"\(name)\"")
    }
    try database.execute(sql: feedTriggers + keptSince)
  }

  /// Else nobody's passage would be taken any more. What was recorded last is never too old.
  private static let keptSince = """

    UPDATE keeping SET since = NULL, place = NULL WHERE since > \(feedNow) / 1000;
    CREATE TRIGGER keeping_since BEFORE UPDATE OF since ON keeping
      WHEN NEW.since IS NOT OLD.since AND NEW.since > coalesce(
        (SELECT max(recorded_at_ms) / 1000 FROM passages), \(feedNow) / 1000 + 315576000)
    BEGIN SELECT RAISE(ABORT, 'what is yet to come is not forgotten'); END;
    """

  private static func notes(of table: String, as kind: String) -> String {
    [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map { event, row in
      """
      CREATE TRIGGER feed_\(table)_\(event.lowercased()) AFTER \(event) ON \(table)
        WHEN \(isFed)
      BEGIN INSERT INTO feed (kind, id) VALUES ('\(kind)', \(row).uuid); END;

      """
    }.joined()
  }
}
