extension Settings {
  /// Where the central listens for HTTP, and what it makes of whoever calls.
  public struct HTTP: Hashable, Sendable {
    /// Whether to listen at all.
    public var enabled = true
    /// The address to listen at, a number or a name.
    public var address = "127.0.0.1"
    /// The port to listen at, 0 to 65,535; 0 takes a free one.
    public var port = 8_080
    /// The path of the socket to listen at in place of the address; nil for none.
    public var socket: String?
    /// Who may connect to the socket.
    public var socketAccess = SocketAccess.group
    /// The group of the socket; nil for the service's own.
    public var socketGroup: String?
    /// Connections of one address at a time, 1 to 256.
    public var connectionsPerAddress = 16
    /// Addresses of proxies, and ranges of them, whose word for a client is believed.
    public var proxies = ["127.0.0.1", "::1"]
    /// Where the proxies name the client.
    public var forwarded = ForwardedName.xForwardedFor
    /// How often an address and a key may ask in a minute.
    public var limits = HTTPLimits()
    /// What pages of other origins may do.
    public var cors = CORS()
    /// How people and programs sign in.
    public var auth = Auth()
    /// Whether tables, photographs and functions are there for posts and dashboards.
    public var api = false
  }

  /// Who may connect to a socket.
  public enum SocketAccess: String, CaseIterable, Hashable, Sendable {
    /// The service's user.
    case owner
    /// The members of the socket's group too.
    case group
    /// Every process of the machine.
    case anybody
  }

  /// The header in which a proxy names the client.
  public enum ForwardedName: String, CaseIterable, Hashable, Sendable {
    /// `X-Forwarded-For`, and `X-Forwarded-Proto` beside it.
    case xForwardedFor = "x-forwarded-for"
    /// `Forwarded` (RFC 7239).
    case forwarded
  }

  /// How often an address and a key may ask in a minute, 0 to 1,000,000; 0 bounds nothing.
  public struct HTTPLimits: Hashable, Sendable {
    /// Wrong signatures of an address.
    public var badSignatures = 10
    /// Passwords that an address shows.
    public var signIns = 30
    /// Requests of an address that read.
    public var reads = 3_000
    /// Requests of an address that write.
    public var writes = 6_000
    /// Requests with a key, or of an account, that read.
    public var keyReads = 6_000
    /// Requests with a key, or of an account, that write.
    public var keyWrites = 12_000
  }

  /// What pages of other origins may do.
  public struct CORS: Hashable, Sendable {
    /// The origins whose pages may read answers; `*` for any.
    public var origins: [String] = []
  }
}
