import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

/// Passages that were withdrawn before anything of them left.
enum WithdrawnHere {
  /// What of them the server does not have and is never to get, by its kind: nothing of it waits.
  static func uploads(_ database: Database) throws -> [UploadKind: Int] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT kind, count(*) FROM passages INDEXED BY passages_aside
          CROSS JOIN uploads ON uploads.passage_id = passages.id
          WHERE (on_hold_reason IS NOT NULL OR withdrawn_ms IS NOT NULL)
            AND withdrawn_ms IS NOT NULL AND status <> 'synced' AND status <> 'in_flight'
            AND NOT (kind = 'passage' AND handed_on_ms IS NOT NULL)
            AND \(NodeSchema.isKeptHere("uploads"))
          GROUP BY kind
          """))
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in
        UploadKind(rawValue: row[0]).map { ($0, row[1]) }
      })
  }
}

extension StoreTransaction {
  /// Withdraws a passage; what was on hold of it is so no more.
  func withdraw(
    _ queueID: Int64, reason: String, tellsServer: Bool, at moment: Moment
  ) throws(StorageError) {
    try sorted {
      try ChangedPassages.add(database, queueID)
      try database.execute(
        sql: "UPDATE text_deliveries SET due_t = NULL, parked_reason = NULL WHERE passage_id = ?",
        arguments: [queueID])
      try database.execute(
        sql: """
          UPDATE passages
          SET withdrawn_ms = ?, withdrawn_t = ?, withdrawn_reason = ?, on_hold_reason = NULL
          WHERE id = ?
          """,
        arguments: [
          moment.wall.milliseconds, moment.boot.nanoseconds, reason.kept, queueID,
        ])
      if tellsServer {
        try database.execute(
          sql: """
            INSERT INTO uploads (passage_id, kind, priority, new_plate, withdrawal, next_t)
            SELECT id, 'correction', priority, plate_number_raw, ?1,
              (SELECT ?2 FROM uploads
                WHERE passage_id = ?3 AND \(NodeSchema.ofPassage) AND status = 'synced')
            FROM passages WHERE id = ?3
            """, arguments: [reason.kept, moment.boot.nanoseconds, queueID])
        // What was on hold goes on, so that it can be withdrawn there.
        try database.execute(
          sql: """
            UPDATE uploads SET next_t = \(StoreTransaction.turn)
            WHERE passage_id = ? AND status = 'pending' AND next_t IS NULL
            """, arguments: [queueID])
      } else {
        try database.execute(
          sql: "UPDATE uploads SET open_at_ms = NULL WHERE passage_id = ?", arguments: [queueID])
      }
      try database.execute(
        sql: """
          UPDATE uploads SET next_t = NULL
          WHERE passage_id = ?1 AND status = 'pending' AND (kind = 'photo' OR ?2 = 0)
          """, arguments: [queueID, tellsServer])
    }
  }

  /// Records a passage in place of another one, as urgent, and known by the same clock.
  func record(
    _ passage: Passage, inPlaceOf queueID: Int64, at moment: Moment
  ) throws(StorageError) -> RecordOutcome {
    let before = try sorted {
      try Row.fetchOne(
        database, sql: "SELECT priority, clock_source FROM passages WHERE id = ?",
        arguments: [queueID])
    }
    let request = RecordRequest(
      passage, priority: before?["priority"] ?? RecordRequest.standardPriority,
      clock: (before?["clock_source"] as String?).flatMap { ClockSource(rawValue: $0) })
    guard let outcome = try record([request], at: moment).first else {
      return .identityTaken(passage.clientID)
    }
    if case .recorded(_, let number) = outcome {
      try sorted {
        try database.execute(
          sql: "UPDATE passages SET corrects = ? WHERE id = ?", arguments: [queueID, number])
        try ChangedPassages.add(database, number)
      }
    }
    return outcome
  }
}
