import AsyncHTTPClient
import NIOCore
import NIOHTTP1
public import NodeCore

/// The node's line to the server. For now it asks one thing: whether our server is there and knows
/// us.
///
/// Only an authenticated answer of the expected form counts. A captive portal answers everything with
/// a page of its own, and a link with a carrier may lead nowhere.
public final class Uplink: Sendable {
  private let client: HTTPClient
  private let url: String
  private let apiKey: String?
  private let token: String?
  private let timeout: Duration

  /// A line to a server.
  ///
  /// - Parameters:
  ///   - url: The server's URL without a path.
  ///   - apiKey: What goes into the `apikey` header.
  ///   - token: What goes into the `Authorization` header, after `Bearer`.
  ///   - timeout: How long an answer may take.
  public init(url: String, apiKey: String?, token: String?, timeout: Duration) {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.connectionPool.idleTimeout = .seconds(30)
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.apiKey = apiKey
    self.token = token
    self.timeout = timeout
  }

  /// Asks the server for nothing but an answer that only it can give: an empty page of passages.
  ///
  /// - Parameter completion: Called once, on a thread of the client's.
  public func probe(_ completion: @escaping @Sendable (ProbeResult) -> Void) {
    let request: HTTPClient.Request
    do {
      request = try HTTPClient.Request(
        url: "\(url)/rest/v1/vehicle_passages?select=client_id&limit=1", method: .GET,
        headers: headers)
    } catch {
      completion(.unreachable(reason: "server.url cannot be asked: \(error)"))
      return
    }
    let seconds = timeout.components.seconds
    client.execute(request: request, deadline: .now() + .seconds(seconds)).whenComplete { result in
      completion(Uplink.read(result))
    }
  }

  /// Ends the client's connections.
  public func shutdown() async {
    try? await client.shutdown()
  }

  private var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    headers.add(name: "Accept", value: "application/json")
    headers.add(name: "User-Agent", value: "checkpost")
    if let apiKey { headers.add(name: "apikey", value: apiKey) }
    if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    return headers
  }

  private static func read(_ result: Result<HTTPClient.Response, any Error>) -> ProbeResult {
    switch result {
    case .failure(let error):
      return .unreachable(reason: "the server does not answer: \(words(error))")
    case .success(let response):
      switch response.status.code {
      case 200...206: break
      case 401, 403:
        return .refused(
          reason: "the server refuses us (HTTP \(response.status.code)); check server.api_key_file"
            + " and server.token_file")
      case 300...399, 511:
        return .refused(
          reason: "something else answers for the server (HTTP \(response.status.code)); is there"
            + " a login page?")
      default:
        return .refused(reason: "the server answers HTTP \(response.status.code)")
      }
      let type = response.headers.first(name: "Content-Type") ?? ""
      let first = response.body?.readableBytesView.first { $0 > 0x20 }
      guard type.lowercased().hasPrefix("application/json"), first == UInt8(ascii: "[") else {
        return .refused(
          reason: "something else answers for the server (\(type.prefix(40))); is there a login"
            + " page?")
      }
      return .authenticated
    }
  }

  private static func words(_ error: any Error) -> String {
    guard let error = error as? HTTPClientError else { return "\(type(of: error))" }
    return error.shortDescription
  }
}
