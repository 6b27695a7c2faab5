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
              handed_on_ms IS NOT NULL, on_hold_reason IS NOT NULL, withdrawn_ms IS NOT NULL,
              EXISTS (SELECT 1 FROM text_deliveries AS others
                WHERE others.passage_id = queue.id AND others.recipient <> 'centre'
                  AND \(StoreTransaction.mayGoAgain("others")))
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
      standing.isOnHold = row[9]
      standing.isWithdrawn = row[10]
      standing.hasOthers = row[11]
      standing.failedBehind = Set(
        try String.fetchAll(
          database.cachedStatement(
            sql: """
              SELECT kind FROM uploads
              WHERE passage_id = ? AND kind <> 'passage' AND status = 'failed'
                AND NOT \(StoreTransaction.isSuperseded)
              """), arguments: [queueID]
        ).compactMap { UploadKind(rawValue: $0) })
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
      case .requeued(let kinds):
        for kind in kinds {
          try database.execute(
            sql: """
              UPDATE uploads SET status = 'pending', attempts = 0, requeues = requeues + 1,
                next_t = \(StoreTransaction.turn), refusal = NULL,
                priority = (SELECT priority FROM passages WHERE passages.id = uploads.passage_id)
              WHERE passage_id = ? AND kind = ? AND status = 'failed'
                AND NOT \(StoreTransaction.isSuperseded)
              """, arguments: [queueID, kind.rawValue])
          try database.execute(
            sql: """
              UPDATE uploads SET next_t = \(StoreTransaction.turn)
              WHERE passage_id = ? AND kind = ? AND \(NodeSchema.uploadable) AND attempts > 0
              """, arguments: [queueID, kind.rawValue])
        }
      case .textAgain(let due, let asked):
        try takeBack(queueID)
        try takeUp(queueID)
        try text(
          queueID,
          """
          parked_reason = NULL, sms_sent = 0, undelivered = 0, allowance = text_attempts,
          outdated = 0, worth_t = ?, due_t = ?
          """, [asked.nanoseconds, due.nanoseconds])
      case .othersAgain(let due, let asked):
        try database.execute(
          sql: """
            UPDATE text_deliveries SET parked_reason = NULL, undelivered = 0,
              allowance = text_attempts, outdated = 0, worth_t = ?, due_t = ?
            WHERE passage_id = ? AND recipient <> 'centre'
              AND \(StoreTransaction.mayGoAgain("text_deliveries"))
            """, arguments: [asked.nanoseconds, due.nanoseconds, queueID])
      case .parked(let reason):
        try hold(queueID, reason.kept)
      case .unparked:
        try takeBack(queueID)
        try takeUp(queueID)
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

  /// Puts all of a passage on hold: what waits for its turn has none until it is taken up again.
  private func hold(_ queueID: Int64, _ reason: String) throws {
    try database.execute(
      sql: """
        UPDATE text_deliveries SET parked_reason = ?, due_t = NULL
        WHERE passage_id = ? AND (recipient = 'centre' OR sms_sent = 0)
        """, arguments: [reason, queueID])
    try database.execute(
      sql: "UPDATE passages SET on_hold_reason = ? WHERE id = ?", arguments: [reason, queueID])
    try database.execute(
      sql: "UPDATE uploads SET next_t = NULL WHERE passage_id = ? AND status = 'pending'",
      arguments: [queueID])
  }

  /// What was on hold has its turn again; what a text waits for besides is found by the one that asks for it.
  private func takeUp(_ queueID: Int64) throws {
    guard
      let reason = try String.fetchOne(
        database, sql: "SELECT on_hold_reason FROM passages WHERE id = ?", arguments: [queueID])
    else { return }
    try database.execute(
      sql: "UPDATE passages SET on_hold_reason = NULL WHERE id = ?", arguments: [queueID])
    try database.execute(
      sql: """
        UPDATE uploads SET next_t = \(StoreTransaction.turn)
        WHERE passage_id = ? AND status = 'pending'
        """, arguments: [queueID])
    try database.execute(
      sql: """
        UPDATE text_deliveries SET parked_reason = NULL
        WHERE passage_id = ? AND recipient = 'centre' AND parked_reason = ?
        """, arguments: [queueID, reason])
  }

  /// The condition on a delivery that one may ask for its text again: nothing of it is on air, or the network
  /// says that it did not arrive, and nobody else has it to send.
  static func mayGoAgain(_ row: String) -> String {
    """
    (\(row).sms_sent = 0 AND \(row).due_t IS NULL AND \(row).text_attempts < \(NodeSchema.texts)
      AND (\(row).parked_reason IS NOT NULL OR \(row).text_attempts > 0 OR \(row).outdated = 1)
      AND NOT EXISTS (SELECT 1 FROM texts
        WHERE texts.delivery_id = \(row).id AND texts.outcome = 'intent')
      AND \(row).recipient IN (SELECT recipient FROM text_recipients))
    """
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
