extension NodeCore.Limits {
  /// Segments that a post may end beside that of its own row, at most; more of them are not looked at.
  static let furtherSegments = 7

  /// Passages of the opposite post that are kept, at most; the oldest go first.
  public static let remotePassages = 5_000

  /// Passages of the opposite post that are asked for at once.
  public static let pullPage = 500

  /// Pages that are asked for in a row.
  public static let pullPages = 10

  /// Seconds for which a vehicle that entered is waited for, at least: a day.
  static let waits: Int64 = 86_400

  /// Time between two pulls that ask for all vehicles that are waited for.
  static let pullFar: Duration = .seconds(900)

  /// Doublings of the pause after failures in a row.
  static let pullDoublings = 10

  /// The pause after failures in a row, at most.
  static let pullPause: Duration = .seconds(900)

  /// Time between two notes of when passages were pulled.
  static let pullNoted: Duration = .seconds(600)

  /// How far ahead of this machine's clock a passage in a text may be.
  static let remoteAhead: Duration = .seconds(3_600)

  /// How long after a vehicle was seen a warning of it is worth a sound.
  public static let alertWithin: Duration = .seconds(3_600)

  /// Time between two looks for vehicles that are overdue, at most: the wall clock may have been set.
  public static let overdueLook: Duration = .seconds(600)

  /// Two rangers may record one vehicle, so long one after the other.
  public static let sameVehicleWithin: Duration = .seconds(60)

  /// Warnings that are kept beside those that stand.
  static let alertsKept = 32

  /// Vehicles that are told of as overdue at one time, at most.
  static let overdueKept = 200

  /// Pairs whose confirmation is awaited, at most.
  static let confirmations = 64
}
