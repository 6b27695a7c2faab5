import RestAPI

extension Schema {
  /// Which rows changed, in their order, while somebody wants to know; and who writes it down.
  static let feed =
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
    + [
      ("passages", "vehicle_passages"), ("violations", "violations"),
      ("alerts", "proactive_overstay_alerts"),
    ].map(notes).joined()
      + """
      CREATE TRIGGER feed_told AFTER INSERT ON violation_deliveries
        WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > \(feedNow))
      BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.violation); END;
      CREATE TRIGGER feed_told_anew AFTER UPDATE ON violation_deliveries
        WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > \(feedNow))
      BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.violation); END;
      """

  /// The moment, in milliseconds since 1970.
  static let feedNow = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

  private static func notes(of table: String, as kind: String) -> String {
    [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map { event, row in
      """
      CREATE TRIGGER feed_\(table)_\(event.lowercased()) AFTER \(event) ON \(table)
        WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > \(feedNow))
      BEGIN INSERT INTO feed (kind, id) VALUES ('\(kind)', \(row).uuid); END;

      """
    }.joined()
  }
}
