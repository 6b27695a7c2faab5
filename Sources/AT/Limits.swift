/// The bounds of this module.
public enum Limits {
  /// Bytes of a `+CUSD` over several lines: a USSD text has 182 characters at most (3GPP TS 23.038 5),
  /// in hexadecimal digits of UCS-2 four times as many.
  static let ussdBytes = 1_024

  /// Bytes of one line from a modem. A PDU line has some 400; text of an operator's command more. A line
  /// that is longer is dropped whole, and told as ``ATEvent/overlong``.
  public static let lineBytes = 4_096

  /// Information lines that one answer keeps; a full storage lists some 500 messages in two lines
  /// each. What comes after is dropped, and the answer says so.
  public static let answerLines = 4_096

  /// Characters of a list of storages that are looked at.
  static let storageList = 512

  /// Characters of a list of indicators that are looked at.
  static let indicatorList = 1_024

  /// Entries of a trace; a recorder keeps far fewer.
  public static let traceEntries = 200_000

  /// Bytes of a trace as text.
  public static let traceBytes = 32 << 20

  /// Milliseconds that a trace lasts: a year.
  public static let traceMilliseconds: Int64 = 31_622_400_000

  /// How long the space of a prompt is waited for, which some modems leave out.
  public static let promptSettles = Duration.milliseconds(20)

  /// How long a final result is waited for that some modems leave out, once there is an answer.
  public static let resultFollows = Duration.seconds(2)
}
