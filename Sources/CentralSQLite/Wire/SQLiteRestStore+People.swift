import GRDB
import RestAPI
import RestSQL
import SQLiteFile
import Time

/// What central's people change of profiles, violations and alerts, which are told by views.
extension SQLiteRestStore {
  /// Changes such rows; nil of every other table.
  func peopleChange(
    _ update: RestUpdate, _ database: Database, at now: WallTime
  ) throws -> RestChange? {
    guard
      [Catalogue.profiles.name, Catalogue.violations.name, Catalogue.alerts.name]
        .contains(update.table.name), let key = update.table.columns.first
    else { return nil }
    guard !update.changes.isEmpty else { return RestChange([], count: 0) }
    let ids = try WireRows.keys(
      [update.filter, update.changeable, update.telling.visible], key, of: update.table, database)
    try update.telling.check(ids.count)
    switch update.table.name {
    case Catalogue.profiles.name:
      if let refusal = try ProfileWriting.change(
        update, of: ids, AccountRows(database: database, path: file.path), at: now)
      {
        throw refusal
      }
    case Catalogue.alerts.name:
      try AlertChange.check(update)
      for id in ids { try Self.endAlert(id, database, at: now) }
    default:
      for change in update.changes {
        for id in ids { try Self.noteDelivery(of: id, change.value.time, database) }
      }
    }
    let rows =
      try update.telling.tells
      ? ids.flatMap { try WireRows.read(update.telling.read(key, .text($0)), database) } : []
    return RestChange(rows, count: ids.count)
  }

  /// Nobody waits for the vehicle any more.
  private static func endAlert(_ id: String, _ database: Database, at now: WallTime) throws {
    try database.cachedStatement(
      sql:
        "DELETE FROM waiting WHERE entry = (SELECT entry FROM alerts WHERE uuid = ? AND ending IS NULL)"
    ).execute(arguments: [id])
    try database.cachedStatement(
      sql: "UPDATE alerts SET ending = 'expired', ended_at_ms = ? WHERE uuid = ? AND ending IS NULL"
    ).execute(arguments: [now.milliseconds, id])
  }

  /// Notes when somebody was told of a violation; nil for not yet.
  private static func noteDelivery(of id: String, _ micros: Int64?, _ database: Database) throws {
    guard let micros else {
      try database.cachedStatement(sql: "DELETE FROM violation_deliveries WHERE violation = ?")
        .execute(arguments: [id])
      return
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO violation_deliveries VALUES (?, ?)
          ON CONFLICT (violation) DO UPDATE SET at_ms = excluded.at_ms
        """
    ).execute(arguments: [id, micros / 1_000])
  }
}
