public import Time

/// What a request shows, as far as it was looked up.
public struct ShownCredentials: Hashable, Sendable {
  /// A key.
  public enum Key: Hashable, Sendable {
    /// None was shown.
    case none
    /// What was shown is no key of ours.
    case unknown
    /// A key of ours, with the segment of its post.
    case known(APIKey, segment: String?)
  }

  /// A token.
  public enum Token: Hashable, Sendable {
    /// None was shown.
    case none
    /// What was shown is not right.
    case faulty(TokenFault)
    /// A token of ours, with what is known of its session and account.
    case known(TokenClaims, Holder?)
  }

  /// Whom a token was given to.
  public struct Holder: Hashable, Sendable {
    /// The session that it was given in.
    public var session: Session
    /// The account, as it is now.
    public var account: Account
    /// The segment of its post.
    public var segment: String?

    /// Whom a token was given to.
    public init(session: Session, account: Account, segment: String?) {
      self.session = session
      self.account = account
      self.segment = segment
    }
  }

  /// The header `apikey`.
  public var key: Key
  /// What stands as bearer in `Authorization`, where it looks like a key.
  public var bearerKey: Key
  /// What stands there otherwise.
  public var token: Token

  /// What a request shows.
  public init(key: Key = .none, bearerKey: Key = .none, token: Token = .none) {
    self.key = key
    self.bearerKey = bearerKey
    self.token = token
  }

  /// Who makes the request.
  ///
  /// - Throws: What to answer instead.
  public func principal(at now: WallTime) throws(AccessRefusal) -> Principal {
    let shown = try ShownCredentials.principal(of: key, at: now)
    let bearer = try ShownCredentials.principal(of: bearerKey, at: now)
    switch token {
    case .faulty(let fault): throw AccessRefusal(fault)
    case .known(let claims, let holder):
      guard let holder, holder.session.id == claims.session,
        holder.account.id == claims.subject, holder.session.account == claims.subject,
        holder.session.end == nil, holder.account.isActive
      else { throw .sessionEnded }
      return Principal(
        Principal.Role(holder.account.role), account: holder.account.id, post: holder.account.post,
        segment: holder.segment, by: .session(holder.session.id))
    case .none:
      guard let principal = bearer ?? shown else { throw .noCredentials }
      return principal
    }
  }

  private static func principal(
    of key: Key, at now: WallTime
  ) throws(AccessRefusal) -> Principal? {
    switch key {
    case .none: return nil
    case .unknown: throw .invalidKey
    case .known(let key, let segment):
      guard key.counts(at: now) else { throw .invalidKey }
      return Principal(
        key.principalRole, post: key.post, segment: segment, by: .key(key.prefix))
    }
  }
}

extension AccessRefusal {
  /// Neither key nor token was shown.
  public static let noCredentials = AccessRefusal(
    status: 401, code: nil, message: "No API key found in request", challenge: "Bearer")
  /// A key that is none of ours, was revoked, or does not count now.
  public static let invalidKey = AccessRefusal(status: 401, code: nil, message: "Invalid API key")
  /// Only somebody who signed in may do that.
  public static let anonymous = AccessRefusal(
    status: 401, code: "PGRST302", message: "Anonymous access is disabled", challenge: "Bearer")
  /// The session of a token was ended, or its account disabled.
  public static let sessionEnded = invalid("PGRST303", "JWT session ended")
  /// Whether somebody is let in cannot be known now.
  public static let unavailable = AccessRefusal(
    status: 503, code: "PGRST000", message: "Could not look up who asks", retryAfter: 5)

  /// What is wrong with a token, in PostgREST's words.
  public init(_ fault: TokenFault) {
    switch fault {
    case .notOurs: self = .invalid("PGRST301", "No suitable key or wrong key type")
    case .expired: self = .invalid("PGRST303", "JWT expired")
    case .issuedAtFuture: self = .invalid("PGRST303", "JWT issued at future")
    case .notYetValid: self = .invalid("PGRST303", "JWT not yet valid")
    case .otherAudience: self = .invalid("PGRST303", "JWT not in audience")
    }
  }

  private static func invalid(_ code: String, _ message: String) -> AccessRefusal {
    AccessRefusal(
      status: 401, code: code, message: message,
      challenge: "Bearer error=\"invalid_token\", error_description=\"\(message)\"")
  }
}
