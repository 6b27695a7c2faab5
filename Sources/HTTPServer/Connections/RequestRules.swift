import NIOHTTP1

/// What is wrong with a request by its head alone. Where two programs may read a request in two ways,
/// one of them can be made to take a part of it for another request; such requests are refused.
enum RequestFault: Hashable, Sendable {
  /// No Host where there has to be one, several, or what can be none (RFC 9112, 3.2).
  case host
  /// A transfer coding other than `chunked` alone (RFC 9112, 6.1).
  case transferCoding
  /// A transfer coding beside a length, or from a client of HTTP/1.0 (RFC 9112, 6.1).
  case framing

  var status: HTTPResponseStatus {
    switch self {
    case .host, .framing: .badRequest
    case .transferCoding: .notImplemented
    }
  }

  var words: String {
    switch self {
    case .host: "the request names no host, or several"
    case .transferCoding: "the body is coded in another way than chunked"
    case .framing: "where the body ends can be read in two ways"
    }
  }
}

/// How the end of a request's body is told.
enum RequestFraming: Hashable, Sendable {
  case none
  case length(Int)
  case chunked
}

extension HTTPRequestHead {
  /// What is wrong with it; nil when nothing is.
  var fault: RequestFault? {
    let hosts = headers["host"]
    guard hosts.count == 1 || (hosts.isEmpty && version == .http1_0) else { return .host }
    guard hosts.allSatisfy({ $0.utf8.allSatisfy(HTTPRequestHead.isHostByte) }) else { return .host }
    let codings = headers["transfer-encoding"]
    if codings.isEmpty { return nil }
    guard version == .http1_1, headers["content-length"].isEmpty else { return .framing }
    guard codings.count == 1, codings[0].lowercased() == "chunked" else { return .transferCoding }
    return nil
  }

  /// How the end of its body is told, once it has no fault.
  var framing: RequestFraming {
    if !headers["transfer-encoding"].isEmpty { return .chunked }
    return headers.first(name: "content-length").flatMap { Int($0) }.map { .length($0) } ?? .none
  }

  /// Whether the connection ends with the answer. HTTP/1.0 has no rule for staying that all agree on, and
  /// after an upgrade, which is never granted here, what follows is no request.
  var endsConnection: Bool {
    version == .http1_0 || !isKeepAlive || method == .CONNECT || headers.contains(name: "upgrade")
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    // Neither white space nor what stands before, between or after hosts.
    case 0...0x20, 0x7F..., UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "@"),
      UInt8(ascii: "?"), UInt8(ascii: "#"):
      false
    default: true
    }
  }
}
