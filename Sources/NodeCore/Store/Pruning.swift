public import Storage
public import Time

/// Passages that were removed because the server has them, or because they were withdrawn.
public struct Pruned: Hashable, Sendable {
  /// How many.
  public var passages = 0
  /// Where their photographs lie, which nothing needs any more.
  public var photos: [String] = []

  /// None.
  public init() {}

  /// Whether there were none.
  public var isEmpty: Bool { passages == 0 && photos.isEmpty }
}

extension NodeTransaction {
  /// Gives up what can be spared where room is short: photographs that the server has, and once there are none
  /// of these left, passages that it has, the oldest first.
  ///
  /// - Parameters:
  ///   - passages: Whether passages may go; only what the file system has free is more without them.
  ///   - limit: How many at most: a transaction is to be short.
  public func makeRoom(
    passages: Bool, limit: Int, at moment: Moment
  ) throws(StorageError) -> Pruned {
    var pruned = Pruned()
    pruned.photos = try dropPhotos(limit: limit, at: moment)
    guard pruned.photos.isEmpty, passages else { return pruned }
    return try prune(syncedBefore: nil, limit: limit, at: moment)
  }
}

extension NodeStore {
  /// Gives up what can be spared; see ``NodeTransaction/makeRoom(passages:limit:at:)``. The files of the
  /// photographs are for the caller to remove.
  public func makeRoom(
    passages: Bool, limit: Int, at moment: Moment
  ) throws(StorageError) -> Pruned {
    try transaction { transaction throws(StorageError) in
      try transaction.makeRoom(passages: passages, limit: limit, at: moment)
    }
  }

  /// Removes passages that the server has with all that belongs to them, and those that were withdrawn, the oldest
  /// first. One whose withdrawal the server is still to be told stays. Their identities stay known, and so does what
  /// their texts cost.
  ///
  /// - Parameters:
  ///   - time: Only those that the server had before this moment, or that were withdrawn before it; nil for all.
  ///   - limit: How many at most: a transaction is to be short.
  public func prune(
    syncedBefore time: BootInstant?, limit: Int, at moment: Moment
  ) throws(StorageError) -> Pruned {
    try transaction { transaction throws(StorageError) in
      try transaction.prune(syncedBefore: time, limit: limit, at: moment)
    }
  }
}
