/// The bounds of this module.
public enum Limits {
  /// Space that must be free for a message to be kept. What is kept already still needs room for what
  /// becomes of it, so keeping stops first, with an error, before anything else fails.
  public static let reserveBytes: Int64 = 4 << 20

  /// How much of the file is held in memory at most. With the 2 MB that SQLite takes by itself, 200 passages in one
  /// transaction read twice as many pages, and write an eighth more, since some are written before the end.
  public static let cacheBytes = 24 << 20

  /// How long a call of the API may look for rows: as long as whoever asks is let wait.
  public static let statementTimeout = Duration.seconds(8)

  /// How long a call of the API may write: texts wait for it, and no longer than twice that.
  public static let writeTimeout = Duration.seconds(4)

  /// Vehicles whose passages are looked up one by one where a part of a plate is looked for.
  static let fewPlates = 200

  /// Refresh tokens of a session of which the hashes are kept, so that one that comes back is known: three
  /// weeks of a node that asks for one every half an hour.
  static let rememberedTokens = 1_000

  /// Entries of the audit log among which refused sign-ins to no account are kept.
  static let unknownSignIns: Int64 = 50_000

  /// Vehicles of an older file that are judged at a time when it is opened first.
  static let movedAtOnce = 500

  /// Messages that are looked at in one transaction for whether they name a vehicle.
  static let scannedAtOnce = 1_000
}
