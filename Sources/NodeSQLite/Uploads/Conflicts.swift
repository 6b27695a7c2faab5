import GRDB
public import NodeCore
import Passages
import SQLiteFile
public import Storage
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

  /// Decides a conflict; false when there is none that waits for it.
  func resolve(
    _ queueID: Int64, as resolution: ConflictResolution, at moment: Moment
  ) throws(StorageError) -> Bool {
    try sorted {
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT conflicts.*, passages.client_id, uploads.id AS upload_id FROM conflicts
          JOIN passages ON passages.id = conflicts.passage_id
          JOIN uploads ON uploads.passage_id = passages.id AND uploads.\(NodeSchema.ofPassage)
          WHERE conflicts.passage_id = ? AND resolution IS NULL
          """, arguments: [queueID])
      guard let row, let passage = try passage(queueID) else { return false }
      let id: UploadID = row["upload_id"]
      // The server has it: that is known without asking it again.
      try one(
        id, from: .failed,
        "status = 'pending', attempts = 0, requeues = requeues + 1, next_t = ?",
        [moment.boot.nanoseconds])
      try one(id, from: .pending, "status = 'in_flight'", [])
      try synced(id, serverID: row["server_id"], at: moment)
      try database.execute(
        sql: "UPDATE conflicts SET resolution = ?, resolved_ms = ? WHERE passage_id = ?",
        arguments: [resolution.rawValue, moment.wall.milliseconds, queueID])
      if let correction = resolution.correction(of: StoredOnServer(row: row), by: passage) {
        try queue(correction, behind: queueID, at: moment)
      }
      return true
    }
  }
}

extension SQLiteNodeStore {
  /// What the server has otherwise than it was recorded here, newest first.
  public func conflicts(
    limit: Int, onlyOpen: Bool
  ) throws(StorageError) -> [ConflictRecord] {
    try file.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT conflicts.*, passages.client_id FROM conflicts
          JOIN passages ON passages.id = conflicts.passage_id
          WHERE ?1 = 0 OR resolution IS NULL ORDER BY conflicts.id DESC LIMIT ?2
          """, arguments: [onlyOpen, min(max(limit, 0), NodeCore.Limits.page)]
      ).compactMap { row in
        let queueID: Int64 = row["passage_id"]
        let ours = try Row.fetchOne(
          database, sql: "SELECT * FROM passages WHERE id = ?", arguments: [queueID])
        guard let ours else { return nil }
        return ConflictRecord(
          queueID: queueID, ours: try Passage(row: ours), theirs: StoredOnServer(row: row),
          foundAt: WallTime(milliseconds: row["found_ms"]),
          resolution: (row["resolution"] as String?).flatMap { ConflictResolution(rawValue: $0) })
      }
    }
  }
}

extension StoredOnServer {
  /// The server's side of a row of `conflicts`, with the identity that both have.
  fileprivate init(row: Row) {
    self.init(
      serverID: row["server_id"], clientID: row["client_id"], checkpostID: row["checkpost_id"],
      plate: row["plate_number"], vehicleType: row["vehicle_type"],
      recordedAt: WallTime(milliseconds: row["recorded_at_ms"]), matchedID: row["matched_id"],
      photoPath: row["photo_path"])
  }
}
