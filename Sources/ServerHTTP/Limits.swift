/// The bounds of this module, in one place.
enum Limits {
  /// Bytes of all header fields of an answer; what sends more is not our server.
  static let headerBytes = 64 << 10

  /// How long a connection may take to come about, at most; less when the whole exchange has less.
  static let connectMilliseconds = 10_000

  /// How long a connection without work may be used again: longer than it is from one probe to the next.
  static let idleSeconds = 60

  /// Requests that wait to be taken up.
  static let requests = 64

  /// Characters of a library's words that go into a reason.
  static let reasonCharacters = 120
}
