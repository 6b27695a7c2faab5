public import Time

/// Single things that a node knows of its server and of its line, kept over restarts.
public struct NodeMemory: Hashable, Sendable {
  /// What the next access token is asked for with; on disk before the one that it came with is used.
  public var refreshToken: Token?
  /// The server's name of the user that is signed in.
  public var userID: String?
  /// Until when the server asked not to be asked for a token (`Retry-After`), by the node's clock; nil when
  /// it did not.
  public var signInRestsUntil: BootInstant?
  /// What the server told of this place.
  public var directory: PostDirectory?
  /// Since when connectivity has been absent, by the node's clock; nil while it is there.
  public var offlineSince: BootInstant?
  /// Since when the server takes nothing, whether it is there or not; nil once it takes something.
  public var serverDownSince: BootInstant?
  /// When a passage last failed to reach it, by the node's clock; nil once one was taken. What only a
  /// question met since then is refuted by a question.
  public var pushFailedAt: BootInstant?
  /// Why it takes no passage, where that is what passages met; nil once one was taken.
  public var pushImpairment: Impairment?
  /// When the server last took something or said that it has it.
  public var lastSyncedAt: WallTime?
  /// When passages of the opposite post were last pulled.
  public var lastPulledAt: WallTime?
  /// What the server's clock showed, and when that was by the node's clock; nil when it told nothing in
  /// this start of the machine.
  public var serverTime: KnownTime?
  /// What rangers were warned of lately.
  public var alerts: [TravelAlert] = []

  /// Nothing is known yet.
  public init() {}
}
