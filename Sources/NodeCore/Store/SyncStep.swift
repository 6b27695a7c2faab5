public import Storage

/// A step of a passage on its way to the server over HTTP.
public enum SyncStep: Hashable, Sendable {
  /// It is being sent: pending → in_flight.
  case claimed
  /// The server has it: in_flight → synced.
  case synced
  /// It was not taken this time: in_flight → pending with one attempt more, or → failed when that
  /// was the last one allowed.
  case missed(error: String)
  /// It will never be taken as it is: in_flight → failed.
  case refused(error: String)

  /// What the step makes of a passage that was attempted so often before, and where it stands then.
  func change(
    afterAttempts attempts: Int, at moment: Moment
  ) -> (StandingChange, QueueStatus) {
    switch self {
    case .claimed: (.claimed(at: moment.wall), .inFlight)
    case .synced: (.synced, .synced)
    case .missed(let error):
      attempts + 1 < Limits.attempts
        ? (.missed(error: error), .pending)
        : (.failed(error: error, isPermanent: false, at: moment.boot), .failed)
    case .refused(let error):
      (.failed(error: error, isPermanent: true, at: moment.boot), .failed)
    }
  }
}

extension NodeTransaction {
  /// Moves a passage along its way to the server. The store refuses every step that the queue does not
  /// have, so for a passage that is synced, or that somebody else moved, this throws.
  ///
  /// - Returns: where the passage stands now.
  @discardableResult
  public func step(
    _ queueID: Int64, _ step: SyncStep, at moment: Moment
  ) throws(StorageError) -> QueueStatus {
    let attempts = try standing(of: queueID)?.attempts ?? 0
    let (change, status) = step.change(afterAttempts: attempts, at: moment)
    try self.change(queueID, change)
    return status
  }
}
