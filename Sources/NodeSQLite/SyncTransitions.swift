import GRDB
public import NodeCore
import SQLiteFile
public import Storage
import Time

/// A step of a passage on its way to the server over HTTP.
public enum SyncStep: Hashable, Sendable {
  /// It is being sent: pending → in_flight.
  case claimed
  /// The server has it: in_flight → synced.
  case synced
  /// It was not taken this time: in_flight → pending with one attempt more, or → failed when that
  /// was the fifth.
  case missed(error: String)
  /// It will never be taken as it is: in_flight → failed.
  case refused(error: String)
}

extension StoreTransaction {
  /// Moves a passage along its state machine.
  ///
  /// The database refuses every step that the machine does not have, so a passage that is synced, or
  /// that somebody else moved, throws ``StorageError/refusedChange(path:detail:)``.
  ///
  /// - Returns: where the passage stands now.
  @discardableResult
  public func step(
    _ queueID: Int64, _ step: SyncStep, at moment: Moment
  ) throws(StorageError) -> QueueStatus {
    try sorted {
      switch step {
      case .claimed:
        try change(
          queueID, "status = 'in_flight', last_attempt_at_ms = ?", [moment.wall.milliseconds])
        return .inFlight
      case .synced:
        try change(queueID, "status = 'synced', text_due_t = NULL", [])
        return .synced
      case .missed(let error):
        let attempts =
          try Int.fetchOne(
            database, sql: "SELECT attempts FROM queue WHERE id = ?", arguments: [queueID]) ?? 0
        if attempts + 1 < 5 {
          try change(
            queueID,
            """
            status = 'pending', attempts = attempts + 1, last_error = ?,
            last_error_class = 'transient'
            """, [kept(error)])
          return .pending
        }
        try fail(queueID, error: error, errorClass: "transient", at: moment)
        return .failed
      case .refused(let error):
        try fail(queueID, error: error, errorClass: "permanent", at: moment)
        return .failed
      }
    }
  }

  /// A passage that has failed is due for a text at once, unless one is or may be on air already.
  private func fail(
    _ queueID: Int64, error: String, errorClass: String, at moment: Moment
  ) throws {
    try change(
      queueID,
      """
      status = 'failed', attempts = min(attempts + 1, 5), last_error = ?, last_error_class = ?,
      text_due_t = iif(text_due_t IS NULL, NULL, min(text_due_t, ?))
      """, [kept(error), errorClass, moment.boot.nanoseconds])
  }

  private func change(
    _ queueID: Int64, _ assignments: String, _ values: StatementArguments
  ) throws {
    try database.execute(
      sql: "UPDATE queue SET \(assignments) WHERE id = ?",
      arguments: values + [queueID])
    if database.changesCount == 0 {
      throw StorageError.refusedChange(path: path, detail: "queue row \(queueID) does not exist")
    }
  }

  private func kept(_ error: String) -> String {
    String(error.prefix(Limits.errorCharacters))
  }
}
