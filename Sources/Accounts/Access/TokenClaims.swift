public import Time

/// What an access token says: the claims of a JSON Web Token (RFC 7519) under the names that GoTrue has.
public struct TokenClaims: Hashable, Sendable {
  /// The role that every token of a person has in the database.
  public static let databaseRole = "authenticated"
  /// Whom tokens are for.
  public static let audience = "authenticated"

  /// `sub`: the account.
  public var subject: AccountID
  /// `session_id`: the session that it was given in.
  public var session: String
  /// `email`: what was typed to sign in.
  public var email: String
  /// `role`: the role in the database.
  public var role: String
  /// `aud`: whom it is for.
  public var audiences: [String]
  /// `iss`: who made it.
  public var issuer: String
  /// `iat`: when, in seconds since 1970.
  public var issuedAt: Int64
  /// `exp`: when it ends, likewise.
  public var expiresAt: Int64
  /// `nbf`: from when on it counts, likewise; nil for always.
  public var notBefore: Int64?
  /// `session_generation`: the number of the refresh token that it was given with; nil of one that an older version
  /// made.
  public var generation: Int?

  /// What a token says.
  public init(
    subject: AccountID, session: String, email: String, role: String = databaseRole,
    audiences: [String] = [audience], issuer: String, issuedAt: Int64, expiresAt: Int64,
    notBefore: Int64? = nil, generation: Int? = nil
  ) {
    self.subject = subject
    self.session = session
    self.email = email
    self.role = role
    self.audiences = audiences
    self.issuer = issuer
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.notBefore = notBefore
    self.generation = generation
  }

  /// What a token says that is given to an account now.
  public init(
    _ account: Account, session: Session, issuer: String, rules: SessionRules, at now: WallTime
  ) {
    self.init(
      subject: account.id, session: session.id, email: account.login.address, issuer: issuer,
      issuedAt: now.epochSeconds, expiresAt: (now + rules.tokenLasts).epochSeconds,
      generation: session.generation)
  }

  /// Why it does not count at a moment; nil when it does. Clocks may differ by 30 seconds.
  public func fault(issuer: String, at now: WallTime) -> TokenFault? {
    let now = now.epochSeconds
    func isAfter(_ left: Int64, _ right: Int64) -> Bool {
      let (limit, overflow) = right.addingReportingOverflow(Limits.skewSeconds)
      return !overflow && left > limit
    }
    if isAfter(now, expiresAt) { return .expired }
    if isAfter(issuedAt, now) { return .issuedAtFuture }
    if let notBefore, isAfter(notBefore, now) { return .notYetValid }
    guard audiences.contains(TokenClaims.audience) else { return .otherAudience }
    guard self.issuer == issuer, role == TokenClaims.databaseRole else { return .notOurs }
    return nil
  }
}

/// What is wrong with a token.
public enum TokenFault: Error, Hashable, Sendable {
  /// It is no token, is too long, names an algorithm or a key that is not ours, or its signature is wrong.
  case notOurs
  /// Its time is over.
  case expired
  /// It was made later than now: its maker's clock or ours is wrong.
  case issuedAtFuture
  /// Its time has not come.
  case notYetValid
  /// It is for somebody else.
  case otherAudience
}
