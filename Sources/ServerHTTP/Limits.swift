/// The bounds of this module, in one place.
enum Limits {
  /// Bytes of all header fields of an answer; what sends more is not our server.
  static let headerBytes = 64 << 10

  /// Bytes a second below which an exchange stands still.
  static let standingStill: Int64 = 16

  /// The fields of an answer's header that are handed on, by their names in small letters.
  static let fieldsRead: Set = ["date", "retry-after"]

  /// The one that is handed on where no body comes, for `HEAD`: elsewhere the body tells.
  static let bodyLength = "content-length"

  /// How long a connection without work may be used again: longer than it is from one probe to the next.
  static let idleSeconds = 60

  /// Requests that wait to be taken up.
  static let requests = 64

  /// Characters of a library's words that go into a reason.
  static let reasonCharacters = 120
}
