/// The bounds of this module, in one place.
enum Limits {
  /// Bytes of an answer to a probe that are looked at; a longer one is not our server's.
  static let answerBytes = 64 << 10

  /// How long a connection may take to come about, at most; less when the whole probe has less.
  static let connectSeconds: Int64 = 10

  /// How long a connection without work stays open: longer than it is from one probe to the next.
  static let idleSeconds: Int64 = 60

  /// Characters of a library's words that go into a reason.
  static let reasonCharacters = 120
}
