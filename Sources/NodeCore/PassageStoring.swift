public import Time

/// A moment on both clocks: the node's own, which decides, and the wall's, which is written down.
public struct Moment: Hashable, Sendable {
  /// The node's clock, carried over restarts.
  public var boot: BootInstant
  /// The wall clock, for what people read; it may jump.
  public var wall: WallTime

  /// A moment on both clocks.
  public init(boot: BootInstant, wall: WallTime) {
    self.boot = boot
    self.wall = wall
  }
}

/// What a node needs of its store, inside one transaction.
public protocol PassageTransaction {
  /// What can go wrong with the store.
  associatedtype Failure: Error

  /// The oldest passage, by its place in the queue, that is due for a text; or when the first one
  /// will be. Passages with a text on its way, texted, parked or synced ones are never due.
  func chooseDue(at now: BootInstant) throws(Failure) -> DueAnswer

  /// Carries out one change.
  func apply(_ write: NodeWrite, at moment: Moment) throws(Failure)
}

/// What a node needs of its store.
public protocol PassageStoring {
  /// What can go wrong with the store.
  associatedtype Failure: Error
  /// The store inside one transaction; it must not be used after that.
  associatedtype Transaction: PassageTransaction where Transaction.Failure == Failure

  /// Runs `body` in one transaction that is on disk when this returns, and undone when it throws.
  func transaction<Value>(
    _ body: (Transaction) throws(Failure) -> Value
  ) throws(Failure) -> Value
}
