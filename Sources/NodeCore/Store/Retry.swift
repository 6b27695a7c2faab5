public import Storage
import Time

/// What came of asking that a passage be tried again.
public enum RetryOutcome: String, Hashable, Sendable {
  /// It is tried again as soon as the rule allows.
  case retried
  /// The server has it; there is nothing to try.
  case alreadySynced = "already_synced"
  /// A text for it was accepted, and no report says that it was not delivered: it is not texted
  /// again, and nothing is changed.
  case alreadyTexted = "already_texted"
  /// Three texts for it went on air or may have; there will be no fourth, and nothing is changed.
  case tooManyTexts = "too_many_texts"
  /// Nobody knows when it was: it was recorded while the clock had not been set, and a text says the
  /// time. Nothing is changed.
  case undated
  /// It is being sent at this moment.
  case busy
  /// There is no such passage.
  case notFound = "not_found"
}

/// What asking that a passage be tried again makes of it.
struct Retry: Hashable, Sendable {
  var outcome: RetryOutcome
  var changes: [StandingChange] = []

  /// What of it failed is pending with no attempts, one that was parked is no longer, and one may be
  /// texted once more whose text has an unknown outcome or was, as the network reported, not delivered.
  /// What will not be tried again is left as it was.
  init(_ standing: QueueStanding, fallbackAfter: Duration, at now: BootInstant) {
    if standing.status == .synced {
      // Its photograph or a correction may be what is asked for.
      outcome = standing.hasFailedBehind ? .retried : .alreadySynced
      if standing.hasFailedBehind { changes.append(.requeued) }
      return
    }
    if standing.status == .inFlight || standing.hasOpenText {
      outcome = .busy
      return
    }
    let isFailed = standing.status == .failed
    // One that waits after an attempt that failed goes at once, too.
    let goesUp = isFailed || standing.attempts > 0 || standing.hasFailedBehind
    if goesUp { changes.append(.requeued) }
    let goesAgain =
      !standing.isTexted && standing.textAttempts < Limits.textsPerPassage && !standing.isUndated
    if goesAgain {
      let due = standing.since + fallbackAfter + .nanoseconds(1)
      changes.append(.textAgain(due: max(now, due), askedAt: now))
    } else if isFailed, standing.isParked {
      changes.append(.unparked)
    }
    if goesAgain || goesUp {
      outcome = .retried
    } else if standing.isUndated {
      outcome = .undated
    } else {
      outcome = standing.isTexted ? .alreadyTexted : .tooManyTexts
    }
  }
}

extension NodeStore {
  /// Lets a passage be tried again: one that failed is pending with no attempts, one that was parked
  /// is no longer, and one may be texted once more whose text has an unknown outcome or was, as the
  /// network reported, not delivered.
  public func retry(_ queueID: Int64, at moment: Moment) throws(StorageError) -> RetryOutcome {
    try transaction { transaction throws(StorageError) in
      guard let standing = try transaction.standing(of: queueID) else { return .notFound }
      let after = try transaction.fallbackAfter() ?? NodeRules().fallbackAfter
      let retry = Retry(standing, fallbackAfter: after, at: moment.boot)
      for change in retry.changes { try transaction.change(queueID, change) }
      return retry.outcome
    }
  }

  /// Sets a passage aside: it is not texted until somebody asks for it to be tried again.
  ///
  /// - Returns: false when there is no such passage or the server has it already.
  public func park(_ queueID: Int64, reason: String) throws(StorageError) -> Bool {
    try transaction { transaction throws(StorageError) in
      guard let standing = try transaction.standing(of: queueID), standing.status != .synced else {
        return false
      }
      try transaction.change(queueID, .parked(reason: reason))
      return true
    }
  }
}
