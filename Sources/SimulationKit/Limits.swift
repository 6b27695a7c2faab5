import Time

/// The bounds of this module.
enum Limits {
  /// Steps that a day may take; more are a world that spins.
  static let steps = 2_000_000

  /// Inputs that follow from each other at one moment.
  static let cascade = 100_000

  /// How long a day may go on until everything has settled.
  static let settling: Duration = .seconds(48 * 3_600)

  /// How often to look whether everything has settled.
  static let settledEvery: Duration = .seconds(30)

  /// The world's connection must have stood so long for a text to be a mistake whatever the node
  /// knew: a probe every 60 seconds at most, its answer, and the jitter.
  static let certainlyOnline: Duration = .seconds(120)
}
