import Settings

/// The bounds of this module, in one place.
enum Limits {
  /// One line of a log file, in bytes; a longer one is passed over by the reader.
  static let logLineBytes = 64 * 1_024

  /// Words of one event, in characters; what a library or a modem says may be of any length.
  static let eventWords = 500

  /// Names that are counted one by one; further ones are counted together.
  static let countedNames = 256

  /// Events that are kept in memory to be shown with the status.
  static let recentEvents = 64

  /// Records that wait for a subscriber before it is dropped.
  static let recordsWaiting = 1_000

  /// Lines that wait in memory while the disk of the log, or who reads standard output, takes none.
  static let logLinesWaiting = 1_000

  /// How long the end of a service waits for a reader of standard output that takes nothing.
  static let logReaderPatience: Duration = .seconds(1)

  /// Log files that were begun anew and wait for their sync.
  static let logFilesToSync = 2

  /// Time between two syncs of the log.
  static let logSyncEvery: Duration = .seconds(5)

  /// The same once a warning was written.
  static let logSyncUrgent: Duration = .seconds(1)

  /// Old log files that are looked for beside the current one.
  static let logFiles = Settings.Log.mostFiles
}
