public import Passages
public import Storage
public import Time

/// A passage that was recorded while the clock had not been set.
public struct UndatedPassage: Hashable, Sendable {
  /// Its place in the queue.
  public var queueID: Int64
  /// What was written down.
  public var passage: Passage
  /// When it was recorded, by the node's clock.
  public var since: BootInstant

  /// A passage without a time of its own.
  public init(queueID: Int64, passage: Passage, since: BootInstant) {
    self.queueID = queueID
    self.passage = passage
    self.since = since
  }
}

/// What came of giving a passage its time.
public enum DatingOutcome: Hashable, Sendable {
  /// It has its time, and goes to the server and as a text like any other; it is known under this
  /// identity from now on, and under the one before as well.
  case dated(ClientID)
  /// It has its time already, or something of it has left: nothing was changed.
  case alreadyDated
  /// There is no such passage.
  case notFound
}

extension NodeTransaction {
  /// Gives a passage its time, once: before that nothing of it leaves. Where its content belongs to another
  /// passage then, it keeps the identity that it has: both may have been seen.
  ///
  /// - Parameter passage: The passage with its time, its identity and its body.
  public func date(
    _ queueID: Int64, as passage: Passage, at moment: Moment
  ) throws(StorageError) -> DatingOutcome {
    guard let known = try self.passage(queueID) else { return .notFound }
    guard known.isUndated, !passage.isUndated, try !hasLeft(queueID) else { return .alreadyDated }
    var dated = passage
    if try holder(of: dated, besides: queueID) != nil {
      dated.contentClientID = passage.contentClientID ?? passage.clientID
      dated.clientID = known.clientID
    }
    try replace(queueID, with: dated, at: moment)
    return .dated(dated.clientID)
  }
}

/// What came of a person's word of when a passage was.
public enum HandDating: Hashable, Sendable {
  /// It has its time, and goes to the server and as a text like any other; it is known under this identity
  /// from now on, and under the one before as well.
  case dated(ClientID)
  /// It has its time already, or something of it has left: nothing was changed.
  case alreadyDated
  /// Somebody marked it as handed on, as it was.
  case handedOn
  /// No text can say that time, or it lies before this program; nothing was changed.
  case unsayable
  /// That time has not come yet, by this machine's clock; nothing was changed.
  case ahead
  /// There is no such passage.
  case notFound
}

extension NodeStore {
  /// Gives a passage without a time the one that a person knows it was at, once. It is the way out for one
  /// of which nothing here can tell: it was recorded before the machine was switched off, by a clock that
  /// had not been set.
  ///
  /// - Parameter future: How far ahead of this machine's clock the time may lie. A clock that has not been
  ///   set says nothing against it.
  public func date(
    _ queueID: Int64, at time: WallTime, future: Duration, moment: Moment
  ) throws(StorageError) -> HandDating {
    guard let item = try item(queueID) else { return .notFound }
    guard item.passage.isUndated else { return .alreadyDated }
    guard item.handedOnAt == nil else { return .handedOn }
    guard time >= Passage.earliest else { return .unsayable }
    guard moment.wall < Passage.earliest || time <= moment.wall + future else { return .ahead }
    let passage: Passage
    do throws(V1Error) {
      passage = try item.passage.dated(at: time)
    } catch {
      return .unsayable
    }
    let outcome = try transaction { transaction throws(StorageError) in
      let outcome = try transaction.date(queueID, as: passage, at: moment)
      if case .dated = outcome { try transaction.forgetClock(queueID) }
      return outcome
    }
    return switch outcome {
    case .dated(let identity): .dated(identity)
    case .alreadyDated: .alreadyDated
    case .notFound: .notFound
    }
  }
}
