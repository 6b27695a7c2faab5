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
              EXISTS (SELECT 1 FROM texts WHERE queue_id = queue.id AND outcome = 'intent'),
              parked_reason IS NOT NULL,
              EXISTS (SELECT 1 FROM passages WHERE id = queue.id AND undated = 1),
              handed_on_ms IS NOT NULL
            FROM queue WHERE id = ?
            """), arguments: [queueID])
      guard let row else { return nil }
      guard let status = QueueStatus(rawValue: row[0]) else {
        throw UnreadableRow(queueID: queueID)
      }
      return QueueStanding(
        status: status, attempts: row[1], since: BootInstant(nanoseconds: row[2]),
        isTexted: row[3], textAttempts: row[4], hasOpenText: row[5], isParked: row[6],
        isUndated: row[7], isHandedOn: row[8])
    }
  }

  /// Changes where a passage stands. The triggers refuse what the queue does not have.
  func change(_ queueID: Int64, _ change: StandingChange) throws(StorageError) {
    try sorted {
      let (assignments, values) = StoreTransaction.assignments(of: change)
      try database.execute(
        sql: "UPDATE queue SET \(assignments) WHERE id = ?", arguments: values + [queueID])
      if database.changesCount == 0 {
        throw StorageError.refusedChange(path: path, detail: "queue row \(queueID) does not exist")
      }
    }
  }

  private static func assignments(of change: StandingChange) -> (String, StatementArguments) {
    switch change {
    case .claimed(let time):
      return ("status = 'in_flight', last_attempt_at_ms = ?", [time.milliseconds])
    case .synced:
      return ("status = 'synced', text_due_t = NULL", [])
    case .missed(let error):
      let words = """
        status = 'pending', attempts = attempts + 1, last_error = ?, last_error_class = 'transient'
        """
      return (words, [kept(error)])
    case .failed(let error, let isPermanent, let time):
      // Due for a text at once, unless one is or may be on air already.
      let words = """
        status = 'failed', attempts = min(attempts + 1, \(NodeCore.Limits.attempts)), last_error = ?,
        last_error_class = ?, text_due_t = iif(text_due_t IS NULL, NULL, min(text_due_t, ?))
        """
      return (words, [kept(error), isPermanent ? "permanent" : "transient", time.nanoseconds])
    case .requeued:
      return ("status = 'pending', attempts = 0, requeues = requeues + 1", [])
    case .textAgain(let due, let asked):
      let words = """
        parked_reason = NULL, handed_on_ms = NULL, sms_sent = 0, undelivered = 0, allowance = text_attempts, outdated = 0,
        worth_t = ?, text_due_t = ?
        """
      return (words, [asked.nanoseconds, due.nanoseconds])
    case .parked(let reason):
      return ("parked_reason = ?, text_due_t = NULL", [kept(reason)])
    case .unparked:
      return ("parked_reason = NULL, handed_on_ms = NULL", [])
    case .handedOn(let time):
      return ("handed_on_ms = ?, text_due_t = NULL", [time.milliseconds])
    }
  }

  private static func kept(_ words: String) -> String {
    String(words.prefix(NodeCore.Limits.errorCharacters))
  }
}
