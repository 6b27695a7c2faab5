import GRDB
public import RestAPI
import SQLiteFile

/// Which rows changed. A reader who asks has them written down for a day more.
extension SQLiteRestStore {
  private static let hour: Int64 = 3_600_000

  /// Which rows changed behind a place.
  public func notes(after mark: RestMark?, limit: Int) throws(RestError) -> RestNotes {
    let (left, isFull) = try reading { database in
      (
        try Int64.fetchOne(
          database.cachedStatement(
            sql:
              "SELECT max(min(until_ms, 9000000000000000), 0) - \(Schema.feedNow) FROM feed_wanted")
        ) ?? 0,
        try Bool.fetchOne(database.cachedStatement(sql: Schema.isFeedFull)) ?? false
      )
    }
    let hours = Int64(RestChanges.rememberedHours)
    if left < (hours - 1) * Self.hour || isFull {
      try write { database in
        // What happened while nothing was written down nobody knows, so that no place of before is one any more.
        if left <= 0 || isFull {
          if isFull {
            try database.execute(sql: "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'feed'")
          }
          try database.execute(
            sql: "DELETE FROM feed; INSERT INTO feed (kind, id) VALUES ('begun', '')")
        }
        try database.execute(
          sql: """
            INSERT INTO feed_wanted VALUES (1, \(Schema.feedNow) + ?)
              ON CONFLICT (one) DO UPDATE SET until_ms = excluded.until_ms
            """, arguments: [hours * Self.hour])
      }
    }
    return try reading { database in
      let end = RestMark(
        number: try Int64.fetchOne(
          database.cachedStatement(
            sql: "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'feed'"))
          ?? 0)
      guard let mark else { return RestNotes([], end: end) }
      let first = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT min(number) FROM feed"))
      // Where the change itself is still there, so is what came behind it.
      let isWhole = mark <= end && mark.transaction == 0 && first.map { $0 <= mark.number } ?? false
      guard isWhole else { return RestNotes([], end: end, isBroken: true) }
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT number, kind, id FROM feed WHERE number > ? AND kind <> 'begun' ORDER BY number LIMIT ?
            """),
        arguments: [mark.number, limit])
      let notes = rows.map { row in
        RestNote(RestMark(number: row["number"]), table: row["kind"], id: row["id"])
      }
      return RestNotes(notes, end: notes.last?.mark ?? mark)
    }
  }
}
