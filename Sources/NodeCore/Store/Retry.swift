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
  /// It was withdrawn; nothing of it goes.
  case withdrawn
  /// Of what was asked for there is nothing that was given up or is on hold.
  case nothingToRetry = "nothing_to_retry"
  /// It is being sent at this moment.
  case busy
  /// There is no such passage.
  case notFound = "not_found"
}

/// What of a passage somebody asks to be tried again.
public enum RetryPart: String, CaseIterable, Hashable, Sendable {
  /// The passage itself, to the server.
  case passage
  /// Its photograph.
  case photo
  /// Its corrections, and its withdrawal.
  case correction
  /// Its texts, to central and to others.
  case texts

  /// The kind of upload that it is; nil for texts.
  var kind: UploadKind? { UploadKind(rawValue: rawValue) }
}

/// What asking that a passage be tried again makes of it.
struct Retry: Hashable, Sendable {
  var outcome: RetryOutcome
  var changes: [StandingChange] = []

  /// One that failed is pending with no attempts, one that was on hold is no longer, and one may be
  /// texted once more whose text has an unknown outcome or was, as the network reported, not delivered.
  /// What hangs on it and was given up is tried again with it. What will not be tried again is left as it
  /// was.
  ///
  /// - Parameter parts: What is meant of it.
  init(
    _ standing: QueueStanding, parts: Set<RetryPart> = Set(RetryPart.allCases),
    fallbackAfter: Duration, at now: BootInstant
  ) {
    let behind = standing.failedBehind.intersection(parts.compactMap(\.kind))
    if standing.isWithdrawn {
      // Of that only the server may have to be told once more.
      let isTold = behind.contains(.correction)
      outcome = isTold ? .retried : .withdrawn
      if isTold { changes = [.requeued([.correction])] }
      return
    }
    if standing.status == .synced {
      if standing.isOnHold { changes.append(.unparked) }
      if !behind.isEmpty { changes.append(.requeued(behind)) }
      outcome = changes.isEmpty ? .alreadySynced : .retried
      return
    }
    if standing.status == .inFlight || standing.hasOpenText {
      outcome = .busy
      return
    }
    let isFailed = standing.status == .failed && parts.contains(.passage)
    // One that waits after an attempt that failed goes at once, too.
    let goesUp = isFailed || standing.attempts > 0 && parts.contains(.passage)
    let kinds = goesUp ? behind.union([.passage]) : behind
    if !kinds.isEmpty { changes.append(.requeued(kinds)) }
    let goesAgain =
      parts.contains(.texts) && !standing.isTexted
      && standing.textAttempts < Limits.textsPerPassage && !standing.isUndated
    let due = max(now, standing.since + fallbackAfter + .nanoseconds(1))
    if goesAgain {
      changes.append(.textAgain(due: due, askedAt: now))
    } else if isFailed && standing.isParked || standing.isOnHold {
      changes.append(.unparked)
    }
    // What somebody handed on is taken back by a text to central alone.
    let othersGo =
      parts.contains(.texts) && standing.hasOthers && !standing.isUndated
      && (goesAgain || !standing.isHandedOn)
    if othersGo { changes.append(.othersAgain(due: due, askedAt: now)) }
    if !changes.isEmpty {
      outcome = .retried
    } else if !parts.contains(.texts) {
      outcome = .nothingToRetry
    } else if standing.isUndated {
      outcome = .undated
    } else {
      outcome = standing.isTexted ? .alreadyTexted : .tooManyTexts
    }
  }
}

extension NodeStore {
  /// Lets a passage be tried again: what failed is pending with no attempts, what was on hold is no longer,
  /// and it may be texted once more where its text has an unknown outcome or was, as the network reported,
  /// not delivered.
  ///
  /// - Parameter parts: What of it is meant.
  public func retry(
    _ queueID: Int64, _ parts: Set<RetryPart> = Set(RetryPart.allCases), at moment: Moment
  ) throws(StorageError) -> RetryOutcome {
    try transaction { transaction throws(StorageError) in
      guard let standing = try transaction.standing(of: queueID) else { return .notFound }
      let after = try transaction.fallbackAfter() ?? NodeRules().fallbackAfter
      let retry = Retry(standing, parts: parts, fallbackAfter: after, at: moment.boot)
      for change in retry.changes { try transaction.change(queueID, change) }
      return retry.outcome
    }
  }

  /// Puts a passage on hold: nothing of it is uploaded and no text is begun for it until somebody asks for
  /// it to be tried again. What is on its way runs its course.
  ///
  /// - Returns: false when there is no such passage, the server has all of it, or it was withdrawn.
  public func park(_ queueID: Int64, reason: String) throws(StorageError) -> Bool {
    let hangs = try uploads(of: queueID).contains { $0.status != .synced }
    return try transaction { transaction throws(StorageError) in
      guard let standing = try transaction.standing(of: queueID), !standing.isWithdrawn,
        standing.status != .synced || hangs
      else {
        return false
      }
      try transaction.change(queueID, .parked(reason: reason))
      return true
    }
  }
}
