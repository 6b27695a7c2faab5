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

  private let changed: [ChangedRecord]

  /// Compares what stands with a judgement of the same passages.
  ///
  /// - Parameters:
  ///   - cause: Why it was judged.
  ///   - changed: Of what something came or changed.
  ///   - now: The wall clock.
  public init(
    standing: StandingJudgement, judgement: TravelJudgement, cause: ViolationRevision.Cause,
    changed: [ChangedRecord] = [], at now: WallTime
  ) {
    self.changed = changed
    let pairs = judgement.travels.map { PassagePair(entry: $0.entry.row, exit: $0.exit.row) }
    let (before, after) = (Set(standing.pairs), Set(pairs))
    parted = before.subtracting(after).sorted()
    paired = after.subtracting(before).sorted()

    var found: [Int64: ViolationFinding] = [:]
    for travel in judgement.travels + judgement.turns {
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
      if before.finality == .reported { known.changedFinalAt = now }
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
        if before.finality == .reported { known.changedFinalAt = now }
      } else if before.finality == .reported, before.needsNoProof(after: found) {
        known.changedFinalAt = now
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
        wasFinal: before?.finality ?? .provisional,
        origins: before.map { ChangedRecord.origins(of: $0.finding, among: changed) } ?? []))
  }
}

/// A record of which something came or changed.
public struct ChangedRecord: Hashable, Sendable {
  /// Its number.
  public var number: Int64
  /// Where, which vehicle and when it was; nil of a new one.
  public var before: ContentKey?
  /// Where, which vehicle and when it is.
  public var after: ContentKey

  /// A record that changed.
  public init(number: Int64, before: ContentKey?, after: ContentKey) {
    self.number = number
    self.before = before
    self.after = after
  }

  /// Those that may have caused that something else is found: of that vehicle, the nearest first.
  static func origins(of finding: ViolationFinding, among changed: [ChangedRecord]) -> [Int64] {
    var distances: [Int64: Int64] = [:]
    for record in changed {
      for place in [record.before, record.after].compactMap({ $0 })
      where place.plate == finding.plate {
        let distance = max(
          finding.entry.earliest.saturatingSum(-place.second),
          place.second.saturatingSum(-finding.exit.latest), 0)
        distances[record.number] = min(distances[record.number] ?? distance, distance)
      }
    }
    return distances.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(Limits.origins)
      .map(\.key)
  }
}

extension StandingViolation {
  /// Whether it waited for no person, and will where this is found.
  fileprivate func needsNoProof(after found: ViolationFinding) -> Bool {
    confirmedAt == nil && !finding.doubts.contains(where: \.needsPerson)
      && found.doubts.contains(where: \.needsPerson)
  }
}
