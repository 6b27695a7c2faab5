/// The bounds of this module.
public enum Limits {
  /// Rows of one page, unless more or fewer are asked for.
  public static let page = 500

  /// Characters of a message's body, or digits of a PDU, that are kept.
  public static let bodyCharacters = 8_192

  /// Space that must be free for a message to be kept. What is kept already still needs room for what
  /// becomes of it, so keeping stops first, with an error, before anything else fails.
  public static let reserveBytes: Int64 = 4 << 20

  /// Messages that are decoded in one transaction.
  public static let decodedAtOnce = 500

  /// Parts of one message that are kept waiting for the others.
  public static let parts = 255

  /// Parts of all messages that wait, at most; the oldest are set aside first.
  static let openParts = 4_096

  /// How long parts wait for the others: as long as a network keeps a text that it cannot deliver.
  static let partsWait: Duration = .seconds(72 * 3_600)

  /// Passages of one segment that are paired at once.
  public static let paired = 200_000
}
