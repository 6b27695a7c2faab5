extension NodeCore.Limits {
  /// Rows that one query returns at most; a caller that wants more asks again after the last.
  public static let page = 1_000

  /// How urgent a passage may be: the more urgent go first.
  public static let priorities = 0...2
  /// How urgent the upload of something is that was given up before: it goes behind all others.
  public static let behindPriority = -1
  /// How urgent a text to others than the centre is: less than any to the centre.
  public static let otherPriority = -1

  /// Digits at the end of two phone numbers that must agree for them to be the same; what stands
  /// before them differs with and without country code.
  public static let phoneTail = 8

  /// Characters of an error text that are kept.
  public static let errorCharacters = 300

  /// Texts of one passage that are listed.
  public static let textsShown = 100

  /// Messages that came in and are kept; the oldest go first.
  public static let inboxRows: Int64 = 50_000

  /// Within this time a message with the same identity is the same one, handed over again.
  public static let duplicatesWithin: Duration = .seconds(7 * 86_400)

  /// How long parts of a long message wait for the others.
  public static let partsWait: Duration = .seconds(72 * 3_600)

  /// Parts that wait, at most; the oldest are given up first.
  public static let openParts = 512

  /// A status report belongs to one of so many texts, the last ones.
  public static let reportReach: Int64 = 20_000

  /// A text with an unknown outcome is looked for among so many, the last ones.
  public static let unknownReach: Int64 = 2_000

  /// Status reports without a text that are tried again.
  public static let openReports = 64

  /// Texts after which a reference comes round.
  public static let references: Int64 = 256

  /// How long a status report waits for the outcome of its text, or for what tells it from others.
  public static let reportsWait: Duration = .seconds(86_400)

  /// Texts with one reference that a report is tried on: the reference comes round every 256 texts.
  public static let sameReference = 8

  /// How far the clocks of one service centre may be apart, and a report be late within them.
  public static let centreDoubt: Duration = .seconds(120)

  /// How far this machine's wall clock and a service centre's may be apart without either being far
  /// off: centres are met that write their local time as that of another zone.
  public static let wallDoubt: Duration = .seconds(15 * 3_600)

  /// Reports by which the clock of a service centre is known, the last ones.
  public static let centreReports = 8

  /// They are looked for among so many messages.
  public static let centreReach: Int64 = 500

  /// References of a modem that are looked at to learn how it counts, the last ones.
  public static let referencesLookedAt = 33

  /// Steps by one among them from which on it is known to count by one.
  public static let stepsByOne = 8

  /// Texts that are looked at in one search for those without a final report.
  public static let expiredAtOnce = 500
}
