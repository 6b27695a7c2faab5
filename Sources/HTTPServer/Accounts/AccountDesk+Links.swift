public import Accounts
import Tokens

/// Addresses of photographs are signed as access tokens are, with the keys that the settings say now.
extension AccountDesk: LinkSigner {
  /// The token that says so; nil when it cannot be signed.
  public func token(ofLink claims: LinkClaims) async -> String? {
    await settings.keys.token(ofLink: claims)
  }

  /// What a token says; nil of one that is none of an address, or not signed here.
  public func claims(ofLink token: String) async -> LinkClaims? {
    await settings.keys.claims(ofLink: token)
  }
}
