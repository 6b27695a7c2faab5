public import Passages
public import Time

/// A place in a list that goes back in time.
public struct ListPlace: Hashable, Comparable, Sendable {
  /// The second that the list is sorted by.
  public var second: Int64
  /// The row of the entry.
  public var row: Int64

  /// A place.
  public init(second: Int64, row: Int64) {
    self.second = second
    self.row = row
  }

  /// By time, then by row.
  public static func < (left: ListPlace, right: ListPlace) -> Bool {
    (left.second, left.row) < (right.second, right.row)
  }
}

/// Which violations are wanted.
public struct ViolationQuery: Hashable, Sendable {
  /// Whether they stand.
  public enum Standing: String, CaseIterable, Hashable, Sendable {
    /// Those that stand.
    case standing
    /// Those that later data disproved.
    case retracted
    /// All.
    case all
  }

  /// Whether somebody recorded what came of them.
  public enum Outcome: String, CaseIterable, Hashable, Sendable {
    /// Those of which nothing is recorded.
    case open
    /// Those of which something is.
    case recorded
  }

  /// Only those of these entries, by their rows; nil for all.
  public var entries: [Int64]?
  /// Whether they stand.
  public var standing = Standing.standing
  /// Only those of one rule; nil for all.
  public var kind: ViolationFinding.Kind?
  /// Only those that are so final; nil for all.
  public var finality: Finality?
  /// Only those with this doubt; nil for all.
  public var doubt: TravelDoubt?
  /// Only those that a person confirmed, or only those that nobody did; nil for both.
  public var isConfirmed: Bool?
  /// Whether only those are wanted that are others than when they were final, and that no person has seen since; whether
  /// they stand is another question.
  public var isChangedAfterFinal = false
  /// Only those of which an outcome is recorded, or none is; nil for all.
  public var outcome: Outcome?
  /// Only those of a vehicle, by its plate in the compact form.
  public var plate: String?
  /// Only those on a segment, by its name.
  public var segment: String?
  /// Only those with an end at a post.
  public var post: CheckpostCode?
  /// Only those whose exit was recorded then or later.
  public var since: WallTime?
  /// Only those whose exit was recorded before.
  public var until: WallTime?
  /// Only those that come after this place: ask again with the last one's ``StoredViolation/place``.
  public var after: ListPlace?
  /// How many at most.
  public var limit = Limits.page

  /// Every violation that stands, the newest exit first.
  public init() {}
}

/// A violation as a store has it.
public struct StoredViolation: Hashable, Sendable {
  /// What names it for others; it follows from the name of its entry.
  public var uuid: ClientID
  /// How it stands.
  public var violation: StandingViolation
  /// The name of the passage that is its entry, or was.
  public var entry: ClientID
  /// The name of the passage that is its exit, or was.
  public var exit: ClientID
  /// What kind of vehicle it is, as far as known.
  public var vehicleType: VehicleType
  /// Who confirmed it; nil while nobody did, or where nobody said who.
  public var confirmedBy: String?
  /// What came of it; nil while nobody recorded that.
  public var outcome: ViolationOutcome?
  /// The second by which it stands in the list, where that is none that anything could be computed with; nil of others.
  public var listedAt: Int64?

  /// A violation as a store has it.
  public init(
    uuid: ClientID, violation: StandingViolation, entry: ClientID, exit: ClientID,
    vehicleType: VehicleType, confirmedBy: String?, outcome: ViolationOutcome? = nil
  ) {
    self.uuid = uuid
    self.violation = violation
    self.entry = entry
    self.exit = exit
    self.vehicleType = vehicleType
    self.confirmedBy = confirmedBy
    self.outcome = outcome
  }

  /// Where it stands in the list.
  public var place: ListPlace {
    ListPlace(
      second: listedAt ?? violation.finding.exit.earliest, row: violation.finding.entry.row)
  }
}

/// Which alerts are wanted.
public struct AlertQuery: Hashable, Sendable {
  /// Whether only those are wanted that stand.
  public var isOpen = true
  /// Only those of a vehicle, by its plate in the compact form.
  public var plate: String?
  /// Only those whose vehicle entered at a post.
  public var post: CheckpostCode?
  /// Only those of vehicles on a segment, by its name.
  public var segment: String?
  /// Only those that were due then or later.
  public var since: WallTime?
  /// Only those that were due before.
  public var until: WallTime?
  /// Only those that come after this place: ask again with the last one's ``StoredAlert/place``.
  public var after: ListPlace?
  /// How many at most.
  public var limit = Limits.page

  /// Every alert that stands, the one that was due last first.
  public init() {}
}

/// An alert as a store has it.
public struct StoredAlert: Hashable, Sendable {
  /// What names it for others; it follows from the name of its entry.
  public var uuid: ClientID
  /// How it stands.
  public var alert: OverdueAlert
  /// The name of the passage that is its entry, or was.
  public var entry: ClientID
  /// What kind of vehicle it is, as far as known.
  public var vehicleType: VehicleType
  /// The segment that the vehicle is on; nil where the entry is no passage any more.
  public var segment: String?
  /// The second by which it stands in the list, where that is none that anything could be computed with; nil of others.
  public var listedAt: Int64?

  /// An alert as a store has it.
  public init(
    uuid: ClientID, alert: OverdueAlert, entry: ClientID, vehicleType: VehicleType, segment: String?
  ) {
    self.uuid = uuid
    self.alert = alert
    self.entry = entry
    self.vehicleType = vehicleType
    self.segment = segment
  }

  /// Where it stands in the list.
  public var place: ListPlace {
    ListPlace(second: listedAt ?? alert.entry.dueAt, row: alert.entry.row)
  }
}
