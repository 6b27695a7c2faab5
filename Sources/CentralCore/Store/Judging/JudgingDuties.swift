public import Time

/// What the clock asked for, and when it asks again.
public struct ClockDuties: Hashable, Sendable {
  /// What was done: alerts that are told or over, violations that are final.
  public var changes: JudgedChanges
  /// When there is something to do next; in the past where more is due than was done at once, and nil
  /// where nothing waits.
  public var next: WallTime?

  /// What was done.
  public init(changes: JudgedChanges = JudgedChanges(), next: WallTime? = nil) {
    self.changes = changes
    self.next = next
  }
}

/// How far a store is with judging again what was judged by another directory or by other numbers.
public struct Rejudged: Hashable, Sendable {
  /// Vehicles that were judged in this step.
  public var vehicles: Int
  /// Their records.
  public var records: Int
  /// What changed.
  public var changes: JudgedChanges
  /// Whether there is nothing left to do.
  public var isDone: Bool

  /// A step.
  public init(
    vehicles: Int = 0, records: Int = 0, changes: JudgedChanges = JudgedChanges(), isDone: Bool
  ) {
    self.vehicles = vehicles
    self.records = records
    self.changes = changes
    self.isDone = isDone
  }
}
