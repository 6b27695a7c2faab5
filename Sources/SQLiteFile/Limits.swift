/// The bounds of this module, in one place.
public enum Limits {
  /// How long a statement waits for a lock that another process holds.
  public static let busyTimeoutSeconds = 5.0

  /// Up to this size a file is checked whole when it is opened. Larger ones are checked by their
  /// schema alone, so that a start takes a bounded time.
  public static let checkedWholeBytes: Int64 = 64 << 20

  /// How many times a file is set up when another process is setting up the same one.
  public static let openingTries = 4

  /// The write-ahead log is cut back to this many bytes at each checkpoint.
  public static let writeAheadLogBytes = 4 << 20

  /// How much of a file its connection holds in memory at most, unless another number is asked for: what
  /// SQLite itself takes.
  public static let cacheBytes = 2 << 20

  /// Instructions of SQLite's virtual machine between two looks at how long a bounded reading has taken: some tens of
  /// microseconds of them.
  static let instructionsBetweenLooks: Int32 = 1_000

  /// Copies of one database that are saved when its file is not where it was.
  static let savedCopies = 9

  /// Permissions of a copy, until it takes the place of a database: it may be carried away, and lie where others read.
  static let copyMode: UInt32 = 0o600

  /// Permissions of a database file that is created here: its owner and group may read plates.
  static let fileMode: UInt32 = 0o640
}
