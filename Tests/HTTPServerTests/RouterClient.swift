import CentralCore
import Hummingbird
import Logging
import NIOCore

@testable import HTTPServer

/// Hands requests to the server's router, without a socket between.
struct RouterClient {
  private struct Source: RequestContextSource {
    let logger = RouterClient.logger
  }

  private final class Body {
    var bytes = ByteBuffer()
  }

  private struct Writer: ResponseBodyWriter {
    let body: Body

    mutating func write(_ buffer: ByteBuffer) { body.bytes.writeImmutableBuffer(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) {}
  }

  static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  let server: HTTPService
  private let responder: RouterResponder<CallContext>

  init(_ server: HTTPService) {
    self.server = server
    responder = server.router.buildResponder()
  }

  /// Sends a request with these headers; a body is posted.
  ///
  /// - Parameter peer: The address at the connection's other end; nil for a socket of this machine.
  func send(
    _ path: String, method: String, headers: [(name: String, value: String)], _ content: [UInt8],
    from peer: String? = nil
  ) async throws -> Answer {
    var fields = HTTPFields()
    for header in headers {
      guard let name = HTTPFields.Element.Name(header.name) else { continue }
      fields.append(HTTPFields.Element(name: name, value: header.value))
    }
    let request = Request(
      head: HTTPRequest(
        method: HTTPRequest.Method(method) ?? .post, scheme: "http", authority: "test", path: path,
        headerFields: fields),
      body: RequestBody(buffer: ByteBuffer(bytes: content)))
    var context = context()
    context.caller = Caller(peer: peer.flatMap { IPAddress($0) })
    let response = try await responder.respond(to: request, context: context)
    let body = Body()
    try await response.body.write(Writer(body: body))
    return Answer(
      status: response.status.code,
      headers: Dictionary(
        response.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { $1 }),
      body: String(buffer: body.bytes))
  }

  /// What is answered, unread.
  func respond(to request: Request) async throws -> Response {
    var context = context()
    context.caller = Caller(peer: nil)
    return try await responder.respond(to: request, context: context)
  }

  /// What goes with a request of this machine.
  func context() -> CallContext { CallContext(source: Source()) }

  /// Sends what a provider in Twilio's form would; nil for the body gets.
  func send(
    _ path: String, _ body: [UInt8]? = nil,
    contentType: String? = "application/x-www-form-urlencoded", signature: String? = nil
  ) async throws -> Answer {
    var headers: [(name: String, value: String)] = []
    if let contentType { headers.append(("Content-Type", contentType)) }
    if let signature { headers.append(("X-Twilio-Signature", signature)) }
    return try await send(path, method: body == nil ? "GET" : "POST", headers: headers, body ?? [])
  }
}
