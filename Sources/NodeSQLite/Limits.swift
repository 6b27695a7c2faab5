/// The bounds of this module, in one place; what every store keeps to stands in `NodeCore.Limits`.
public enum Limits {
  /// Space that must be free for a passage to be recorded. What is recorded already still needs
  /// room for its outcome, so recording stops first, with an error, before anything else fails.
  public static let reserveBytes: Int64 = 4 << 20

  /// Names that are looked up with one statement: SQLite binds so many for certain.
  static let namesAtOnce = 900

  /// The newest texts among which the last moment of the clock is looked for: more than can be open or end
  /// after a younger one was begun.
  static let lastTexts = 64

  /// Passages of a list that are looked up one by one, at most; of more, the queue is walked through.
  static let few = 20_000
}
