/// Why no token is given, or an account is not told: an answer in the words of GoTrue, which clients know.
public struct GrantRefusal: Error, Hashable, Sendable {
  /// The status of HTTP.
  public var status: Int
  /// GoTrue's name of it, for `error_code` and the header `x-sb-error-code`.
  public var code: String
  /// What is said to the caller.
  public var message: String
  /// Seconds for the header `Retry-After`; nil without one.
  public var retryAfter: Int?

  /// A refusal with words of its own.
  public init(status: Int, code: String, _ message: String) {
    self.init(status, code, message)
  }

  private init(_ status: Int, _ code: String, _ message: String, retryAfter: Int? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }

  /// The name or the password is not right. The same for a name that nobody has.
  public static let invalidCredentials = GrantRefusal(
    400, "invalid_credentials", "Invalid login credentials")
  /// The account was disabled. Only whoever showed its password or its token hears so.
  public static let banned = GrantRefusal(400, "user_banned", "User is banned")
  /// No such refresh token was given out, or its session was ended.
  public static let tokenNotFound = GrantRefusal(
    400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
  /// The refresh token was used up, or one of its session was shown again after that.
  public static let tokenUsed = GrantRefusal(
    400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
  /// The session has run out.
  public static let sessionExpired = GrantRefusal(
    400, "session_expired", "Invalid Refresh Token: Session Expired")
  /// The session of a token, or its account, is not there any more.
  public static let sessionNotFound = GrantRefusal(
    403, "session_not_found", "Session from session_id claim in JWT does not exist")
  /// A request without a token where one has to be.
  public static let noAuthorization = GrantRefusal(
    401, "no_authorization", "This endpoint requires a valid Bearer token")
  /// A token that is not ours, or has run out.
  public static let badToken = GrantRefusal(403, "bad_jwt", "invalid JWT: unable to verify it")
  /// A body that is no JSON.
  public static let badJSON = GrantRefusal(
    400, "bad_json", "Could not parse request body as JSON")
  /// A request that asks for nothing that there is.
  public static func invalid(_ words: String) -> GrantRefusal {
    GrantRefusal(400, "validation_failed", words)
  }
  /// Too many attempts; after so many seconds another one is looked at.
  public static func tooMany(retryAfter seconds: Int) -> GrantRefusal {
    GrantRefusal(
      429, "over_request_rate_limit", "Request rate limit reached", retryAfter: seconds)
  }
  /// A password that is too easy to guess, or cannot be one.
  public static func weakPassword(_ fault: String) -> GrantRefusal {
    GrantRefusal(422, "weak_password", "A password \(fault)")
  }
  /// A new password that is the last one.
  public static let samePassword = GrantRefusal(
    422, "same_password", "New password should be different from the old password.")
  /// Somebody who is no admin asks for what admins do.
  public static let notAdmin = GrantRefusal(403, "not_admin", "User not allowed")
  /// No account has that identifier.
  public static let userNotFound = GrantRefusal(404, "user_not_found", "User not found")
  /// What is kept cannot be read or written now.
  public static let unavailable = GrantRefusal(
    503, "unexpected_failure", "Service unavailable", retryAfter: 5)
}
