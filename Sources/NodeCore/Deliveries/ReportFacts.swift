public import GSM
public import Storage
public import Time

/// Where a text stands, as it is written down.
public enum TextState: String, Hashable, Sendable {
  /// It was handed to a modem, and its outcome is still to come.
  case intent
  /// The network took it.
  case accepted
  /// The modem or the network said no.
  case refused
  /// It never left.
  case notSent = "not_sent"
  /// Nobody knows whether it left.
  case unknown
}

/// A text that was handed to a modem, as far as a report may be about it.
public struct SentText: Hashable, Sendable {
  /// The text.
  public var id: TextID
  /// Where it stands.
  public var state: TextState
  /// What kind of refusal it met, if any.
  public var refusal: ErrorClass?
  /// The end of the number that it went to.
  public var recipientTail: String
  /// When it was begun.
  public var begun: Moment

  /// A text.
  public init(
    id: TextID, state: TextState, refusal: ErrorClass? = nil, recipientTail: String, begun: Moment
  ) {
    self.id = id
    self.state = state
    self.refusal = refusal
    self.recipientTail = recipientTail
    self.begun = begun
  }
}

/// The texts among which one is looked for. A text without the name of a modem may be any modem's.
public struct TextSearch: Hashable, Sendable {
  /// The modem that sent them; nil for any.
  public var modem: String?
  /// The end of the number that they went to.
  public var recipientTail: String
  /// Only those with higher numbers.
  public var after: TextID
  /// How many at most, the newest.
  public var limit: Int

  /// Texts of a modem to a number.
  public init(modem: String?, recipientTail: String, after: TextID, limit: Int) {
    self.modem = modem
    self.recipientTail = recipientTail
    self.after = after
    self.limit = limit
  }
}

/// A reference and the text that it was given to.
public struct GivenReference: Hashable, Sendable {
  /// The text.
  public var textID: TextID
  /// TP-MR, one octet that comes round.
  public var reference: UInt8

  /// A reference of a text.
  public init(textID: TextID, reference: UInt8) {
    self.textID = textID
    self.reference = reference
  }
}

/// A status report in the inbox of which nobody knows the text.
public struct WaitingReport: Hashable, Sendable {
  /// Its number in the inbox.
  public var id: Int64
  /// What it says.
  public var report: StatusReport
  /// When it came.
  public var received: Moment

  /// A report that waits.
  public init(id: Int64, report: StatusReport, received: Moment) {
    self.id = id
    self.report = report
    self.received = received
  }
}

/// What a store knows of texts and reports, from which is told what belongs together. All lists are
/// newest first.
public protocol ReportFacts {
  /// The newest text of all; nil when there is none.
  func newestText() throws(StorageError) -> TextID?

  /// The newest text of a modem with a number above `id` that left or may have.
  func newestText(by modem: String?, after id: TextID) throws(StorageError) -> SentText?

  /// Texts whose outcome is unknown or still to come.
  func unsettledTexts(_ search: TextSearch) throws(StorageError) -> [SentText]

  /// Parts of texts that were accepted with this reference.
  ///
  /// - Parameter onlyOpen: whether to leave out those of which the network has said something final.
  func sentParts(
    _ reference: UInt8, of search: TextSearch, onlyOpen: Bool
  ) throws(StorageError) -> [SentPart]

  /// What the references around a text tell.
  func references(around id: TextID, by modem: String?) throws(StorageError) -> ReferencesAround

  /// The references of a modem, of texts with numbers above `id`.
  func references(
    by modem: String, after id: TextID, limit: Int
  ) throws(StorageError) -> [GivenReference]

  /// Texts of a modem between two others that left or may have.
  func countTexts(
    by modem: String, between older: TextID, and newer: TextID
  ) throws(StorageError) -> Int

  /// Texts of a modem, with numbers above `id`, of which nobody knows whether they left.
  func unknownTexts(
    by modem: String, after id: TextID, limit: Int
  ) throws(StorageError) -> [TextID]

  /// What the last reports that a modem received said of the service centre's clock, `limit` of the
  /// last `reach` messages, without the one of that reference and moment.
  func centreReadings(
    by modem: String?, without reference: UInt8, receivedAt: BootInstant, reach: Int64, limit: Int
  ) throws(StorageError) -> [CentreReading]

  /// Reports that fitted no text so far and came in since a moment.
  func waitingReports(
    by modem: String?, since: BootInstant, limit: Int
  ) throws(StorageError) -> [WaitingReport]
}
