public import ModemSession
public import NodeCore
public import Time

/// What a node is doing, with what its modems last said of themselves.
public struct NodeReport: Sendable {
  /// The node's clock.
  public var time: BootInstant
  /// The decisions' side of it: connectivity, modems, budget.
  public var node: NodeSnapshot
  /// The last status of each modem; nil before the first.
  public var modems: [ModemStatus?]
  /// Passages that are or will be due for a text.
  public var waiting: Int
  /// Events that wait for the store to keep them.
  public var unstored: Int
  /// What rangers were warned of lately; nil where vehicles are not matched.
  public var alerts: AlertBook?
  /// Where vehicles are matched; nil where they are not.
  public var place: MatchingPlace?
  /// What the server's clock showed last; nil while it has not told.
  public var serverTime: KnownTime?
  /// By how much this machine's clock is known to be behind; nil while nothing that the store has seen
  /// contradicts it.
  public var clockBehind: Duration?
  /// Why the store takes nothing just now; nil while it does.
  public var storageFailure: NodeFacts.StoreFailure?
}
