import GRDB
public import NodeCore
import SQLiteFile
public import Storage
import Time

/// What came of asking that a passage be tried again.
public enum RetryOutcome: Hashable, Sendable {
  /// It is tried again as soon as the rule allows.
  case retried
  /// The server has it; there is nothing to try.
  case alreadySynced
  /// A text for it was accepted, and no report says that it was not delivered: it is not texted
  /// again. Where it was set aside, it no longer is.
  case alreadyTexted
  /// Three texts for it went on air or may have; there will be no fourth. Where it was set aside, it
  /// no longer is.
  case tooManyTexts
  /// Nobody knows when it was: it was recorded while the clock had not been set, and a text says the
  /// time. Where it was set aside, it no longer is.
  case undated
  /// It is being sent at this moment.
  case busy
  /// There is no such passage.
  case notFound
}

extension SQLiteNodeStore {
  /// Lets a passage be tried again: one that failed is pending with no attempts, one that was parked
  /// is no longer, and one may be texted once more whose text has an unknown outcome or was, as the
  /// network reported, not delivered.
  public func retry(_ queueID: Int64, at moment: Moment) throws(StorageError) -> RetryOutcome {
    try SQLiteFile.write(queue, path) { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT status, sms_sent = 1 AND undelivered = 0, text_attempts, parked_reason IS NOT NULL,
            EXISTS (SELECT 1 FROM texts WHERE queue_id = queue.id AND outcome = 'intent'),
            EXISTS (SELECT 1 FROM passages WHERE id = queue.id AND undated = 1)
          FROM queue WHERE id = ?
          """, arguments: [queueID])
      guard let row else { return .notFound }
      let status: String = row[0]
      let isTexted: Bool = row[1]
      let textAttempts: Int = row[2]
      let hasIntent: Bool = row[4]
      if status == QueueStatus.synced.rawValue { return .alreadySynced }
      if status == QueueStatus.inFlight.rawValue || hasIntent { return .busy }
      let isParked: Bool = row[3]
      let isFailed = status == QueueStatus.failed.rawValue
      if isFailed {
        try database.execute(
          sql: """
            UPDATE queue SET status = 'pending', attempts = 0, requeues = requeues + 1 WHERE id = ?
            """, arguments: [queueID])
      }
      let isUndated: Bool = row[5]
      let goesAgain = !isTexted && textAttempts < 3 && !isUndated
      if goesAgain {
        let after = try FallbackSetting.after(database)
        try database.execute(
          sql: """
            UPDATE queue SET parked_reason = NULL, sms_sent = 0, undelivered = 0,
              allowance = text_attempts, outdated = 0, worth_t = ?1, text_due_t = max(?1, since_t + ?2)
            WHERE id = ?3
            """, arguments: [moment.boot.nanoseconds, after + 1, queueID])
      } else if isParked {
        try database.execute(
          sql: "UPDATE queue SET parked_reason = NULL WHERE id = ?", arguments: [queueID])
      }
      if goesAgain || isFailed { return .retried }
      if isUndated { return .undated }
      return isTexted ? .alreadyTexted : .tooManyTexts
    }
  }

  /// Sets a passage aside: it is not texted until somebody asks for it to be tried again.
  ///
  /// - Returns: false when there is no such passage or the server has it already.
  public func park(_ queueID: Int64, reason: String) throws(StorageError) -> Bool {
    try SQLiteFile.write(queue, path) { database in
      try database.execute(
        sql: """
          UPDATE queue SET parked_reason = ?, text_due_t = NULL
          WHERE id = ? AND status <> 'synced'
          """, arguments: [String(reason.prefix(Limits.errorCharacters)), queueID])
      return database.changesCount > 0
    }
  }
}
