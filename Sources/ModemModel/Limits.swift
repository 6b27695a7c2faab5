/// The bounds of this module.
public enum Limits {
  /// Bytes of one command line; a real modem takes some hundreds and drops the rest.
  public static let commandBytes = 1_024

  /// Bytes of a message's body in text mode or of its digits in PDU mode.
  public static let bodyBytes = 2_048

  /// Bytes that wait while a command is carried out; what is more is lost, as in a real buffer.
  public static let inputBytes = 8_192

  /// Messages that the network holds at once.
  public static let networkMessages = 100_000
}
