public import Storage
public import Time

/// Passages that were removed because the server has them.
public struct Pruned: Hashable, Sendable {
  /// How many.
  public var passages = 0
  /// Where their photographs lie, which nothing needs any more.
  public var photos: [String] = []

  /// None.
  public init() {}
}

extension NodeStore {
  /// Removes passages that the server has with all that belongs to them, the oldest first. Their identities
  /// stay known, and so does what their texts cost.
  ///
  /// - Parameters:
  ///   - time: Only those that the server had before this moment; nil for all.
  ///   - limit: How many at most: a transaction is to be short.
  public func prune(
    syncedBefore time: BootInstant?, limit: Int, at moment: Moment
  ) throws(StorageError) -> Pruned {
    try transaction { transaction throws(StorageError) in
      try transaction.prune(syncedBefore: time, limit: limit, at: moment)
    }
  }
}
