/// The bounds of this module, in one place.
public enum Limits {
  /// For how long a text may be on its way while a later one of its post overtakes it.
  static let overtaking: Duration = .seconds(3_600)

  /// For how long it is told that a post said less than before.
  static let wentBackFor: Duration = .seconds(7 * 86_400)

  /// Digits of a phone number with its country code (ITU-T E.164, 6.2.1).
  public static let phoneDigits = 3...15

  /// Characters of a phone number as it was written; what is longer is none.
  static let phoneCharacters = 40

  /// Rows of one page, unless more or fewer are asked for.
  public static let page = 500

  /// Characters of a message's body, or digits of a PDU, that are kept.
  public static let bodyCharacters = 8_192

  /// Messages that are processed in one transaction.
  public static let processedAtOnce = 500

  /// Parts of all messages that wait, at most; the oldest are set aside first.
  public static let openParts = 4_096

  /// How long parts wait for the others: as long as a network keeps a text that it cannot deliver.
  public static let partsWait: Duration = .seconds(72 * 3_600)

  /// How long it is told that connections ran out.
  static let crowdedFor: Duration = .seconds(60)

  /// Reports of one record that are kept; of more it is only counted how many there were, and when the last
  /// one came.
  public static let reportsOfRecord = 64
  /// So many records that are of neither end of a violation are shown with it, of each kind.
  public static let recordsBeside = 16
  /// So many records are named as the cause of a change of a violation.
  static let origins = 4

  /// Corrections of one record that are kept.
  public static let correctionsOfRecord = 64

  /// Corrections of one identity that are kept before its passage came.
  public static let earlyCorrections = 16

  /// Alerts, and violations, that one look at the clock does something about.
  public static let dutiesAtOnce = 500

  /// Vehicles that are judged again in one transaction.
  public static let rejudgedAtOnce = 200

  /// Messages of the inbox by which it is counted after a new start what numbers have texted.
  static let recountedMessages = 20_000

  /// Passages, messages or entries that are looked at in one transaction for whether they are too old.
  public static let expiredAtOnce = 200

  /// Records that are dropped in one transaction, with what one vehicle has beyond that.
  static let expiredRecords = 1_000

  /// How long entries of the audit log are kept at least; longer where passages are.
  static let auditKept: Duration = .seconds(5 * 365 * 86_400)

  /// Time between two looks at everything that is too old.
  public static let expiredEvery: Duration = .seconds(6 * 3_600)

  /// How far texts of a number come out of order; more than this, and the clock was set back.
  static let outOfOrder: Duration = .seconds(60)

  /// A device of a post that said last how far it is so long before another one of it, is not waited for when
  /// that one says that nothing waits.
  public static let deviceSilence: Duration = .seconds(7 * 86_400)

  /// Characters of the name of whoever confirms or closes a violation.
  public static let authorCharacters = 1...200

  /// Requests of a provider that are refused for one reason, with none taken, before somebody is told.
  static let refusedInARow = 3

  /// How long after the last of these that is told.
  static let refusedFor: Duration = .seconds(86_400)

  /// Numbers whose texts are counted at once.
  public static let countedSenders = 4_096

  /// Passages of one segment that are paired at once.
  public static let paired = 200_000
}
