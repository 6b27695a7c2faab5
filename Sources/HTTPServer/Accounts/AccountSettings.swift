public import Accounts
public import Tokens

/// What the settings say of signing in.
public struct AccountSettings: Sendable {
  /// The keys of access tokens.
  public var keys: TokenKeys
  /// Who makes the tokens, as they say it.
  public var issuer: String
  /// What stands behind a name that is no address: `ram@bnp.local`.
  public var domain: String
  /// How long what is handed out counts.
  public var sessions: SessionRules
  /// Whether a key has to be shown with each request.
  public var requiresKey: Bool

  /// What the settings say.
  public init(
    keys: TokenKeys, issuer: String = "checkpost", domain: String = "bnp.local",
    sessions: SessionRules = SessionRules(), requiresKey: Bool = false
  ) {
    self.keys = keys
    self.issuer = issuer
    self.domain = domain
    self.sessions = sessions
    self.requiresKey = requiresKey
  }
}
