public import Time

/// What the token of an address says with which a photograph is shown, or handed in, for a while.
public struct LinkClaims: Hashable, Sendable {
  /// What may be done with it.
  public enum Use: String, Hashable, Sendable {
    /// The photograph is shown.
    case show
    /// It is handed in, once, or in place of one that is there.
    case keep
    /// See ``keep``.
    case replace
  }

  /// The photograph, behind its bucket.
  public var path: String
  /// What may be done.
  public var use: Use
  /// The account, or the prefix of the key, of the caller who asked for the address.
  public var owner: String
  /// Whether that is one who may everything.
  public var mayEverything: Bool
  /// The UUID of their post.
  public var post: String?
  /// When it was made, in seconds since 1970.
  public var issuedAt: Int64
  /// When it ends, likewise.
  public var expiresAt: Int64

  /// What a token says.
  public init(
    path: String, use: Use, owner: String, mayEverything: Bool, post: String?, issuedAt: Int64,
    expiresAt: Int64
  ) {
    self.path = path
    self.use = use
    self.owner = owner
    self.mayEverything = mayEverything
    self.post = post
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// Whether its time is over, to the second: no other machine's clock is asked.
  public func isOver(at now: WallTime) -> Bool { now.epochSeconds >= expiresAt }
}

/// Makes the tokens of addresses, and reads them.
public protocol LinkSigner: Sendable {
  /// The token that says so; nil when it cannot be signed.
  func token(ofLink claims: LinkClaims) async -> String?

  /// What a token says; nil of one that is none of an address, or not signed here.
  func claims(ofLink token: String) async -> LinkClaims?
}
