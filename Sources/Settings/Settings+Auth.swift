extension Settings {
  /// How people and programs sign in at the central.
  public struct Auth: Hashable, Sendable {
    /// The files of the keys of access tokens, of which the first signs; empty for one that is made beside the
    /// central's database.
    public var keyFiles: [String] = []
    /// Who makes the tokens, as they say it.
    public var issuer = "checkpost"
    /// What stands behind a name that is no address: `ram@bnp.local`.
    public var emailDomain = "bnp.local"
    /// Whether a key has to be shown with each request.
    public var requireKey = false
    /// How long an access token counts.
    public var tokenLifetime: Duration = .seconds(1_800)
    /// A session ends when nothing was asked for with it for so long.
    public var sessionInactivity: Duration = .seconds(90 * 86_400)
    /// A session ends so long after its sign-in.
    public var sessionLifetime: Duration = .seconds(365 * 86_400)
  }

  /// The file of the key of access tokens that is made where none is named: beside the central's database.
  public var madeTokenKeyFile: String {
    guard let slash = central.database.lastIndex(of: "/") else { return "token.key" }
    return "\(central.database[...slash])token.key"
  }
}
