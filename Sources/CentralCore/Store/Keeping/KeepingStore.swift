public import Storage
public import Time

/// What a store forgets: by the clock what is old, and all of one vehicle when a person may ask for that.
///
/// What is forgotten is gone with all that depends on it, and changes nothing of what stays.
public protocol KeepingStore: Sendable {
  /// Drops some of what is older than it is to be kept, in one transaction of bounded length; asks for the
  /// next one by ``Expired/next``. Whole travels go, with their reports, corrections, violations, alerts,
  /// messages and photographs, and never a passage that has a say in how another one that stays is judged.
  /// The evidence of violations stays while they are open: see ``HeldViolation/isHeld(since:)``.
  ///
  /// From then on nothing is taken that is of a time from which something may have been dropped, so that a
  /// repetition does not come back as new.
  ///
  /// - Parameters:
  ///   - keep: How long a passage is kept after it was recorded.
  ///   - rules: The numbers that passages are judged by.
  func expire(
    after keep: Duration, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Expired

  /// All that is known of a vehicle.
  ///
  /// - Parameter plate: Its plate in the compact form: also what came under it and was corrected to another
  ///   one, and the other way about.
  func holdings(of plate: String) throws(StorageError) -> VehicleHoldings

  /// Erases all that is known of a vehicle, in one transaction, and notes in the audit log that it was done and
  /// how much it was, without the plate.
  ///
  /// - Returns: What was erased, or would be.
  func erase(
    _ order: ErasureOrder, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Erased

  /// Messages as they came, the oldest first.
  ///
  /// - Parameters:
  ///   - after: Only those with higher numbers.
  ///   - since: Only those that came then or later; nil for those of all times.
  ///   - until: Only those that came before; nil for those of all times.
  func messages(
    after: Int64, since: WallTime?, until: WallTime?, limit: Int
  ) throws(StorageError) -> [ArchivedMessage]

  /// Photographs that belong to nothing any more, to be removed by whoever has them.
  func droppedPhotographs(limit: Int) throws(StorageError) -> [String]

  /// Notes that photographs were removed.
  func forget(photographs: [String]) throws(StorageError)

  /// Which of these photographs belong to something: a passage names them, is what they are called after, or will
  /// name them once it came, by a correction that waits for it.
  func namedPhotographs(among names: [PhotoName]) throws(StorageError) -> Set<PhotoName>
}

extension KeepingStore {
  /// Messages of all times as they came, the oldest first.
  public func messages(after: Int64, limit: Int) throws(StorageError) -> [ArchivedMessage] {
    try messages(after: after, since: nil, until: nil, limit: limit)
  }
}

/// How much was dropped or erased.
public struct Dropped: Hashable, Sendable {
  /// Passages that people read.
  public var passages = 0
  /// Reports of them.
  public var reports = 0
  /// Corrections of them.
  public var corrections = 0
  /// Violations, the retracted ones too.
  public var violations = 0
  /// Outcomes of violations.
  public var outcomes = 0
  /// Alerts.
  public var alerts = 0
  /// Messages of the inbox.
  public var messages = 0
  /// Photographs.
  public var photographs = 0
  /// Entries of the audit log.
  public var auditEntries = 0

  /// Nothing.
  public init() {}

  /// Adds more.
  public static func += (left: inout Dropped, right: Dropped) {
    left.passages += right.passages
    left.reports += right.reports
    left.corrections += right.corrections
    left.violations += right.violations
    left.outcomes += right.outcomes
    left.alerts += right.alerts
    left.messages += right.messages
    left.photographs += right.photographs
    left.auditEntries += right.auditEntries
  }

  /// How much it is, for the audit log.
  public var words: String {
    "passages \(passages), reports \(reports), violations \(violations), messages \(messages)"
      + (outcomes > 0 ? ", outcomes \(outcomes)" : "")
  }

  /// Whether it is nothing.
  public var isEmpty: Bool { self == Dropped() }
}

/// A step of dropping what is old.
public struct Expired: Hashable, Sendable {
  /// What was dropped in it.
  public var dropped: Dropped
  /// When the next step is to be done: in the past while more is to be looked at.
  public var next: WallTime?
  /// From when on is kept what is there; nil while it is still looked for what is older.
  public var keptSince: WallTime?

  /// A step.
  public init(_ dropped: Dropped = Dropped(), next: WallTime?, keptSince: WallTime? = nil) {
    self.dropped = dropped
    self.next = next
    self.keptSince = keptSince
  }
}

/// A violation as far as it says how long its evidence stays.
public struct HeldViolation: Hashable, Sendable {
  /// The row of its entry.
  public var entry: Int64
  /// The row of its exit.
  public var exit: Int64
  /// Whether later data disproved it.
  public var isRetracted: Bool
  /// When somebody recorded what came of it; nil while nobody did.
  public var closedAt: WallTime?

  /// A violation.
  public init(entry: Int64, exit: Int64, isRetracted: Bool, closedAt: WallTime?) {
    self.entry = entry
    self.exit = exit
    self.isRetracted = isRetracted
    self.closedAt = closedAt
  }

  /// Whether its evidence stays: while it stands and nobody recorded what came of it, and then, whether it
  /// stands or not, for as long after that as a passage is kept.
  ///
  /// - Parameter since: The second from which on passages are kept.
  public func isHeld(since: Int64) -> Bool {
    guard let closedAt else { return !isRetracted }
    return closedAt.epochSeconds >= since
  }
}

/// What is to be erased.
public struct ErasureOrder: Hashable, Sendable {
  /// The plate in the compact form.
  public var plate: String
  /// Whether the evidence of open violations goes too.
  public var takesOpenViolations = false
  /// Whether it is only counted.
  public var isTrial = false
  /// Who asks, for the audit log.
  public var actor: String?

  /// All of a vehicle but the evidence of open violations.
  public init(plate: String) {
    self.plate = plate
  }
}

/// What came of erasing a vehicle.
public struct Erased: Hashable, Sendable {
  /// What was erased.
  public var dropped: Dropped
  /// Open violations whose evidence stays.
  public var held: Int
  /// Violations with an outcome whose evidence stays for a while.
  public var closed: Int
  /// What changed of other vehicles, of which something was read as this one.
  public var changes: JudgedChanges
  /// When the last of what was erased came.
  public var lastAt: WallTime?

  /// What came of it.
  public init(
    _ dropped: Dropped, held: Int, closed: Int = 0, changes: JudgedChanges = JudgedChanges(),
    lastAt: WallTime? = nil
  ) {
    self.dropped = dropped
    self.held = held
    self.closed = closed
    self.changes = changes
    self.lastAt = lastAt
  }
}

/// A message as it came, with what names it at its provider, so that it can be handed in once more.
public struct ArchivedMessage: Hashable, Sendable {
  /// How it stands.
  public var item: InboxItem
  /// What tells it from all others of that provider.
  public var providerID: String
  /// The number it went to, when that is known.
  public var to: String?

  /// A message.
  public init(_ item: InboxItem, providerID: String, to: String?) {
    self.item = item
    self.providerID = providerID
    self.to = to
  }
}

/// All that is known of a vehicle.
public struct VehicleHoldings: Hashable, Sendable {
  /// Its passages, and those of which something came under its plate.
  public var passages: [PassageEvidence]
  /// Its violations, the retracted ones too.
  public var violations: [ViolationEvidence]
  /// Its alerts, those that are over too.
  public var alerts: [StoredAlert]
  /// The messages that name it.
  public var messages: [ArchivedMessage]

  /// What is known.
  public init(
    passages: [PassageEvidence] = [], violations: [ViolationEvidence] = [],
    alerts: [StoredAlert] = [], messages: [ArchivedMessage] = []
  ) {
    self.passages = passages
    self.violations = violations
    self.alerts = alerts
    self.messages = messages
  }

  /// The names of its photographs.
  public var photographs: [String] {
    Set(passages.flatMap { $0.records.flatMap { $0.record.photoPaths } }).sorted()
  }
}
