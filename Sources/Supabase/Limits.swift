/// The bounds of this module, in one place.
enum Limits {
  /// Bytes of an answer that are taken, besides those of rows: an error, a token, a profile.
  static let answerBytes = 64 << 10
  /// Bytes of one row of passages in an answer, at most.
  static let rowBytes = 2 << 10

  /// Names of posts or segments in one row that are taken, at most.
  static let namesAtOnce = 16

  /// How long the server may ask us to wait.
  static let retryAfter: ClosedRange<Duration> = .seconds(1) ... .seconds(3_600)

  /// Characters of a code or of a constraint's name; what is longer is none.
  static let nameCharacters = 80
  /// Characters of a media type that are shown.
  static let kindCharacters = 40

  /// How long a token is taken at most, whatever the server says of it.
  static let tokenLasts: Duration = .seconds(30 * 86_400)
}
