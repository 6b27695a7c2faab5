public import Passages
public import Storage
public import Time

/// What the server has under the identity of a passage that is something else here.
public struct ConflictRecord: Hashable, Sendable {
  /// The place of the passage in the queue.
  public var queueID: Int64
  /// What was recorded here.
  public var ours: Passage
  /// What the server has.
  public var theirs: StoredOnServer
  /// When it was found, by the wall clock.
  public var foundAt: WallTime
  /// Which of them counts; nil while a person has to decide.
  public var resolution: ConflictResolution?

  /// A conflict.
  public init(
    queueID: Int64, ours: Passage, theirs: StoredOnServer, foundAt: WallTime,
    resolution: ConflictResolution?
  ) {
    self.queueID = queueID
    self.ours = ours
    self.theirs = theirs
    self.foundAt = foundAt
    self.resolution = resolution
  }
}

extension NodeStore {
  /// Decides a conflict that waits for a person.
  ///
  /// - Returns: false when there is none for that passage, or it is decided already, or nothing was decided.
  public func resolve(
    _ queueID: Int64, as resolution: ConflictResolution, at moment: Moment
  ) throws(StorageError) -> Bool {
    guard resolution != .manual else { return false }
    return try transaction { transaction throws(StorageError) in
      try transaction.resolve(queueID, as: resolution, at: moment)
    }
  }
}
