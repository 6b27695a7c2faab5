public import Passages

/// What came of a report or a correction.
public struct ArrivalReceipt: Hashable, Sendable {
  /// What it was.
  public enum Outcome: Hashable, Sendable {
    /// A report, and what it is to the records that were there.
    case report(Reception)
    /// A correction of a passage that is there.
    case correction
    /// A correction whose passage did not come yet: it is kept, and counts when that comes.
    case early
    /// It is of a time of which nothing is kept any more: nothing was done with it.
    case expired
  }

  /// What it was.
  public var outcome: Outcome
  /// The number of the record that it went to, or contradicts; nil of one that came early, or too
  /// late.
  public var record: Int64?
  /// The passage as it stands after all that was taken with it; nil of a correction that came early, and of
  /// what came too late.
  public var passage: PassageName?
  /// Whether it told something that was not known, so that anything was written.
  public var isNews: Bool

  /// What came of something.
  public init(_ outcome: Outcome, record: Int64?, passage: PassageName?, isNews: Bool) {
    self.outcome = outcome
    self.record = record
    self.passage = passage
    self.isNews = isNews
  }

  /// Whether it is the first report of a passage of which nothing was known, also by another ranger.
  public var isFirst: Bool {
    outcome == .report(.new) && passage.map { $0.row == record } ?? false
  }
}

/// The names of a passage.
public struct PassageName: Hashable, Sendable {
  /// The number of its row: that of its first record.
  public var row: Int64
  /// What names the row for others: the identifier that was handed in with it, otherwise the identity that
  /// it came under first.
  public var uuid: ClientID
  /// The identity that it came under first.
  public var clientID: ClientID

  /// A passage's names.
  public init(row: Int64, uuid: ClientID, clientID: ClientID) {
    self.row = row
    self.uuid = uuid
    self.clientID = clientID
  }
}

/// What came of a batch.
public struct TakenArrivals: Hashable, Sendable {
  /// What came of each, in their order.
  public var receipts: [ArrivalReceipt]
  /// What the judgement changed.
  public var changes: JudgedChanges

  /// What came of a batch.
  public init(receipts: [ArrivalReceipt] = [], changes: JudgedChanges = JudgedChanges()) {
    self.receipts = receipts
    self.changes = changes
  }
}

/// A passage that was handed in over the API, for the log.
public struct HandedInPassage: Hashable, Sendable {
  /// What was handed in.
  public var observation: Observation
  /// Whether it is the first that is known of it.
  public var isFirst: Bool

  /// A passage that was handed in.
  public init(_ observation: Observation, isFirst: Bool) {
    self.observation = observation
    self.isFirst = isFirst
  }
}

/// What a judgement changed of what stands, for the log and for whoever has to be told.
public struct JudgedChanges: Hashable, Sendable {
  /// A violation that was found, changed, retracted or found again.
  public struct Violation: Hashable, Sendable {
    /// As it is now.
    public var violation: StandingViolation
    /// What was done.
    public var revision: ViolationRevision

    /// A violation with what was done to it.
    public init(_ violation: StandingViolation, _ revision: ViolationRevision) {
      self.violation = violation
      self.revision = revision
    }
  }

  /// Pairs that stood and are none.
  public var parted: [PassagePair] = []
  /// Pairs that did not stand.
  public var paired: [PassagePair] = []
  /// Violations that changed.
  public var violations: [Violation] = []
  /// Violations that became final, or provisional again because of what a judgement found, as they are now.
  public var settled: [StandingViolation] = []
  /// Alerts that are to be told: new ones, and ones that stand again.
  public var raised: [OverdueAlert] = []
  /// Alerts that are over.
  public var ended: [OverdueAlert] = []
  /// Passages that were handed in over the API, in the order in which they came.
  public var handedIn: [HandedInPassage] = []

  /// Nothing changed.
  public init() {}

  /// Whether nothing changed.
  public var isEmpty: Bool {
    parted.isEmpty && paired.isEmpty && violations.isEmpty && settled.isEmpty && raised.isEmpty
      && ended.isEmpty && handedIn.isEmpty
  }

  /// Adds what changed after this.
  public mutating func append(_ later: JudgedChanges) {
    parted += later.parted
    paired += later.paired
    violations += later.violations
    settled += later.settled
    raised += later.raised
    ended += later.ended
    handedIn += later.handedIn
  }
}
