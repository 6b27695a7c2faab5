public import Accounts
import JWTKit

/// Tokens of addresses stand for one photograph and not for a person: for whom they are tells them from access tokens,
/// and neither is taken for the other.
extension TokenKeys: LinkSigner {
  /// The token that says so; nil when it cannot be signed.
  public func token(ofLink claims: LinkClaims) async -> String? {
    await signed(LinkPayload(claims))
  }

  /// What a token says, once its signature was found right.
  public func claims(ofLink token: String) async -> LinkClaims? {
    guard let payload = try? await verified(token, as: LinkPayload.self) else { return nil }
    return payload.claims
  }
}

/// The claims as they stand in a token.
private struct LinkPayload: JWTPayload {
  static let audience = "checkpost-photographs"

  var url: String
  var aud: String
  var use: String
  var owner: String
  var everything: Bool
  var post: String?
  var iat: Int64
  var exp: Int64

  init(_ claims: LinkClaims) {
    url = claims.path
    aud = LinkPayload.audience
    use = claims.use.rawValue
    owner = claims.owner
    everything = claims.mayEverything
    post = claims.post
    iat = claims.issuedAt
    exp = claims.expiresAt
  }

  var claims: LinkClaims? {
    guard aud == LinkPayload.audience, let use = LinkClaims.Use(rawValue: use) else { return nil }
    return LinkClaims(
      path: url, use: use, owner: owner, mayEverything: everything, post: post, issuedAt: iat,
      expiresAt: exp)
  }

  /// Time is looked at by the caller, who knows it.
  func verify(using algorithm: some JWTAlgorithm) async throws {}
}
