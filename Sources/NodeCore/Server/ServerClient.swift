/// What is asked of the server.
public struct ServerRequest: Hashable, Sendable {
  /// The path under the server's URL, with its query: `/rest/v1/…`.
  public var path: String
  /// Bytes of a body that are taken at most; what sends more is not our server.
  public var answerBytes: Int

  /// A request.
  public init(path: String, answerBytes: Int) {
    self.path = path
    self.answerBytes = answerBytes
  }
}

/// What came back: whole, whatever it says.
public struct ServerAnswer: Hashable, Sendable {
  /// The status of HTTP: 200.
  public var status: Int
  /// What the body is said to be; nil when nothing is said.
  public var contentType: String?
  /// The body.
  public var body: [UInt8]

  /// An answer.
  public init(status: Int, contentType: String?, body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}

/// What an exchange was busy with when its time was over.
public enum ServerPhase: String, CaseIterable, Hashable, Sendable {
  /// Finding the address that belongs to the server's name.
  case name
  /// Connecting to the address.
  case connection
  /// Agreeing on TLS.
  case encryption
  /// Asking, and waiting for the whole answer.
  case answer
}

/// Why there is no answer.
public enum ServerClientError: Error, Hashable, Sendable {
  /// Such a request cannot be sent; trying again does not help.
  case unaskable(reason: String)
  /// The time was over.
  case timedOut(ServerPhase)
  /// No address is known for the server's name.
  case unknownName
  /// No connection came about: `connection refused`.
  case noConnection(reason: String)
  /// The other side proved not to be the server, or does not speak TLS.
  case untrusted(reason: String)
  /// The connection ended before the answer was whole.
  case cutOff
  /// The answer is larger than any that is taken.
  case tooLong
  /// What answers does not speak HTTP.
  case notHTTP
  /// This machine cannot ask: a library, a thread or memory is missing.
  case unavailable(reason: String)
  /// The client was ended.
  case ended
}

/// The way to one server: its address, our credentials and the time that an exchange may take.
///
/// An answer of any status is an answer; redirects are handed over like any other. What it means is
/// decided by whoever asked, such as ``ServerProbe``.
public protocol ServerClient: Sendable {
  /// Asks, from any thread and without waiting.
  ///
  /// - Parameter completion: Called exactly once, on a thread of the client's or before this returns;
  ///   must not block, and must not end the client.
  func send(
    _ request: ServerRequest,
    _ completion: @escaping @Sendable (Result<ServerAnswer, ServerClientError>) -> Void)

  /// Closes its connections and waits until they are closed. What is out fails with
  /// ``ServerClientError/ended``, and so does what is sent later.
  func end()
}
