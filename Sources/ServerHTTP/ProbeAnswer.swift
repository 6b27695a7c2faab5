import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NodeCore

/// What an answer to a probe means.
///
/// Only what our server alone would say counts: rows in JSON, given to whoever may see them. A captive
/// portal answers everything with a page and 200, and a proxy in the way redirects.
///
/// A server that refuses the key or the token (401, 403) is there, and yet no connectivity: with those
/// credentials no passage can go to it, so that passages leave as texts. An expired token therefore
/// costs texts, within the budget, until somebody replaces it; the log and the status name it as the
/// reason. Once uploading is built, which can fetch a new token, a 401 in the server's own form is to
/// count as connectivity: then texts would be paid for what the next minute mends.
enum ProbeAnswer {
  static func result(_ response: HTTPClient.Response) -> ProbeResult {
    let status = response.status.code
    switch status {
    case 200, 206:
      guard isJSON(response.headers), isList(response.body) else {
        return .refused(
          reason:
            "what answers is not the server (\(kind(response.headers))); a sign-in page of the"
            + " network, perhaps")
      }
      return .authenticated
    case 300..<400:
      return .refused(
        reason: "redirected (HTTP \(status)); a sign-in page of the network, perhaps")
    case 401, 403:
      return .refused(
        reason: "the server does not accept the key or token (HTTP \(status)); check"
          + " server.api_key_file and server.token_file")
    case 404:
      return .refused(reason: "what answers does not know passages (HTTP 404); check server.url")
    default:
      return .refused(reason: "the server answers HTTP \(status)")
    }
  }

  static func result(_ error: any Error) -> ProbeResult {
    guard let failure = error as? HTTPClientError else {
      if error is ResponseAccumulator.ResponseTooBigError {
        return .refused(reason: "what answers is not the server (too long an answer)")
      }
      let words =
        (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() }
        ?? String(describing: error).prefix(Limits.reasonCharacters).description
      return .unreachable(reason: "no connection (\(words))")
    }
    switch failure {
    case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
      return .unreachable(reason: "no answer in time")
    case .connectTimeout:
      return .unreachable(reason: "no connection in time")
    case .tlsHandshakeTimeout:
      return .unreachable(reason: "no TLS connection in time")
    case .remoteConnectionClosed:
      return .unreachable(reason: "the connection was closed before an answer")
    case .alreadyShutdown, .cancelled:
      return .unreachable(reason: "the probe was given up, since the service ends")
    default:
      return .unreachable(reason: "no connection (\(failure.description))")
    }
  }

  private static func isJSON(_ headers: HTTPHeaders) -> Bool {
    kind(headers).contains("json")
  }

  private static func kind(_ headers: HTTPHeaders) -> String {
    let type = headers.first(name: "content-type")?.prefix { $0 != ";" } ?? "no content type"
    return String(type.prefix(40)).lowercased()
  }

  private static func isList(_ body: ByteBuffer?) -> Bool {
    guard let bytes = body?.readableBytesView,
      let first = bytes.first(where: { $0 > 0x20 }), let last = bytes.last(where: { $0 > 0x20 })
    else { return false }
    return first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
  }
}
