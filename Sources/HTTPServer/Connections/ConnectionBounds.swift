import NIOCore

/// How many connections whoever calls may have.
public struct AddressBounds: Hashable, Sendable {
  /// Connections of one address at a time, 1 to 256; of an IPv6 address those of its /64 count together.
  public var connectionsPerAddress: Int
  /// Addresses that are not counted, since a proxy there speaks for many.
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
  var bodies: [BodyBounds] = []

  /// How large a body for a path may be, and how long it may take.
  func body(of path: String) -> (bytes: Int, time: TimeAmount) {
    guard let own = bodies.first(where: { path.hasPrefix($0.prefix) }) else {
      return (Limits.bodyBytes, body)
    }
    return (own.bytes, own.time)
  }
}

/// The bounds of bodies that go to paths with one beginning.
struct BodyBounds: Sendable {
  var prefix: String
  var bytes: Int
  var time: TimeAmount

  static let ofAPI = [
    BodyBounds(
      prefix: "/rest/v1/", bytes: Limits.rowBytes, time: .seconds(Limits.rowSeconds)),
    BodyBounds(
      prefix: "/storage/v1/object/", bytes: Limits.photoBytes + Limits.multipartHeadBytes * 2,
      time: .seconds(Limits.photoSeconds)),
  ]
}
