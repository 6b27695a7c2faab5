import AsyncHTTPClient
import NIOCore
import NIOHTTP1
public import NodeCore

/// The node's line to the server. For now it asks one thing: whether our server is there and knows
/// us.
///
/// A probe asks for one row of what the server keeps passages in, with the node's own credentials. An
/// answer proves that the way there, the server, its database and the credentials work; nothing less
/// is connectivity. A captive portal answers everything with a page of its own, and a link with a
/// carrier may lead nowhere.
public final class Uplink: Sendable {
  private let client: HTTPClient
  private let url: String
  private let headers: HTTPHeaders
  private let timeout: TimeAmount

  /// A line to a server; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - url: The server's URL without a path.
  ///   - apiKey: What goes into the `apikey` header.
  ///   - token: What goes into the `Authorization` header, after `Bearer`.
  ///   - timeout: How long a probe may take, from the name's resolution to the last byte.
  public init(url: String, apiKey: String?, token: String?, timeout: Duration) {
    let (seconds, attoseconds) = timeout.components
    let milliseconds = max(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, 1)
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(
        connect: .seconds(min(seconds + 1, Limits.connectSeconds)),
        read: .milliseconds(milliseconds)))
    configuration.httpVersion = .http1Only
    configuration.connectionPool.idleTimeout = .seconds(Limits.idleSeconds)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
    // The node decides when to try again; a probe says at once what it met.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    self.timeout = .milliseconds(milliseconds)
    var headers: HTTPHeaders = ["Accept": "application/json", "User-Agent": "checkpost"]
    if let apiKey { headers.add(name: "apikey", value: apiKey) }
    if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    self.headers = headers
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
  }

  /// Asks the server for nothing but an answer that only it can give: at most one row of passages, of
  /// which it sees the identity at most.
  ///
  /// - Parameter completion: Called once, on a thread of the client's; must not block.
  public func probe(_ completion: @escaping @Sendable (ProbeResult) -> Void) {
    let request: HTTPClient.Request
    do {
      request = try HTTPClient.Request(
        url: "\(url)/rest/v1/vehicle_passages?select=client_id&limit=1", headers: headers)
    } catch {
      completion(.unreachable(reason: "server.url cannot be asked; it has to be http or https"))
      return
    }
    let accumulator = ResponseAccumulator(request: request, maxBodySize: Limits.answerBytes)
    client.execute(request: request, delegate: accumulator, deadline: .now() + timeout)
      .futureResult.whenComplete { result in
        switch result {
        case .success(let response): completion(ProbeAnswer.result(response))
        case .failure(let error): completion(ProbeAnswer.result(error))
        }
      }
  }

  /// Ends the client's connections without holding up a thread of the task pool.
  public func end() async {
    // It fails only when it was shut down before, and then there is nothing left to do.
    try? await client.shutdown()
  }

  /// Ends the client's connections and blocks until they are; a probe that is out ends as unreachable.
  /// Not for tasks: they have few threads.
  public func shutdown() {
    // It fails only when it was shut down before, and then there is nothing left to do.
    try? client.syncShutdown()
  }
}
