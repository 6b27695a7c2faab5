/// The bounds of this module.
public enum Limits {
  /// Refresh tokens of a session that are remembered, so that one that is used again is noticed.
  static let rememberedTokens: Int64 = 1_000

  /// Refused sign-ins under names that nobody has, in the audit log.
  static let unknownSignIns: Int64 = 50_000

  /// When somebody asks again whose turn it is to do the clock's duties, while another one is at them.
  static let busyClock: Duration = .seconds(5)

  /// Seconds that a call of the API waits for others of it.
  static let roomWithin = 8.0

  /// How long a call of the API may write.
  public static let writtenWithin: Duration = .seconds(8)

  /// How long it may take to tell rows that were written.
  static let toldWithin: Duration = .seconds(8)

  /// Of those, how many are asked for together.
  static let toldAtOnce = 50

  /// Messages that are looked at in one transaction for whether they name a vehicle.
  static let scannedAtOnce = 1_000

  /// Changes of counts that may lie about before somebody gathers them by the clock.
  static let countsUngathered = 1_000

  /// Vehicles whose passages are looked up one by one where a part of a plate is looked for.
  static let fewPlates = 200
}
