/// The bounds of this module.
public enum Limits {
  /// Requests that wait for the driver's thread.
  public static let mailbox = 256

  /// Bytes taken from the port at once.
  public static let readBytes = 4_096

  /// Bytes of the line that are remembered for when something fails: some minutes of it.
  public static let recordedBytes = 32 << 10
  /// Pieces of the line that are remembered.
  public static let recordedEntries = 1_000

  /// Reads in a row before requests are looked at again: a line that never falls silent must not
  /// keep a stop from being heard.
  public static let readsInARow = 16

  /// Cards and PINs that are remembered as tried.
  static let pinMarks = 64

  /// The file that remembers them, in bytes.
  static let pinMemoryBytes = 64 * 1_024

  /// Bytes of the note of what puts a modem's access technologies back.
  static let accessNoteBytes = 256

  /// Traces of modems that are kept.
  static let traceFiles = 20

  /// What of a trace's name tells when it was: `20261121T093812.trace`.
  static let traceSuffix = 21
}
