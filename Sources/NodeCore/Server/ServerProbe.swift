/// The question whether our server is there and knows us, and what the answer to it means.
///
/// A probe asks for one row of what the server keeps passages in, with the node's own credentials. An
/// answer proves that the way there, the server, its database and the credentials work; nothing less
/// is connectivity. Only what our server alone would say counts: rows in JSON, given to whoever may see
/// them. A captive portal answers everything with a page and 200, and a proxy in the way redirects.
///
/// A server that refuses the key or the token (401, 403) is there, and yet no connectivity: with those
/// credentials no passage can go to it, so that passages leave as texts. An expired token therefore
/// costs texts, within the budget, until somebody replaces it; the log and the status name it as the
/// reason. Once uploading is built, which can fetch a new token, a 401 in the server's own form is to
/// count as connectivity: then texts would be paid for what the next minute mends.
public enum ServerProbe {
  /// At most one row of passages, of which the identity at most is seen.
  public static let request = ServerRequest(
    path: "/rest/v1/vehicle_passages?select=client_id&limit=1",
    answerBytes: Limits.probeAnswerBytes)

  /// What came of a probe.
  public static func result(
    of outcome: Result<ServerAnswer, ServerClientError>
  ) -> ProbeResult {
    switch outcome {
    case .success(let answer): result(of: answer)
    case .failure(let error): result(of: error)
    }
  }

  private static func result(of answer: ServerAnswer) -> ProbeResult {
    switch answer.status {
    case 200, 206:
      guard kind(of: answer).contains("json"), isList(answer.body) else {
        return .refused(
          reason: "what answers is not the server (\(kind(of: answer))); a sign-in page of the"
            + " network, perhaps")
      }
      return .authenticated
    case 300..<400:
      return .refused(
        reason: "redirected (HTTP \(answer.status)); a sign-in page of the network, perhaps")
    case 401, 403:
      return .refused(
        reason: "the server does not accept the key or token (HTTP \(answer.status)); check"
          + " server.api_key_file and server.token_file")
    case 404:
      return .refused(reason: "what answers does not know passages (HTTP 404); check server.url")
    default:
      return .refused(reason: "the server answers HTTP \(answer.status)")
    }
  }

  private static func result(of error: ServerClientError) -> ProbeResult {
    switch error {
    case .tooLong: .refused(reason: "what answers is not the server (too long an answer)")
    case .unaskable(let reason): .unreachable(reason: reason)
    case .timedOut(.name): .unreachable(reason: "no address for the server's name in time")
    case .timedOut(.connection): .unreachable(reason: "no connection in time")
    case .timedOut(.encryption): .unreachable(reason: "no TLS connection in time")
    case .timedOut(.answer): .unreachable(reason: "no answer in time")
    case .unknownName: .unreachable(reason: "no connection (the server's name is not known)")
    case .refused: .unreachable(reason: "no connection (connection refused)")
    case .noRoute(let reason), .noConnection(let reason):
      .unreachable(reason: "no connection (\(reason))")
    case .untrusted(let reason): .unreachable(reason: "no TLS connection (\(reason))")
    case .cutOff: .unreachable(reason: "the connection was closed before an answer")
    case .notHTTP: .unreachable(reason: "no connection (what answers does not speak HTTP)")
    case .unavailable(let reason): .unreachable(reason: reason)
    case .ended: .unreachable(reason: "the probe was given up, since the service ends")
    }
  }

  private static func kind(of answer: ServerAnswer) -> String {
    let type = answer.contentType?.prefix { $0 != ";" } ?? "no content type"
    return String(type.prefix(40)).lowercased()
  }

  private static func isList(_ body: [UInt8]) -> Bool {
    guard let first = body.first(where: { $0 > 0x20 }), let last = body.last(where: { $0 > 0x20 })
    else { return false }
    return first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
  }
}

extension ServerClient {
  /// Asks the server for nothing but an answer that only it can give; see ``ServerProbe``.
  ///
  /// - Parameter completion: As that of ``send(_:_:)``.
  public func probe(_ completion: @escaping @Sendable (ProbeResult) -> Void) {
    send(ServerProbe.request) { completion(ServerProbe.result(of: $0)) }
  }
}
