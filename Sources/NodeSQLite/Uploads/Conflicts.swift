import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

extension StoreTransaction {
  /// The server has something else under the identity of a passage. Both are kept. Where a person has to
  /// decide, the passage has failed until then; else it counts as synced, and what the resolution makes of
  /// it goes as a correction behind it.
  func conflict(
    _ id: UploadID, _ theirs: StoredOnServer, _ resolution: ConflictResolution, at moment: Moment
  ) throws {
    let isOpen = resolution == .manual
    if isOpen {
      try one(
        id, from: .inFlight,
        """
        status = 'failed', attempts = attempts + 1, last_error = ?,
        last_error_class = 'permanent', server_id = ?
        """,
        ["the server has something else under this identity", theirs.serverID])
      try dropTexts(of: id)
    } else {
      try synced(id, serverID: theirs.serverID, at: moment)
    }
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT passages.*, uploads.kind FROM uploads
        JOIN passages ON passages.id = passage_id WHERE uploads.id = ?
        """, arguments: [id])
    guard let row, row["kind"] == UploadKind.passage.rawValue else {
      throw StorageError.refusedChange(path: path, detail: "upload \(id) is no passage")
    }
    let queueID: Int64 = row["id"]
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO conflicts (passage_id, found_ms, server_id, checkpost_id,
          plate_number, vehicle_type, recorded_at_ms, matched_id, photo_path, resolution,
          resolved_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        queueID, moment.wall.milliseconds, theirs.serverID, theirs.checkpostID, theirs.plate,
        theirs.vehicleType, theirs.recordedAt.milliseconds, theirs.matchedID, theirs.photoPath,
        isOpen ? nil : resolution.rawValue, isOpen ? nil : moment.wall.milliseconds,
      ])
    if let correction = resolution.correction(of: theirs, by: try Passage(row: row)) {
      try queue(correction, behind: queueID, at: moment)
    }
  }

  /// Lets a correction of a passage go behind it. One that has not left takes its values; the last one
  /// counts.
  func queue(_ correction: PlateCorrection, behind queueID: Int64, at moment: Moment) throws {
    let values: StatementArguments = [
      correction.plate.raw, correction.vehicleType?.rawValue, queueID,
    ]
    try database.execute(
      sql: """
        UPDATE uploads SET new_plate = ?,
          new_vehicle_type = coalesce(?, new_vehicle_type),
          attempts = iif(status = 'failed', 0, attempts),
          requeues = requeues + (status = 'failed'), status = 'pending',
          next_t = \(StoreTransaction.turn)
        WHERE passage_id = ? AND kind = 'correction'
          AND (status = 'pending' OR status = 'failed')
        """, arguments: values)
    guard database.changesCount == 0 else { return }
    try database.execute(
      sql: """
        INSERT INTO uploads (new_plate, new_vehicle_type, passage_id, kind, priority, next_t)
        SELECT ?1, ?2, id, 'correction', priority,
          (SELECT ?4 FROM uploads
            WHERE passage_id = ?3 AND \(NodeSchema.ofPassage) AND status = 'synced')
        FROM passages WHERE id = ?3
        """, arguments: values + [moment.boot.nanoseconds])
  }
}
