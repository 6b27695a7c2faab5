/// The bounds of this module, in one place.
enum Limits {
  /// Bytes of a token that are looked at; ours have some 600.
  static let tokenBytes = 4_096
  /// Keys of which tokens are taken.
  static let keys = 8
  /// Bytes of a secret that signs by HMAC, at least (RFC 7518, 3.2).
  static let secretBytes = 32
  /// Bits of an RSA key (RFC 7518, 3.3); more takes too long for each token.
  static let rsaBits = 2_048...8_192
  /// Passwords that are hashed at the same time, each in 32 MiB.
  static let hashedAtOnce = 2
  /// Passwords that wait for that; at 0.1 seconds each the last one waits for two.
  static let waitingToBeHashed = 32
  /// Random bytes that go into the hash of a password.
  static let saltBytes = 16
  /// Bytes of the hash of a password.
  static let hashBytes = 32
}
