public import GSM
public import Passages
public import Time

/// What has become of a message of the inbox, to be written down.
public struct InboxFact: Hashable, Sendable {
  /// What became of it.
  public enum Change: Hashable, Sendable {
    /// It is a status report; nothing follows from it.
    case report
    /// It is a part of a long message, and waits for the others.
    case waits(MessagePart)
    /// It is no passage; it waits for an operator.
    case refused(Reason)
    /// It says this. Whether the passage is new is for the store to find out as it inserts it: another
    /// writer may have been faster. It is proven where the configuration trusts its sender's number.
    case passage(Passage, warnings: [IntakeWarning], isProven: Bool)
    /// A post tells that it lives; no row of a passage comes of it. Proven like a passage.
    case heartbeat(H1Message, isProven: Bool)
  }

  /// The number of the message in the inbox.
  public var id: Int64
  /// The number or the name it says it comes from.
  public var sender: String
  /// Its place in a long message, when it is a part of one.
  public var part: MessagePart?
  /// The other parts of the long message that it completed: they become what it becomes.
  public var others: [Int64]
  /// What became of it.
  public var change: Change
  /// When the message came in; nil where that does not matter.
  public var receivedAt: WallTime?

  /// A fact.
  public init(
    id: Int64, sender: String, part: MessagePart? = nil, others: [Int64] = [], change: Change,
    receivedAt: WallTime? = nil
  ) {
    self.id = id
    self.sender = sender
    self.part = part
    self.receivedAt = receivedAt
    self.others = others
    self.change = change
  }

  /// A part whose others never came.
  init(abandoned item: InboxItem) {
    let place = item.part.map { "part \($0.part) of \($0.total)" } ?? "a part"
    self.init(
      id: item.id, sender: item.from, part: item.part,
      change: .refused(
        Reason(code: Reason.missingParts, message: "\(place); the others never came")))
  }
}

/// What became of a message, for whoever asked and for the log.
public struct ProcessedMessage: Hashable, Sendable {
  /// What a message turned out to be.
  public enum Result: Hashable, Sendable {
    /// A passage that was not there, now a row; with what an operator should know of it.
    case passage(Passage, warnings: [IntakeWarning])
    /// A passage that was there already.
    case duplicate(Passage)
    /// No passage, and why; the message waits for an operator.
    case undecodable(Reason)
    /// A part of a longer message, of which others are missing.
    case part(Int, of: Int)
    /// A status report.
    case report
    /// A post tells that it lives; `missing` passages that it texted did not come.
    case heartbeat(H1Message, missing: Int64)
  }

  /// Its number in the inbox.
  public var id: Int64
  /// The number or the name it says it comes from.
  public var from: String
  /// When it came in; nil where nobody knows.
  public var receivedAt: WallTime?
  /// What it turned out to be.
  public var result: Result

  /// What a fact came to once it was written down.
  ///
  /// - Parameters:
  ///   - isDuplicate: Whether its passage was there already.
  ///   - missing: Passages of its post that did not come, when it is a heartbeat.
  init(_ fact: InboxFact, isDuplicate: Bool, missing: Int64) {
    id = fact.id
    from = fact.sender
    receivedAt = fact.receivedAt
    result =
      switch fact.change {
      case .report: .report
      case .waits(let place): .part(place.part, of: place.total)
      case .refused(let reason): .undecodable(reason)
      case .heartbeat(let message, _): .heartbeat(message, missing: missing)
      case .passage(let passage, let warnings, _):
        isDuplicate ? .duplicate(passage) : .passage(passage, warnings: warnings)
      }
  }
}
