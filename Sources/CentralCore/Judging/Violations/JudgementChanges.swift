public import Time

/// Two passages that are one travel, by their rows.
public struct PassagePair: Hashable, Comparable, Sendable {
  /// The row of the entry.
  public var entry: Int64
  /// The row of the exit.
  public var exit: Int64

  /// A pair of rows.
  public init(entry: Int64, exit: Int64) {
    self.entry = entry
    self.exit = exit
  }

  /// The order of the entries.
  public static func < (left: PassagePair, right: PassagePair) -> Bool {
    (left.entry, left.exit) < (right.entry, right.exit)
  }
}

/// What stands of the passages that are judged again: every pair of which one row is among their records,
/// and every violation of such an entry, those that were retracted too.
public struct StandingJudgement: Hashable, Sendable {
  /// The pairs.
  public var pairs: [PassagePair]
  /// The violations.
  public var violations: [StandingViolation]

  /// What stands.
  public init(pairs: [PassagePair] = [], violations: [StandingViolation] = []) {
    self.pairs = pairs
    self.violations = violations
  }
}

/// What has to be written so that what stands is what a new judgement says. Where nothing is left to change
/// it is empty, so writing it twice is as good as once.
public struct JudgementChanges: Hashable, Sendable {
  /// Pairs that stood and are none.
  public private(set) var parted: [PassagePair] = []
  /// Pairs that did not stand.
  public private(set) var paired: [PassagePair] = []
  /// Violations as they are now, of which something changed; in place of those of the same entry.
  public private(set) var violations: [StandingViolation] = []
  /// What was done to them, in the same order.
  public private(set) var revisions: [ViolationRevision] = []

  /// Compares what stands with a judgement of the same passages.
  ///
  /// - Parameters:
  ///   - cause: Why it was judged.
  ///   - now: The wall clock.
  public init(
    standing: StandingJudgement, judgement: TravelJudgement, cause: ViolationRevision.Cause,
    at now: WallTime
  ) {
    let pairs = judgement.travels.map { PassagePair(entry: $0.entry.row, exit: $0.exit.row) }
    let (before, after) = (Set(standing.pairs), Set(pairs))
    parted = before.subtracting(after).sorted()
    paired = after.subtracting(before).sorted()

    var found: [Int64: ViolationFinding] = [:]
    for travel in judgement.travels {
      if let finding = ViolationFinding(travel) { found[finding.entry.row] = finding }
    }
    var known: [Int64: StandingViolation] = [:]
    for violation in standing.violations { known[violation.finding.entry.row] = violation }
    for entry in Set(found.keys).union(known.keys).sorted() {
      compare(known[entry], with: found[entry], cause: cause, at: now)
    }
  }

  /// Whether there is nothing to write.
  public var isEmpty: Bool { parted.isEmpty && paired.isEmpty && revisions.isEmpty }

  private mutating func compare(
    _ known: StandingViolation?, with found: ViolationFinding?, cause: ViolationRevision.Cause,
    at now: WallTime
  ) {
    switch (known, found) {
    case (nil, nil): break
    case (nil, let found?):
      let made = StandingViolation(found, since: now)
      write(made, .made, before: nil, after: found, cause, now)
    case (var known?, nil):
      guard !known.isRetracted else { return }
      let before = known
      known.isRetracted = true
      known.since = now
      known.finality = .provisional
      known.confirmedAt = nil
      known.revision += 1
      write(known, .retracted, before: before, after: nil, cause, now)
    case (var known?, let found?):
      guard known.isRetracted || known.finding != found else { return }
      let before = known
      if known.isRetracted || !known.finding.isAlike(found) {
        known.since = now
        known.finality = .provisional
        known.confirmedAt = nil
      }
      known.isRetracted = false
      known.finding = found
      known.revision += 1
      write(
        known, before.isRetracted ? .renewed : .changed, before: before, after: found, cause, now)
    }
  }

  private mutating func write(
    _ violation: StandingViolation, _ change: ViolationRevision.Change, before: StandingViolation?,
    after: ViolationFinding?, _ cause: ViolationRevision.Cause, _ now: WallTime
  ) {
    violations.append(violation)
    revisions.append(
      ViolationRevision(
        entry: violation.finding.entry.row, number: violation.revision, change: change,
        cause: cause, at: now, before: before?.finding, after: after,
        wasFinal: before?.finality ?? .provisional))
  }
}
