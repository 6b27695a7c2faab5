import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

extension StoreTransaction {
  /// A passage by its place in the queue; nil when there is none.
  func passage(_ queueID: Int64) throws(StorageError) -> Passage? {
    try sorted {
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM passages WHERE id = ?"),
        arguments: [queueID]
      ).map { try Passage(row: $0) }
    }
  }

  /// Whether something of a passage may have left.
  func hasLeft(_ queueID: Int64) throws(StorageError) -> Bool {
    try sorted {
      try Bool.fetchOne(
        database, sql: "SELECT \(NodeSchema.hasLeft("?1"))", arguments: [queueID]) ?? false
    }
  }

  /// The passage that has or had the identity of this one here, if that is another one than `queueID`.
  func holder(
    of passage: Passage, besides queueID: Int64
  ) throws(StorageError) -> ClientID? {
    try sorted {
      try String.fetchOne(
        database,
        sql: """
          SELECT client_id FROM passages WHERE client_id = ?1 AND id <> ?2 UNION ALL
          SELECT client_id FROM past_identities WHERE client_id = ?1 AND queue_id <> ?2
          """, arguments: [passage.clientID.description, queueID]
      ).flatMap { ClientID($0) }
    }
  }

  /// Puts a passage in the place of one of which nothing has left; the file refuses any other.
  func replace(
    _ queueID: Int64, with passage: Passage, at moment: Moment
  ) throws(StorageError) {
    let after = try fallbackAfter() ?? NodeRules().fallbackAfter
    try sorted {
      let client = passage.clientID.description
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO past_identities
          SELECT client_id, content_client_id, id FROM passages
          WHERE id = ?1 AND client_id <> ?2
          """, arguments: [queueID, client])
      try database.execute(
        sql: "DELETE FROM past_identities WHERE client_id = ?1 AND queue_id = ?2",
        arguments: [client, queueID])
      try database.execute(
        sql: """
          UPDATE passages SET client_id = ?, content_client_id = ?, plate_number = ?,
            plate_number_raw = ?, vehicle_type = ?, recorded_at_ms = ?, v1_body = ?, undated = ?,
            revision = revision + 1
          WHERE id = ?
          """,
        arguments: [
          client, (passage.contentClientID ?? passage.clientID).description,
          passage.plate.compact, passage.plate.raw, passage.vehicleType.rawValue,
          passage.recordedAt.milliseconds, passage.v1Body, passage.isUndated, queueID,
        ])
      guard !passage.isUndated else { return }
      try ChangedPassages.add(database, queueID)
      try database.execute(
        sql: """
          UPDATE uploads SET open_at_ms = ?1, attempts = iif(status = 'failed', 0, attempts),
            requeues = requeues + (status = 'failed'), status = 'pending',
            next_t = \(StoreTransaction.turn)
          WHERE passage_id = ?2 AND \(NodeSchema.ofPassage)
          """, arguments: [passage.recordedAt.milliseconds, queueID])
      // Its text is due when it would have been; one that waits for a later moment still does.
      try database.execute(
        sql: """
          UPDATE text_deliveries SET due_t = since_t + ?1 FROM passages
          WHERE passages.id = ?2 AND passage_id = ?2 AND due_t IS NULL AND parked_reason IS NULL
            AND sms_sent = 0 AND outdated = 0 AND handed_on_ms IS NULL
            AND withdrawn_ms IS NULL AND on_hold_reason IS NULL
            AND text_attempts < \(NodeSchema.texts)
          """, arguments: [after.wholeNanoseconds + 1, queueID])
    }
  }

  /// Passages without a time of their own that nobody handed on, oldest first.
  func undated(limit: Int) throws(StorageError) -> [UndatedPassage] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT * FROM passages INDEXED BY passages_undated
            WHERE undated = 1 AND handed_on_ms IS NULL AND withdrawn_ms IS NULL ORDER BY id LIMIT ?
            """), arguments: [max(limit, 0)]
      ).map { row in
        UndatedPassage(
          queueID: row["id"], passage: try Passage(row: row),
          since: BootInstant(nanoseconds: row["since_t"]))
      }
    }
  }

  /// Lets a correction of a passage go behind it. One that has not left takes its values; the last one
  /// counts.
  func queue(_ correction: PlateCorrection, behind queueID: Int64, at moment: Moment)
    throws(StorageError)
  {
    try sorted {
      try ChangedPassages.add(database, queueID)
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
          WHERE passage_id = ? AND kind = 'correction' AND withdrawal IS NULL
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
}
