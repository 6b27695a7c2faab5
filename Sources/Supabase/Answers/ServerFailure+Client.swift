import NodeCore

extension ServerFailure {
  /// Why there is no answer.
  init(_ error: ServerClientError) {
    switch error {
    case .unaskable(let reason), .unavailable(let reason):
      self.init(.outage(.cannotAsk), words: reason)
    // It is about this photograph alone, and no other try mends it.
    case .unreadable(let reason): self.init(.rejected, words: reason)
    case .ended:
      self.init(.outage(.cannotAsk), words: "given up, since the service or its settings changed")
    case .unknownName:
      self.init(.outage(.noName), words: "no connection (the server's name is not known)")
    case .timedOut(.name):
      self.init(.outage(.noName), words: "no address for the server's name in time")
    case .timedOut(.connection):
      self.init(.outage(.noAnswer), words: "no connection in time")
    case .timedOut(.encryption):
      self.init(.outage(.noAnswer), words: "no TLS connection in time")
    case .timedOut(.answer): self.init(.outage(.noAnswer), words: "no answer in time")
    case .refused: self.init(.outage(.refused), words: "no connection (connection refused)")
    case .noRoute(let reason):
      self.init(.outage(.noRoute), words: "no connection (\(reason))")
    case .noConnection(let reason):
      self.init(.outage(.noAnswer), words: "no connection (\(reason))")
    case .untrusted(let reason):
      self.init(.outage(.untrusted), words: "no TLS connection (\(reason))")
    case .cutOff:
      self.init(.outage(.noAnswer), words: "the connection was closed before an answer")
    case .tooLong:
      self.init(
        .outage(.captivePortal), words: "what answers is not the server (too long an answer)")
    case .notHTTP:
      self.init(
        .outage(.captivePortal), words: "no connection (what answers does not speak HTTP)")
    }
  }
}
