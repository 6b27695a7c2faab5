public import Time

/// A violation as it stands: one for each entry, and none is ever deleted.
public struct StandingViolation: Hashable, Sendable {
  /// What was found, last of all; of one that was retracted, what stood then.
  public internal(set) var finding: ViolationFinding
  /// Whether what came later disproved it.
  public internal(set) var isRetracted = false
  /// When it came to be as it is, doubts aside.
  public internal(set) var since: WallTime
  /// Whether something can still change it.
  public internal(set) var finality = Finality.provisional
  /// When a person confirmed it, as it is.
  public internal(set) var confirmedAt: WallTime?
  /// Since when it is another one than it was when it was final by report, and no person has seen that; nil of any
  /// other.
  public internal(set) var changedFinalAt: WallTime?
  /// How often it was made, changed, retracted or renewed.
  public internal(set) var revision: Int64 = 1

  /// A violation that was found for the first time.
  public init(_ finding: ViolationFinding, since: WallTime) {
    self.finding = finding
    self.since = since
  }

  /// A violation as a store has it.
  public init(
    _ finding: ViolationFinding, isRetracted: Bool, since: WallTime, finality: Finality,
    confirmedAt: WallTime?, revision: Int64, changedFinalAt: WallTime? = nil
  ) {
    self.init(finding, since: since)
    self.isRetracted = isRetracted
    self.finality = finality
    self.confirmedAt = confirmedAt
    self.revision = revision
    self.changedFinalAt = changedFinalAt
  }

  /// A person who looked at it says that it is so.
  public mutating func confirm(at now: WallTime) {
    guard !isRetracted else { return }
    confirmedAt = confirmedAt ?? now
    changedFinalAt = nil
  }
}

/// One change of a violation, kept for ever.
public struct ViolationRevision: Hashable, Sendable {
  /// What was done.
  public enum Change: String, CaseIterable, Hashable, Sendable, Codable {
    /// Found for the first time.
    case made
    /// Found with another exit, time, rule or doubt.
    case changed
    /// No longer found.
    case retracted
    /// Found again after it had been retracted.
    case renewed
  }

  /// Why it was done.
  public enum Cause: String, CaseIterable, Hashable, Sendable, Codable {
    /// A passage came, perhaps late.
    case arrival
    /// A passage was corrected.
    case correction
    /// A post, a segment or a ranger was imported or changed.
    case directory
    /// The numbers by which is judged were changed.
    case rules
  }

  /// The row of the entry, which names the violation.
  public var entry: Int64
  /// Its number among the revisions of the violation, from 1.
  public var number: Int64
  /// What was done.
  public var change: Change
  /// Why.
  public var cause: Cause
  /// The numbers of the records of which something came or changed, that caused it: those of the vehicle, the nearest
  /// first, and no more than a few; none of a new one, or where it was no record of the vehicle.
  public var origins: [Int64]
  /// When.
  public var at: WallTime
  /// What stood before; nil of a new one.
  public var before: ViolationFinding?
  /// What stands now; nil of one that was retracted.
  public var after: ViolationFinding?
  /// How final the one before was: one that was final by report is changed by corrections alone.
  public var wasFinal: Finality

  /// A revision as a store has it.
  public init(
    entry: Int64, number: Int64, change: Change, cause: Cause, at: WallTime,
    before: ViolationFinding?, after: ViolationFinding?, wasFinal: Finality, origins: [Int64] = []
  ) {
    self.entry = entry
    self.number = number
    self.change = change
    self.cause = cause
    self.origins = origins
    self.at = at
    self.before = before
    self.after = after
    self.wasFinal = wasFinal
  }
}
