/// What a change of the directory would change of what was judged. Nothing of it was done.
public struct DirectoryTrial: Hashable, Sendable {
  /// What would change.
  public var changes: JudgedChanges
  /// Whether all vehicles were looked at that it concerns, and not only as many as were asked for.
  public var isWhole: Bool

  /// What would change.
  public init(changes: JudgedChanges = JudgedChanges(), isWhole: Bool = true) {
    self.changes = changes
    self.isWhole = isWhole
  }

  /// Judges by a directory that was put in for it, up to so many vehicles; the caller undoes all of it.
  ///
  /// - Parameter judge: Judges up to so many more.
  public init<Failure: Error>(
    vehicles: Int, judge: (Int) throws(Failure) -> Rejudged
  ) throws(Failure) {
    self.init()
    var left = vehicles
    while left > 0 {
      let step = try judge(min(left, Limits.rejudgedAtOnce))
      changes.append(step.changes)
      if step.isDone { return }
      left -= step.vehicles
    }
    isWhole = false
  }
}
