/// The bounds of this module.
public enum Limits {
  /// Messages that wait for the central's thread.
  public static let mailbox = 4_096

  /// Messages that share one commit.
  static let batch = 500

  /// Problems of an imported file that are listed; the rest is counted.
  public static let listedProblems = 100
}
