public import Accounts
public import JSON
import JWTKit

/// Makes access tokens with the first of its keys, and takes those of any.
///
/// What a token may name is the key, never how it is checked: the algorithm is the key's own. A header that
/// names another one, none at all, or an extension that has to be understood (RFC 7515, 4.1.11) is refused
/// before anything is computed.
public struct TokenKeys: Sendable {
  private let keys: [TokenKey]
  private let signer: TokenKey

  /// Keys, of which the first signs.
  ///
  /// - Returns: Nil without any, with more than eight, or where the first is a public one.
  public init?(_ keys: [TokenKey]) {
    guard let signer = keys.first, signer.canSign, keys.count <= Limits.keys else { return nil }
    self.keys = keys
    self.signer = signer
  }

  /// The token that says so; nil when it cannot be signed.
  public func token(_ claims: TokenClaims) async -> String? {
    await signed(Payload(claims))
  }

  /// What a token says, once its signature was found right. Whether its time has come is not looked at.
  public func claims(of token: String) async throws(TokenFault) -> TokenClaims {
    guard let claims = try await verified(token, as: Payload.self).claims else { throw .notOurs }
    return claims
  }

  func signed(_ payload: some JWTPayload) async -> String? {
    let collection = await signer.collection()
    return try? await collection.sign(
      payload, header: ["alg": .string(signer.algorithm), "kid": .string(signer.id)])
  }

  func verified<Claims: JWTPayload>(
    _ token: String, as type: Claims.Type
  ) async throws(TokenFault) -> Claims {
    let bytes = Array(token.utf8)
    guard bytes.count <= Limits.tokenBytes else { throw .notOurs }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.bytes(parts[0]),
      Base64URL.bytes(parts[1]) != nil, Base64URL.bytes(parts[2])?.isEmpty == false,
      let fields = JSONText.decode(header)?.object, fields["crit"] == nil, fields["b64"] == nil,
      let algorithm = fields["alg"]?.text
    else { throw .notOurs }
    let name = fields["kid"]
    for key in keys where key.algorithm == algorithm {
      if let name, name != .text(key.id) { continue }
      let collection = await key.collection()
      if let payload = try? await collection.verify(bytes, as: type) { return payload }
    }
    throw .notOurs
  }

  /// The public keys by which anybody can check tokens, as a set of JSON Web Keys (RFC 7517, 5).
  public var publicKeys: JSONValue {
    .object(["keys": .list(keys.compactMap { $0.publicKey.map { .object($0) } })])
  }
}

/// The claims as they stand in a token.
private struct Payload: JWTPayload {
  var sub: String
  var aud: OneOrMore
  var role: String
  var email: String
  var sessionID: String
  var iss: String
  var iat: Int64
  var exp: Int64
  var nbf: Int64?
  var generation: Int?

  enum CodingKeys: String, CodingKey {
    case sub, aud, role, email, iss, iat, exp, nbf
    case sessionID = "session_id"
    case generation = "session_generation"
  }

  /// An audience, or several (RFC 7519, 4.1.3).
  struct OneOrMore: Codable, Sendable {
    var values: [String]

    init(values: [String]) { self.values = values }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(String.self) {
        values = [value]
      } else {
        values = try container.decode([String].self)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if values.count == 1 {
        try container.encode(values[0])
      } else {
        try container.encode(values)
      }
    }
  }

  init(_ claims: TokenClaims) {
    sub = claims.subject.text
    aud = OneOrMore(values: claims.audiences)
    role = claims.role
    email = claims.email
    sessionID = claims.session
    iss = claims.issuer
    iat = claims.issuedAt
    exp = claims.expiresAt
    nbf = claims.notBefore
    generation = claims.generation
  }

  var claims: TokenClaims? {
    guard let subject = AccountID(sub) else { return nil }
    return TokenClaims(
      subject: subject, session: sessionID, email: email, role: role, audiences: aud.values,
      issuer: iss, issuedAt: iat, expiresAt: exp, notBefore: nbf,
      generation: generation)
  }

  /// Time is looked at by the caller, who knows it.
  func verify(using algorithm: some JWTAlgorithm) async throws {}
}
