import EventLoop
import NodeCore

/// Where the server is, how it is reached, and how we show who we are.
public struct ServerEndpoint: Hashable, Sendable {
  /// The way past what stands between this machine and the network.
  public enum Proxy: Hashable, Sendable {
    /// None.
    case none
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, as other programs read them. A
    /// server on this machine is asked without one.
    case environment
    /// The one of this URL; what `no_proxy` names is asked without it.
    case url(String)
  }

  /// The server's URL without a path.
  public var url: String
  /// What goes into the `apikey` header.
  public var apiKey: String?
  /// What goes into the `Authorization` header, after `Bearer`, when a request has no token of its own.
  public var token: String?
  /// How long an exchange may take, from the name's resolution to the last byte, unless a request has a
  /// time of its own.
  public var timeout: Duration
  /// How long it may take to find the address that belongs to the name.
  public var nameTimeout: Duration = .seconds(10)
  /// How long it may take until the machine there has taken the connection, by any of its addresses.
  public var connectTimeout: Duration = .seconds(10)
  /// How long it may take to agree on TLS.
  public var tlsTimeout: Duration = .seconds(10)
  /// How long an exchange may stand still.
  public var stallTimeout: Duration = .seconds(30)
  /// The proxy.
  public var proxy = Proxy.none
  /// The file of the certificates that alone may vouch for the server; nil for those of the system.
  public var caFile: String?
  /// Of which public keys the server has to have one, each as `sha256//…`; empty for any.
  public var pins: [String] = []
  /// Whether a server of a private network may be asked without TLS.
  public var allowsPlainHTTP = false

  /// A server.
  public init(url: String, apiKey: String? = nil, token: String? = nil, timeout: Duration) {
    self.url = url
    self.apiKey = apiKey
    self.token = token
    self.timeout = timeout
  }

  /// Why it is not asked, since it would be without TLS; nil when it may be.
  ///
  /// Whoever is on the way would read the key, the password and every passage. This machine has no way in
  /// between, and of a private network its owner may say that it has none either.
  public var plainFault: String? {
    guard url.lowercased().hasPrefix("http://") else { return nil }
    switch ServerHost(url: url)?.reach {
    case .thisMachine: return nil
    case .privateNetwork:
      return allowsPlainHTTP
        ? nil
        : "server.url goes without TLS; use https://, or set server.allow_plain_http where nobody"
          + " else is on that network"
    case .elsewhere, nil:
      return "server.url goes without TLS, and the server is on no private network; use https://"
    }
  }

  /// Whether it is asked without TLS over a network, since it is allowed to be.
  public var isPlainOnNetwork: Bool {
    url.lowercased().hasPrefix("http://") && plainFault == nil
      && ServerHost(url: url)?.reach != .thisMachine
  }

  /// What is wrong with it; nil when it can be asked.
  var fault: String? {
    // The library would take what follows for the host, or guess a scheme.
    let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()),
      let first = parts[1].utf8.first, first != UInt8(ascii: "/")
    else { return "server.url cannot be asked; it has to be http or https" }
    if let plainFault { return plainFault }
    guard headers(showing: nil).allSatisfy(ServerEndpoint.isHeader) else {
      return "the key or token of the server holds a control character; write it again"
    }
    return nil
  }

  /// Whether it stays one header: a line break in it would begin another one.
  static func isHeader(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// The URL of a path there.
  func url(of path: String) -> String {
    (url.hasSuffix("/") ? String(url.dropLast()) : url) + path
  }

  /// What every request says of us.
  ///
  /// - Parameter token: The token of the request; nil for that of the settings.
  func headers(showing token: Token?) -> [String] {
    ["Accept: application/json", "User-Agent: checkpost"]
      + (apiKey.map { ["apikey: \($0)"] } ?? [])
      + ((token?.value ?? self.token).map { ["Authorization: Bearer \($0)"] } ?? [])
  }

  /// What the library is told of the proxy: an empty text for none, nil for the environment.
  var proxyWord: String? {
    switch proxy {
    case .none: ""
    // An environment that names a proxy seldom means this machine by it.
    case .environment: ServerHost(url: url)?.reach == .thisMachine ? "" : nil
    case .url(let url): url
    }
  }
}

extension Duration {
  /// The duration as the library wants it: 1 ms at least.
  var curlMilliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    guard !milliseconds.overflow else { return self < .zero ? 1 : Int(Int32.max) }
    return min(
      max(Int(milliseconds.partialValue) + Int(attoseconds / 1_000_000_000_000_000), 1),
      Int(Int32.max))
  }
}
