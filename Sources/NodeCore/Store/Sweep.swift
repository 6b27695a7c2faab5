public import Storage
public import Time

/// A text with what the network has reported of its parts.
public struct ReportedText: Hashable, Sendable {
  /// The text.
  public var id: TextID
  /// Parts of it that the network took, by their numbers, and what it last reported of each.
  public var parts: [Int: Delivery?]

  /// A text with its reports.
  public init(id: TextID, parts: [Int: Delivery?]) {
    self.id = id
    self.parts = parts
  }
}

/// A message of the inbox that waits: a report for its text, or a part for the others.
public struct WaitingMessage: Hashable, Sendable {
  /// Its number in the inbox.
  public var id: Int64
  /// When it came.
  public var received: BootInstant

  /// A message that waits.
  public init(id: Int64, received: BootInstant) {
    self.id = id
    self.received = received
  }
}

/// What waits in a store, or has been kept for long, all oldest first.
public struct SweepFacts: Hashable, Sendable {
  /// Texts that are old enough for their last report, and that no sweep has looked at.
  public var texts: [ReportedText] = []
  /// Status reports of which nobody knows the text, and that nobody gave up.
  public var reports: [WaitingMessage] = []
  /// Parts of long messages whose others are missing.
  public var parts: [WaitingMessage] = []
  /// The newest message of the inbox; nil when it is empty.
  public var newestMessage: Int64?

  /// Nothing.
  public init() {}
}

/// What is no longer waited for, and what is no longer kept.
public struct Sweep: Hashable, Sendable {
  /// Texts of which no final report has come in time, oldest first. They count as expired, though a
  /// report that comes later still says more.
  public private(set) var expired: [TextID] = []
  /// Status reports that have fitted no text for too long: whatever has their reference later is
  /// another text.
  public let reportsGivenUp: [Int64]
  /// Parts that have waited for the others for too long, or that are too many; what there is of them
  /// stays readable.
  public let partsGivenUp: [Int64]
  /// What the store is to write down.
  public private(set) var changes: [InboxChange] = []

  /// What follows from what waits.
  ///
  /// - Parameter asksForReports: whether reports are asked for; texts of a time when they were not
  ///   are passed over.
  public init(_ facts: SweepFacts, asksForReports: Bool, at now: BootInstant) {
    reportsGivenUp = facts.reports.filter { $0.received < now - Limits.reportsWait }.map(\.id)
    let tooMany = facts.parts.dropLast(Limits.openParts).last?.id
    partsGivenUp = facts.parts.filter {
      $0.received < now - Limits.partsWait || $0.id <= tooMany ?? .min
    }.map(\.id)
    for text in facts.texts where asksForReports {
      let open = text.parts.filter { $0.value == nil || $0.value == .trying }.keys.sorted()
      guard !open.isEmpty else { continue }
      expired.append(text.id)
      changes.append(.expired(text.id, parts: open))
    }
    if let last = facts.texts.last { changes.append(.swept(through: last.id)) }
    if !reportsGivenUp.isEmpty { changes.append(.reportsGivenUp(reportsGivenUp)) }
    if !partsGivenUp.isEmpty { changes.append(.partsGivenUp(partsGivenUp)) }
    if let newest = facts.newestMessage, newest > Limits.inboxRows {
      changes.append(.forgotten(through: newest - Limits.inboxRows))
    }
  }
}

extension NodeTransaction {
  /// Gives up what has waited for too long, and removes the oldest messages beyond those that are kept.
  ///
  /// - Parameters:
  ///   - limit: how long after a text was begun its final report may come.
  ///   - asksForReports: whether reports are asked for.
  public func sweep(
    reportsWithin limit: Duration, asksForReports: Bool, at moment: Moment
  ) throws(StorageError) -> Sweep {
    let facts = try sweepFacts(begunUntil: moment.boot - limit, limit: Limits.expiredAtOnce)
    let sweep = Sweep(facts, asksForReports: asksForReports, at: moment.boot)
    for change in sweep.changes { try apply(change, at: moment) }
    return sweep
  }
}
