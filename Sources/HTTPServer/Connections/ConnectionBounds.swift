import NIOCore

/// How many connections whoever calls may have.
public struct AddressBounds: Hashable, Sendable {
  /// Connections of one address at a time, 1 to 256; of an IPv6 address those of its /64 count together.
  public var connectionsPerAddress: Int
  /// Addresses, or ranges of them as in `10.0.0.0/8`, that are not counted, since a proxy there speaks
  /// for many; it is believed for whom.
  public var proxies: [String]

  /// The bounds; as configured by default where nothing is said.
  public init(connectionsPerAddress: Int = 16, proxies: [String] = ["127.0.0.1", "::1"]) {
    self.connectionsPerAddress = connectionsPerAddress
    self.proxies = proxies
  }
}

/// The bounds of a server's connections.
struct ConnectionBounds: Sendable {
  var header = TimeAmount.seconds(Limits.headerSeconds)
  var body = TimeAmount.seconds(Limits.bodySeconds)
  var answer = TimeAmount.seconds(Limits.answerSeconds)
  var idle = TimeAmount.seconds(Limits.idleSeconds)
  var linger = TimeAmount.seconds(Limits.lingerSeconds)
  var givesWayAfter = TimeAmount.milliseconds(Limits.givesWayAfterMilliseconds)
  var connections = Limits.connections
  var addresses = AddressBounds()
}
