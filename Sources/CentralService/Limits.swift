/// The bounds of this module.
public enum Limits {
  /// Messages that wait for the central's thread.
  public static let mailbox = 4_096

  /// Messages that share one commit.
  static let batch = 500

  /// Time to the next attempt at judging what is kept, after the store failed.
  static let judgeAgainAfter: Duration = .seconds(10)

  /// Problems of an imported file that are listed; the rest is counted.
  public static let listedProblems = 100
}
