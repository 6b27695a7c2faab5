import GRDB
import NodeCore
import SQLiteFile
import Storage
import Time

extension StoreTransaction {
  /// Where a passage stands; nil when there is no such passage.
  func standing(of queueID: Int64) throws(StorageError) -> QueueStanding? {
    try sorted {
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT status, attempts, since_t, sms_sent = 1 AND undelivered = 0, text_attempts,
              \(NodeSchema.hasOpenText), parked_reason IS NOT NULL, undated,
              handed_on_ms IS NOT NULL, EXISTS (
                SELECT 1 FROM uploads INDEXED BY uploads_failed
                WHERE uploads.passage_id = queue.id AND uploads.status = 'failed'
                  AND uploads.kind <> 'passage' AND NOT \(StoreTransaction.isSuperseded))
            FROM queue WHERE id = ?
            """), arguments: [queueID])
      guard let row else { return nil }
      guard let status = QueueStatus(rawValue: row[0]) else {
        throw UnreadableRow(queueID: queueID)
      }
      var standing = QueueStanding(
        status: status, attempts: row[1], since: BootInstant(nanoseconds: row[2]),
        isTexted: row[3], textAttempts: row[4], hasOpenText: row[5], isParked: row[6],
        isUndated: row[7], isHandedOn: row[8])
      standing.hasFailedBehind = row[9]
      return standing
    }
  }

  /// Changes where a passage stands. The triggers refuse what the queue does not have.
  func change(_ queueID: Int64, _ change: StandingChange) throws(StorageError) {
    try sorted {
      let known = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM passages WHERE id = ?)",
        arguments: [queueID])
      guard known == true else {
        throw StorageError.refusedChange(path: path, detail: "queue row \(queueID) does not exist")
      }
      switch change {
      case .requeued:
        // What hangs on the passage is tried again with it.
        try database.execute(
          sql: """
            UPDATE uploads SET status = 'pending', attempts = 0, requeues = requeues + 1,
              next_t = \(StoreTransaction.turn), refusal = NULL,
              priority = (SELECT priority FROM passages WHERE passages.id = uploads.passage_id)
            WHERE passage_id = ? AND status = 'failed' AND NOT \(StoreTransaction.isSuperseded)
            """, arguments: [queueID])
        try database.execute(
          sql: """
            UPDATE uploads SET next_t = \(StoreTransaction.turn)
            WHERE passage_id = ? AND \(NodeSchema.uploadable) AND attempts > 0
            """, arguments: [queueID])
      case .textAgain(let due, let asked):
        try takeBack(queueID)
        try text(
          queueID,
          """
          parked_reason = NULL, sms_sent = 0, undelivered = 0, allowance = text_attempts,
          outdated = 0, worth_t = ?, due_t = ?
          """, [asked.nanoseconds, due.nanoseconds])
      case .parked(let reason):
        try text(queueID, "parked_reason = ?, due_t = NULL", [reason.kept])
      case .unparked:
        try takeBack(queueID)
        try text(queueID, "parked_reason = NULL", [])
      case .handedOn(let time):
        try database.execute(
          sql: "UPDATE text_deliveries SET due_t = NULL WHERE passage_id = ?", arguments: [queueID])
        try database.execute(
          sql: "UPDATE uploads SET next_t = NULL WHERE passage_id = ? AND \(NodeSchema.ofPassage)",
          arguments: [queueID])
        try database.execute(
          sql: "UPDATE passages SET handed_on_ms = ? WHERE id = ?",
          arguments: [time.milliseconds, queueID])
      }
    }
  }

  /// What is not handed on any more has its turn to be uploaded again.
  private func takeBack(_ queueID: Int64) throws {
    try database.execute(
      sql: "UPDATE passages SET handed_on_ms = NULL WHERE id = ? AND handed_on_ms IS NOT NULL",
      arguments: [queueID])
    guard database.changesCount > 0 else { return }
    try database.execute(
      sql: """
        UPDATE uploads SET next_t = \(StoreTransaction.turn)
        WHERE passage_id = ? AND \(NodeSchema.ofPassage) AND status <> 'synced'
        """, arguments: [queueID])
  }

  private func text(
    _ queueID: Int64, _ assignments: String, _ values: StatementArguments
  ) throws {
    try database.execute(
      sql:
        "UPDATE text_deliveries SET \(assignments) WHERE passage_id = ? AND recipient = 'centre'",
      arguments: values + [queueID])
  }

  /// The condition on an upload that it is a correction with another one behind it.
  static let isSuperseded = """
    (uploads.kind = 'correction' AND EXISTS (
      SELECT 1 FROM uploads AS newer
      WHERE newer.passage_id = uploads.passage_id AND newer.kind = 'correction'
        AND newer.id > uploads.id))
    """

  /// The next moment of an upload of which nothing else is said: at once, unless it waits for its passage
  /// to be on the server, or that for its time, or for whoever handed it on.
  static let turn = """
    (SELECT iif(uploads.kind = 'passage', iif(undated = 1 OR handed_on_ms IS NOT NULL, NULL, since_t),
        (SELECT since_t FROM uploads AS first
          WHERE first.passage_id = passages.id AND first.kind = 'passage' AND first.status = 'synced'))
      FROM passages WHERE passages.id = uploads.passage_id)
    """
}

extension String {
  /// As much of an error's words as is kept.
  var kept: String { String(prefix(NodeCore.Limits.errorCharacters)) }
}
