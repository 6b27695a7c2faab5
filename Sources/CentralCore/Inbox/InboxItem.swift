public import GSM
public import Time

/// A message in the inbox.
public struct InboxItem: Hashable, Sendable {
  /// Where a message stands.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// On disk, and not looked at yet.
    case received
    /// A part that waits for the others.
    case part
    /// A status report; nothing follows from it here.
    case report
    /// It became a passage.
    case decoded
    /// Its passage was there already.
    case duplicate
    /// It told that a post lives; it is no passage, and nobody has to look at it.
    case heartbeat
    /// It is no passage as it stands; it waits for an operator.
    case undecodable
  }

  /// That a person looked at a message which is no passage, so that it waits no more.
  public struct Dismissal: Hashable, Sendable {
    /// When.
    public var at: WallTime
    /// Who did.
    public var author: String

    /// Somebody looked at it.
    public init(at: WallTime, by author: String) {
      self.at = at
      self.author = author
    }
  }

  /// Its number in the inbox; later messages have higher ones.
  public var id: Int64
  /// Who handed it over, as ``Provider`` names it.
  public var provider: String
  /// The number or the name it says it comes from; empty when it cannot be read.
  public var from: String
  /// The text, or the PDU as it came.
  public var body: String
  /// Whether `body` is a PDU in hexadecimal digits, and not a text.
  public var isPDU: Bool
  /// When it first came in, by the central's wall clock.
  public var receivedAt: WallTime
  /// How often it was handed over.
  public var timesReceived: Int
  /// Where it stands.
  public var state: State
  /// Why it is no passage: a stable name; nil when nothing is wrong with it.
  public var reason: String?
  /// Why it is no passage, in words; nil when nothing is wrong with it.
  public var words: String?
  /// The passage that it became or is a duplicate of.
  public var clientID: String?
  /// What an operator should know of a passage that was taken all the same.
  public var warnings: [IntakeWarning]
  /// Its place in a long message, once it was found to be a part of one.
  public var part: MessagePart?
  /// That a person looked at it; nil while nobody did, and of one that is processed once more.
  public var dismissal: Dismissal?

  /// A message as it stands in a store.
  public init(
    id: Int64, provider: String, from: String, body: String, isPDU: Bool, receivedAt: WallTime,
    timesReceived: Int = 1, state: State = .received, reason: String? = nil, words: String? = nil,
    clientID: String? = nil, warnings: [IntakeWarning] = [], part: MessagePart? = nil
  ) {
    self.id = id
    self.provider = provider
    self.from = from
    self.body = body
    self.isPDU = isPDU
    self.receivedAt = receivedAt
    self.timesReceived = timesReceived
    self.state = state
    self.reason = reason
    self.words = words
    self.clientID = clientID
    self.warnings = warnings
    self.part = part
  }

  /// The PDU, read; nil for a text.
  var pdu: ReceivedPDU? { isPDU ? ReceivedPDU(hex: body) : nil }
}
