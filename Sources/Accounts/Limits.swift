/// The bounds of this module, in one place.
enum Limits {
  /// Bytes of a login name with its domain (RFC 5321, 4.5.3.1.3, without the brackets).
  static let loginBytes = 254
  /// Bytes of a login name before the domain (RFC 5321, 4.5.3.1.1).
  static let localBytes = 64
  /// Characters of a password, at least.
  static let passwordCharacters = 8
  /// Bytes of a password: what is hashed is bounded.
  static let passwordBytes = 256
  /// Characters of a person's or a key's name.
  static let nameCharacters = 100
  /// Bytes of what a key looks like.
  static let keyBytes = 80
  /// Seconds by which two clocks may differ, as PostgREST has it.
  static let skewSeconds: Int64 = 30
  /// Names and addresses of which failures are remembered at the same time.
  static let gateEntries = 20_000
}
