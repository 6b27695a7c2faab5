/// The bounds of this module.
public enum Limits {
  /// Space that must be free for a message to be kept. What is kept already still needs room for what
  /// becomes of it, so keeping stops first, with an error, before anything else fails.
  public static let reserveBytes: Int64 = 4 << 20

  /// Vehicles of an older file that are judged at a time when it is opened first.
  static let movedAtOnce = 500
}
