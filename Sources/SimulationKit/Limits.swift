import Time

/// The bounds of this module.
enum Limits {
  /// Steps that a day may take; more are a world that spins.
  static let steps = 2_000_000

  /// Inputs that follow from each other at one moment.
  static let cascade = 100_000

  /// How long a day may go on until everything has settled.
  static let settling: Duration = .seconds(48 * 3_600)

  /// How long it may take at most, once all works again and the line is there, until everything is on the
  /// server.
  static let draining: Duration = .seconds(4 * 3_600)

  /// How long after the day texts are waited for that a budget holds back.
  static let texting: Duration = .seconds(3 * 3_600)

  /// How long after everything works again all modems are to be ready.
  static let modemsReturn: Duration = .seconds(600)

  /// How long after everything works again all that the server takes is there, whatever it never takes.
  static let othersArrive: Duration = .seconds(2_400)

  /// Rounds that a node may have within a minute.
  static let roundsInAMinute = 3_000

  /// Things that may wait in memory for the store.
  static let unstored = 1_000

  /// Bytes of the database and its log of a day.
  static let diskUsed: Int64 = 16 << 20

  /// Bytes of a request without a photograph.
  static let request = 64 << 10

  /// How often to look whether everything has settled.
  static let settledEvery: Duration = .seconds(30)

  /// The world's connection must have stood so long for a text to be a mistake whatever the node
  /// knew: a probe every 60 seconds at most, its answer, and the jitter.
  static let certainlyOnline: Duration = .seconds(120)
}
