/// How a simulated server, and the way to it, behave.
public struct ServerBehaviour: Hashable, Sendable {
  /// How long each answer takes besides.
  public var latency: Duration = .zero
  /// Whether connections are refused, and those that there are reset.
  public var isAway = false
  /// How many answers a connection has before it is closed without a word; nil for as many as are asked for.
  public var answersPerConnection: Int?
  /// How many bytes a second the line takes of what each connection sends; nil for as many as come.
  public var bytesPerSecond: Int?
  /// How many bytes are written at a time.
  public var piece = 65_536

  /// Well.
  public init() {}
}
