/// What is asked of the server.
public struct ServerRequest: Hashable, Sendable {
  /// What is to be done with what the path names (RFC 9110, 9.3).
  public enum Method: String, Hashable, Sendable {
    /// Tell it.
    case get = "GET"
    /// Tell what would be said of it, without its content.
    case head = "HEAD"
    /// Take the body.
    case post = "POST"
    /// Change it by the body.
    case patch = "PATCH"
    /// Remove it.
    case delete = "DELETE"
  }

  /// What goes along with a request.
  public enum Body: Hashable, Sendable {
    /// Nothing.
    case none
    /// These bytes, of that media type.
    case bytes([UInt8], contentType: String)
    /// The content of the file of that path, read while it is sent, `count` bytes of that media type.
    case file(path: String, count: Int, contentType: String)
  }

  /// A header field.
  public struct Header: Hashable, Sendable {
    /// Its name: `Prefer`.
    public var name: String
    /// Its value.
    public var value: String

    /// A header field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What is to be done.
  public var method: Method
  /// The path under the server's URL, with its query: `/rest/v1/…`.
  public var path: String
  /// Header fields beside those of every request.
  public var headers: [Header]
  /// What goes along.
  public var body: Body
  /// The token that is shown in `Authorization`, in place of the one of the settings; nil for that one.
  public var token: Token?
  /// How long the exchange may take; nil for what the settings say.
  public var timeout: Duration?
  /// Bytes of a body that are taken at most; what sends more is not our server.
  public var answerBytes: Int

  /// A request.
  public init(
    _ method: Method = .get, path: String, headers: [Header] = [], body: Body = .none,
    token: Token? = nil, timeout: Duration? = nil, answerBytes: Int
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
    self.token = token
    self.timeout = timeout
    self.answerBytes = answerBytes
  }
}

/// A secret that the server gave out. It never shows in a description.
public struct Token: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The token itself.
  public var value: String

  /// A token.
  public init(_ value: String) {
    self.value = value
  }

  /// Nothing of the token.
  public var description: String { "(a token)" }
  /// Nothing of the token.
  public var debugDescription: String { description }
}

/// What came back: whole, whatever it says.
public struct ServerAnswer: Hashable, Sendable {
  /// The status of HTTP: 200.
  public var status: Int
  /// What the body is said to be; nil when nothing is said.
  public var contentType: String?
  /// The header fields that are read, by their names in small letters.
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]

  /// An answer.
  public init(
    status: Int, contentType: String?, headers: [String: String] = [:], body: [UInt8]
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
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
  /// What was to be sent cannot be read: the file is gone, or not what it was.
  case unreadable(reason: String)
  /// The time was over.
  case timedOut(ServerPhase)
  /// No address is known for the server's name.
  case unknownName
  /// The machine is there, and nothing listens there.
  case refused
  /// There is no way to the server: no route, no network.
  case noRoute(reason: String)
  /// No connection came about for another reason.
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
/// decided by whoever asked.
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
