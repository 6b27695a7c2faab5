/// What a request shows of whoever makes it, as it came.
public struct Credentials: Hashable, Sendable {
  /// The header `apikey`; nil without one.
  public var key: String?
  /// The header `Authorization`, with its scheme; nil without one.
  public var authorization: String?
  /// The caller's address, where it is known; failures of one address are counted together.
  public var address: String?

  /// What a request shows.
  public init(key: String? = nil, authorization: String? = nil, address: String? = nil) {
    self.key = key
    self.authorization = authorization
    self.address = address
  }
}

/// Says who makes a request.
///
/// It is asked once for each request, and what it says holds for that request alone: an account that was
/// disabled, a session that was ended or a key that was revoked in between is refused with the next one.
public protocol Authenticator: Sendable {
  /// Who shows this.
  ///
  /// A key alone, in either header, is enough, and so is a token alone; both together have to be right, and
  /// then the token says who it is.
  ///
  /// - Throws: What to answer instead, as PostgREST and the gateway before it answer.
  func principal(of credentials: Credentials) async throws(AccessRefusal) -> Principal
}

/// Why a request is not let in: an answer in the words of PostgREST, or of the gateway in front of it.
public struct AccessRefusal: Error, Hashable, Sendable {
  /// The status of HTTP: 401, and 503 where it cannot be known now.
  public var status: Int
  /// PostgREST's code (`PGRST301` to `PGRST303`, `PGRST000`); nil for what the gateway says, whose answers have
  /// a message alone.
  public var code: String?
  /// What is said to the caller. It tells nothing of what is known here.
  public var message: String
  /// The header `WWW-Authenticate`; nil without one.
  public var challenge: String?
  /// Seconds for the header `Retry-After`; nil without one.
  public var retryAfter: Int?

  /// A refusal.
  public init(
    status: Int, code: String?, message: String, challenge: String? = nil, retryAfter: Int? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.challenge = challenge
    self.retryAfter = retryAfter
  }
}
