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
