public import Time

/// How a pool's connections are.
public struct PostgreSQLHealth: Hashable, Sendable {
  /// How many connections there are to be.
  public var size: Int
  /// How many there are.
  public var connected: Int
  /// How many of them are at work.
  public var running: Int
  /// Calls that wait for one.
  public var waiting: Int
  /// Why the last connection was lost, or could not be made; nil since there is one again.
  public var lastError: PostgreSQLError?
  /// Since when there is a connection, or there is none.
  public var since: BootInstant

  /// Whether there is a connection.
  public var isConnected: Bool { connected > 0 }
}
