import GRDB
public import NodeCore
public import SQLiteFile
import Timing

/// What came of asking that a passage be tried again.
public enum RetryOutcome: Hashable, Sendable {
  /// It is tried again as soon as the rule allows.
  case retried
  /// The server has it; there is nothing to try.
  case alreadySynced
  /// A text for it was accepted; it will not be texted again, and goes to the server when there is
  /// connectivity.
  case alreadyTexted
  /// Three texts for it may be on air; there will be no fourth.
  case tooManyTexts
  /// It is being sent at this moment.
  case busy
  /// There is no such passage.
  case notFound
}

extension PassageStore {
  /// Lets a passage be tried again: one that failed is pending with no attempts, one that was parked
  /// is no longer, and one whose text has an unknown outcome may be texted once more.
  public func retry(_ queueID: Int64, at moment: Moment) throws(StorageError) -> RetryOutcome {
    try SQLiteFile.write(queue, path) { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT status, sms_sent, airings, parked_reason,
            EXISTS (SELECT 1 FROM texts WHERE queue_id = queue.id AND outcome = 'intent')
          FROM queue WHERE id = ?
          """, arguments: [queueID])
      guard let row else { return .notFound }
      let status: String = row[0]
      let isTexted: Bool = row[1]
      let airings: Int = row[2]
      let hasIntent: Bool = row[4]
      if status == QueueStatus.synced.rawValue { return .alreadySynced }
      if status == QueueStatus.inFlight.rawValue || hasIntent { return .busy }
      let parkedReason: String? = row[3]
      if status == QueueStatus.failed.rawValue {
        try database.execute(
          sql: """
            UPDATE queue SET status = 'pending', attempts = 0, rearms = rearms + 1 WHERE id = ?
            """, arguments: [queueID])
      } else if isTexted, parkedReason == nil {
        return .alreadyTexted
      } else if airings >= 3, parkedReason == nil {
        return .tooManyTexts
      }
      let after = try FallbackSetting.after(database)
      try database.execute(
        sql: """
          UPDATE queue SET parked_reason = NULL, allowance = airings, outdated = 0, worth_t = ?1,
            text_due_t = iif(sms_sent = 1 OR airings >= 3, NULL, max(?1, since_t + ?2))
          WHERE id = ?3
          """, arguments: [moment.boot.nanoseconds, after + 1, queueID])
      return .retried
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
