import CentralCore
import CentralSQLite
import GRDB
import Passages
import Time

/// The rows that a report of a new passage becomes at the least, inserted into a central's own tables, with their
/// indexes and triggers, by somebody who knows them already: nothing is looked up, recognised or judged.
final class OwnRows {
  private let queue: DatabaseQueue

  /// Opens a central's file.
  init(_ path: String) throws {
    queue = try BareDatabase.open(path, cacheBytes: CentralSQLite.Limits.cacheBytes)
  }

  /// Inserts those of reports in one transaction.
  func insert(_ arrivals: [PassageArrival]) throws {
    try queue.write { database in
      var last =
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(number) FROM records")) ?? 0
      for arrival in arrivals {
        guard case .observation(let report) = arrival.content else { continue }
        last += 1
        try insert(report, last, database)
      }
    }
  }

  private func insert(_ report: Observation, _ number: Int64, _ database: Database) throws {
    let key = report.key
    let (name, received) = (report.clientID.description, report.receivedAt.milliseconds)
    try database.cachedStatement(
      sql: """
        INSERT INTO records (number, received_post, received_plate, received_second, post, plate,
          second, passage, uuid, client_id, last_at_ms, inserted_at_ms)
          VALUES (?1, ?2, ?3, ?4, ?2, ?3, ?4, ?1, ?5, ?5, ?6, ?6)
        """
    ).execute(arguments: [number, key.post.code, key.plate, key.second, name, received])
    try database.cachedStatement(
      sql: """
        INSERT INTO observations (record, n, client_id, post, plate_raw, vehicle_type, recorded_at_ms,
          suffix, channel, is_proven, received_at_ms, inserted_at_ms)
          VALUES (?, 1, ?, ?, ?, ?, ?, ?, 'upload', 1, ?, ?)
        """
    ).execute(arguments: [
      number, name, report.post.code, report.plate.raw, report.vehicleType.rawValue,
      report.recordedAt.milliseconds, report.suffix.digits, received, received,
    ])
    try database.cachedStatement(
      sql: "INSERT INTO identities (client_id, record) VALUES (?, ?)"
    ).execute(arguments: [name, number])
    try database.cachedStatement(
      sql: """
        INSERT INTO passages (id, uuid, client_id, plate_number, plate_number_raw, vehicle_type,
          checkpost, segment, recorded_at_ms, ranger_phone_suffix, source, channels, is_proven,
          is_corrected, is_dated, contradictions, first_received_at_ms, inserted_at_ms)
          VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, 'Banepa', ?7, ?8, 'app', 'upload', 1, 0, 1, '', ?9, ?9)
        """
    ).execute(arguments: [
      number, name, key.plate, report.plate.raw, report.vehicleType.rawValue, report.post.code,
      report.recordedAt.milliseconds, report.suffix.digits, received,
    ])
  }
}
