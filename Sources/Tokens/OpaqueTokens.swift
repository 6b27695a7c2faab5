public import Accounts
import Crypto
public import Time

/// Random bytes of the system, for what nobody may guess.
public enum RandomBytes {
  /// So many bytes.
  public static func make(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in random.next() }
  }
}

extension TokenDigest {
  /// The hash of a token or a key as it is shown (SHA-256, FIPS 180-4).
  public init(of text: String) {
    var hash = SHA256()
    hash.update(data: Array(text.utf8))
    // SHA-256 has 32 bytes, and that many are asked for.
    self = TokenDigest(Array(hash.finalize())) ?? TokenDigest.none
  }

  private static let none = TokenDigest(of: "")
}

/// Refresh tokens: 256 bits that say nothing.
public enum RefreshToken {
  /// A new one, which follows from nothing.
  public static func first() -> String { Base64URL.text(RandomBytes.make(32)) }

  /// Random bytes for ``next(after:nonce:)``.
  public static func nonce() -> [UInt8] { RandomBytes.make(16) }

  /// The one that follows: whoever has the token and the nonce makes it, and nobody who has one of them
  /// alone. So it can be given twice, and only its hash and the nonce are kept.
  public static func next(after token: String, nonce: [UInt8]) -> String {
    let key = SymmetricKey(data: Array(token.utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Array("refresh".utf8) + nonce, using: key)
    return Base64URL.text(code)
  }
}

extension APIKey {
  /// Makes a key; the text is shown once and kept nowhere.
  public static func make(
    _ role: Role, name: String, at now: WallTime
  ) -> (key: APIKey, text: String) {
    let prefix = APIKeyText.prefix(from: RandomBytes.make(APIKeyText.prefixCharacters))
    let secret = Base64URL.text(RandomBytes.make(APIKeyText.secretBytes))
    let text = "\(APIKeyText.mark)\(prefix).\(secret)"
    return (
      APIKey(prefix: prefix, name: name, role: role, digest: TokenDigest(of: text), createdAt: now),
      text
    )
  }
}
