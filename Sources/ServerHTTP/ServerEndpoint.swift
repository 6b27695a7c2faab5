/// Where the server is, and how we show who we are.
public struct ServerEndpoint: Hashable, Sendable {
  /// The server's URL without a path.
  public var url: String
  /// What goes into the `apikey` header.
  public var apiKey: String?
  /// What goes into the `Authorization` header, after `Bearer`.
  public var token: String?
  /// How long an exchange may take, from the name's resolution to the last byte.
  public var timeout: Duration

  /// A server.
  public init(url: String, apiKey: String? = nil, token: String? = nil, timeout: Duration) {
    self.url = url
    self.apiKey = apiKey
    self.token = token
    self.timeout = timeout
  }

  /// What is wrong with it; nil when it can be asked.
  var fault: String? {
    // The library would take what follows for the host, or guess a scheme.
    let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()),
      let first = parts[1].utf8.first, first != UInt8(ascii: "/")
    else { return "server.url cannot be asked; it has to be http or https" }
    // A line break in one would make a header of its own.
    guard headers.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
      return "the key or token of the server holds a control character; write it again"
    }
    return nil
  }

  /// The URL of a path there.
  func url(of path: String) -> String {
    (url.hasSuffix("/") ? String(url.dropLast()) : url) + path
  }

  /// What every request says of us.
  var headers: [String] {
    ["Accept: application/json", "User-Agent: checkpost"]
      + (apiKey.map { ["apikey: \($0)"] } ?? [])
      + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
  }

  var timeoutMilliseconds: Int {
    let (seconds, attoseconds) = timeout.components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    guard !milliseconds.overflow else { return Int(Int32.max) }
    return min(
      max(Int(milliseconds.partialValue) + Int(attoseconds / 1_000_000_000_000_000), 1),
      Int(Int32.max))
  }
}
