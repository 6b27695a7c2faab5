import GRDB
import Passages

/// What held of segments before, as rows.
extension Schema {
  /// The numbers of segments up to the second `until_s`.
  static let limits = """
    CREATE TABLE IF NOT EXISTS earlier_limits (
      segment TEXT NOT NULL REFERENCES segments (name) ON DELETE CASCADE ON UPDATE CASCADE,
      until_s INTEGER NOT NULL,
      distance_m INTEGER NOT NULL,
      min_speed_mh INTEGER NOT NULL,
      max_speed_mh INTEGER NOT NULL,
      PRIMARY KEY (segment, until_s)
    ) STRICT, WITHOUT ROWID;

    """
}

enum LimitRows {
  /// What held before, by the names of the segments, from the first to the last.
  static func all(_ database: Database) throws -> [String: [EarlierLimits]] {
    var earlier: [String: [EarlierLimits]] = [:]
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM earlier_limits ORDER BY segment, until_s"))
    for row in rows {
      earlier[row["segment"], default: []].append(
        EarlierLimits(
          until: row["until_s"], distanceMetres: row["distance_m"],
          maximumMetresPerHour: row["max_speed_mh"], minimumMetresPerHour: row["min_speed_mh"]))
    }
    return earlier
  }

  /// Puts what held before in the place of what is there.
  static func put(_ earlier: [EarlierLimits], of segment: String, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM earlier_limits WHERE segment = ?")
      .execute(arguments: [segment])
    for limits in earlier {
      try database.cachedStatement(
        sql: """
          INSERT INTO earlier_limits (segment, until_s, distance_m, min_speed_mh, max_speed_mh)
          VALUES (?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        segment, limits.until, limits.distanceMetres, limits.minimumMetresPerHour,
        limits.maximumMetresPerHour,
      ])
    }
  }
}
