public import Time

/// What somebody signed in for. It lives on by refresh tokens, of which each is used once: a token gives
/// the next one. The newest is the active one; its parent is still answered, with the active one again, for
/// the answer that brought it may have been lost; until something is used that came with the active one.
public struct Session: Hashable, Sendable {
  /// Why a session does not count any more.
  public enum End: String, CaseIterable, Hashable, Sendable {
    /// Whoever signed in signed out.
    case signedOut = "signed_out"
    /// A refresh token came back that was used up long ago: two have it, and one of them stole it.
    case replayed
    /// The office ended it.
    case ended
    /// The password was changed.
    case passwordChanged = "password_changed"
  }

  /// Which one it is: a UUID.
  public var id: String
  /// Who signed in.
  public var account: AccountID
  /// When.
  public var createdAt: WallTime
  /// When a refresh token was used last.
  public var refreshedAt: WallTime
  /// The number of the active refresh token, from 0.
  public var generation: Int
  /// Random bytes by which the active token follows from its parent, so that it can be given again without
  /// being kept. Empty for the first one, which follows from nothing, and once something was used that came with the
  /// active one: then nobody needs it again.
  public var nonce: [UInt8]
  /// Why and when it ended; nil while it counts.
  public var end: End?
  /// When it ended; nil while it counts.
  public var endedAt: WallTime?

  /// A session that begins, or one as it is kept.
  public init(
    id: String, account: AccountID, createdAt: WallTime, refreshedAt: WallTime? = nil,
    generation: Int = 0, nonce: [UInt8] = [], end: End? = nil, endedAt: WallTime? = nil
  ) {
    self.id = id
    self.account = account
    self.createdAt = createdAt
    self.refreshedAt = refreshedAt ?? createdAt
    self.generation = generation
    self.nonce = nonce
    self.end = end
    self.endedAt = endedAt
  }

  /// Notes that an access token was shown: where it came with the active refresh token, that answer was not lost, and
  /// a caller who shows the parent from now on took it from somebody.
  ///
  /// - Parameter generation: The number of the refresh token that it came with; nil where that is not known.
  /// - Returns: Whether that is new.
  public mutating func wasUsed(_ generation: Int?) -> Bool {
    guard generation == self.generation, !nonce.isEmpty, end == nil else { return false }
    nonce = []
    return true
  }
}

/// How long what was handed out counts.
public struct SessionRules: Hashable, Sendable {
  /// How long an access token counts.
  public var tokenLasts: Duration = .seconds(1_800)
  /// A session ends when no refresh token of it was used for longer than this.
  public var inactivity: Duration = .seconds(90 * 86_400)
  /// A session ends so long after its sign-in, whatever is done with it.
  public var lifetime: Duration = .seconds(365 * 86_400)

  /// The rules as they are by default.
  public init() {}

  /// Whether a session has run out. A clock that went back makes none run out, and one that went ahead none
  /// for good: nothing of it is written down.
  public func hasRunOut(_ session: Session, at now: WallTime) -> Bool {
    now - session.refreshedAt > inactivity || now - session.createdAt > lifetime
  }
}
