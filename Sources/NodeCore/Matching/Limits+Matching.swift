extension NodeCore.Limits {
  /// Passages of the opposite post that are kept, at most; the oldest go first.
  public static let remotePassages = 5_000

  /// Passages of the opposite post that are asked for at once.
  public static let pullPage = 500

  /// Pages that are asked for in a row.
  public static let pullPages = 10

  /// Doublings of the pause after failures in a row.
  static let pullDoublings = 10

  /// The pause after failures in a row, at most.
  static let pullPause: Duration = .seconds(900)

  /// How far ahead of this machine's clock a passage in a text may be.
  static let remoteAhead: Duration = .seconds(3_600)

  /// Warnings that are kept beside those that stand.
  static let alertsKept = 32

  /// Vehicles that are told of as overdue at one time, at most.
  static let overdueKept = 200

  /// Pairs whose confirmation is awaited, at most.
  static let confirmations = 64
}
