public import Storage

/// What came of withdrawing a passage.
public enum WithdrawalOutcome: String, Hashable, Sendable {
  /// Nothing of it had left, and nothing will.
  case keptHere = "kept_here"
  /// The server has it, or may have it, and is told that it never was.
  case queued
  /// It was withdrawn before.
  case alreadyWithdrawn = "already_withdrawn"
  /// There is no such passage.
  case notFound = "not_found"
}

extension NodeStore {
  /// Withdraws a passage that never was: a wrong key, a vehicle that did not pass. It stays in the store with
  /// the reason. No text is begun for it any more; where something of it may have left, the server is told
  /// behind it, and elsewhere nothing of it leaves. That is never taken back.
  public func withdraw(
    _ queueID: Int64, reason: String, at moment: Moment
  ) throws(StorageError) -> WithdrawalOutcome {
    try transaction { transaction throws(StorageError) in
      guard let standing = try transaction.standing(of: queueID) else { return .notFound }
      if standing.isWithdrawn { return .alreadyWithdrawn }
      let hasLeft = try transaction.hasLeft(queueID)
      try transaction.withdraw(queueID, reason: reason, tellsServer: hasLeft, at: moment)
      return hasLeft ? .queued : .keptHere
    }
  }
}

/// How far the server knows that a passage was withdrawn.
public enum WithdrawalStanding: String, Hashable, Sendable {
  /// It is to be told.
  case pending
  /// It is being told.
  case inFlight = "in_flight"
  /// It knows.
  case synced
  /// It was given up for now.
  case failed
  /// It refused it for good.
  case refused
}
