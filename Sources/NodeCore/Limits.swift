/// The bounds of this module, in one place.
public enum Limits {
  /// Attempts over HTTP before a passage counts as failed.
  public static let attempts = 5

  /// Texts that may go on air for one passage, at most, whatever the configuration asks for.
  public static let textsPerPassage = 3

  /// Texts a minute that a configuration may ask for at most.
  public static let textsPerMinute = 60
  /// Texts a day that a configuration may ask for at most: the budget remembers so many.
  public static let textsPerDay = 10_000

  /// Modems that one node drives.
  public static let modems = 8

  /// Texts an operator may have waiting.
  public static let manualTexts = 16

  /// How long the modem's driver may take over one text. Its own deadlines are far shorter; this
  /// one keeps a lost answer from blocking the queue for ever.
  public static let textOutcomeWithin: Duration = .seconds(600)

  /// Refusals of one passage after which others go before it.
  public static let refusalsBeforeYielding = 3

  /// Permanent refusals in a row after which it is not the passage that is to blame.
  public static let permanentRefusalsInARow = 3

  /// How long no text is sent after the store failed to keep something.
  public static let storageHold: Duration = .seconds(10)
}
