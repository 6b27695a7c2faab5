import Crypto
import CryptoExtras
import FoundationEssentials
import JSON
import JWTKit

/// A key that tokens are signed with, or were: what its file holds, understood.
public struct TokenKey: Sendable, CustomStringConvertible {
  /// Why a file holds no key that can be used.
  public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A secret of fewer than 32 bytes.
    case shortSecret
    /// A key in PEM that is neither an elliptic curve's of P-256 nor RSA's, or is protected by a password.
    case unknownKind
    /// An RSA key of fewer than 2,048 bits, or of more than 8,192.
    case rsaSize

    /// What is wrong, in words that follow the file's name.
    public var description: String {
      switch self {
      case .shortSecret: "holds fewer than \(Limits.secretBytes) characters"
      case .unknownKind: "holds no key of P-256 or RSA in PEM that is open"
      case .rsaSize: "holds an RSA key that has not 2,048 to 8,192 bits"
      }
    }
  }

  enum Material: Sendable {
    case secret(HMACKey)
    case curve(ES256PrivateKey)
    case curvePublic(ES256PublicKey)
    case rsa(JWTKit.Insecure.RSA.PrivateKey)
    case rsaPublic(JWTKit.Insecure.RSA.PublicKey)
  }

  let material: Material
  /// Its name in the header of a token (`kid`): a hash, so that it changes with the key.
  public let id: String
  /// Its public part as a JSON Web Key (RFC 7517); nil for a secret.
  let publicKey: [String: JSONValue]?

  /// Reads what a file holds: a key in PEM (P-256 or RSA, private, or public where tokens of it are only to be
  /// taken), or a secret of one line.
  ///
  /// - Throws: What is wrong with it.
  public init(_ text: String) throws(Fault) {
    guard text.contains("-----BEGIN ") else {
      let bytes = Array(text.utf8)
      guard bytes.count >= Limits.secretBytes else { throw .shortSecret }
      let key = SymmetricKey(data: bytes)
      let name = HMAC<SHA256>.authenticationCode(for: Array("name of the key".utf8), using: key)
      material = .secret(HMACKey(key: key))
      id = Base64URL.text(Array(name).prefix(12))
      publicKey = nil
      return
    }
    material = try TokenKey.material(pem: text)
    let members = try TokenKey.members(of: material)
    // The members in the order of their names, without white space (RFC 7638).
    let thumbprint = SHA256.hash(data: Array(JSONText.line(.object(members)).utf8))
    id = Base64URL.text(Array(thumbprint))
    var key = members
    key["kid"] = .text(id)
    key["use"] = "sig"
    key["alg"] = .text(TokenKey.algorithm(of: material))
    publicKey = key
  }

  private static func material(pem text: String) throws(Fault) -> Material {
    if let key = try? ES256PrivateKey(pem: text) { return .curve(key) }
    if let key = try? ES256PublicKey(pem: text) { return .curvePublic(key) }
    if let key = try? JWTKit.Insecure.RSA.PrivateKey(pem: text) { return .rsa(key) }
    if let key = try? JWTKit.Insecure.RSA.PublicKey(pem: text) { return .rsaPublic(key) }
    if (try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: text)) != nil { throw .rsaSize }
    throw .unknownKind
  }

  /// What makes a public key what it is (RFC 7638, 3.2).
  private static func members(of material: Material) throws(Fault) -> [String: JSONValue] {
    func url(_ base64: String) throws(Fault) -> JSONValue {
      guard let bytes = Data(base64Encoded: base64) else { throw .unknownKind }
      return .text(Base64URL.text(bytes))
    }
    func curve(_ point: ECDSAParameters?) throws(Fault) -> [String: JSONValue] {
      guard let point else { throw .unknownKind }
      return ["kty": "EC", "crv": "P-256", "x": try url(point.x), "y": try url(point.y)]
    }
    func rsa(_ key: JWTKit.Insecure.RSA.PublicKey) throws(Fault) -> [String: JSONValue] {
      guard let parts = try? key.getKeyPrimitives() else { throw .unknownKind }
      guard Limits.rsaBits.contains(parts.modulus.count * 8) else { throw .rsaSize }
      return [
        "kty": "RSA", "n": .text(Base64URL.text(parts.modulus)),
        "e": .text(Base64URL.text(parts.publicExponent)),
      ]
    }
    switch material {
    case .secret: return [:]
    case .curve(let key): return try curve(key.parameters)
    case .curvePublic(let key): return try curve(key.parameters)
    case .rsa(let key): return try rsa(key.publicKey)
    case .rsaPublic(let key): return try rsa(key)
    }
  }

  private static func algorithm(of material: Material) -> String {
    switch material {
    case .secret: "HS256"
    case .curve, .curvePublic: "ES256"
    case .rsa, .rsaPublic: "RS256"
    }
  }

  /// The algorithm of its tokens, as their header names it (RFC 7518, 3.1).
  public var algorithm: String { TokenKey.algorithm(of: material) }

  /// Whether it can sign; a public key is only there to check.
  public var canSign: Bool {
    switch material {
    case .secret, .curve, .rsa: true
    case .curvePublic, .rsaPublic: false
    }
  }

  /// The algorithm and the name of the key, never the key.
  public var description: String { "\(algorithm) \(id)" }

  /// The key as the library wants it: alone, so that no header of a token chooses among keys.
  func collection() async -> JWTKeyCollection {
    let collection = JWTKeyCollection()
    switch material {
    case .secret(let key): await collection.add(hmac: key, digestAlgorithm: .sha256)
    case .curve(let key): await collection.add(ecdsa: key)
    case .curvePublic(let key): await collection.add(ecdsa: key)
    case .rsa(let key): await collection.add(rsa: key, digestAlgorithm: .sha256)
    case .rsaPublic(let key): await collection.add(rsa: key, digestAlgorithm: .sha256)
    }
    return collection
  }
}
