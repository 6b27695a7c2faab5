/// The bounds of this module.
public enum Limits {
  /// Requests that wait for the driver's thread.
  public static let mailbox = 256

  /// Bytes taken from the port at once.
  public static let readBytes = 4_096

  /// Reads in a row before requests are looked at again: a line that never falls silent must not
  /// keep a stop from being heard.
  public static let readsInARow = 16
}
