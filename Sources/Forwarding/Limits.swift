/// The bounds of this module.
enum Limits {
  /// Passages of one request.
  static let batch = 100
  /// The first pause after a failure, doubled with each further one.
  static let firstPause: Duration = .seconds(5)
  /// Passages at which the server may fail one after the other before it is taken that it fails at all, times the
  /// failures in a row.
  static let failuresAtFront = 3
  /// The longest.
  static let longestPause: Duration = .seconds(300)
  /// After how long a passage is due again that the server had no place for.
  static let placePause: Duration = .seconds(600)
  /// How old what is known of the server's posts and people may be.
  static let directoryLasts: Duration = .seconds(3_600)
  /// The same where it lacks somebody.
  static let directoryLacks: Duration = .seconds(60)
  /// How often it is looked for passages where nobody tells of one.
  static let look: Duration = .seconds(60)
  /// Pages of the server's posts, and of its people.
  static let pages = 100
}
