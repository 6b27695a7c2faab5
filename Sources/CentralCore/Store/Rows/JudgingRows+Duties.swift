public import Passages
public import Storage
public import Time

extension JudgingRows {
  /// Takes a post's word that all it recorded before a second is here.
  public func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime, by way: ReportingWay,
    rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> JudgedChanges {
    let before = try reports(of: [post])[post]
    var marks = try marks(of: post)
    guard
      let mark = PostMark(through: second, receivedAt: receivedAt, after: marks[way], by: way)
    else { return JudgedChanges() }
    if mark != marks[way] { try write(mark, of: post, by: way) }
    marks[way] = mark
    // What is final stays so, also where less is said by now.
    guard let after = marks.values.map(\.through).max(), after != before else {
      return JudgedChanges()
    }
    try write(report: post, through: after)
    guard before.map({ $0 < after }) ?? true else { return JudgedChanges() }
    // What it waited past is among the seconds that this report covers and the one before did not.
    let news = (before ?? .min)..<after
    var changes = JudgedChanges()
    let place = JudgedPlaces(try routes(of: [post]), rules: rules).place(of: post)
    let awaiting = try violations(
      awaiting: post, besides: place.posts.filter { $0 != post }, in: news)
    try settle(awaiting, rules: rules, &changes, at: wall)
    let waiting = try waiting(for: post, dueIn: news)
    if !waiting.isEmpty {
      let overdue = OverdueChanges(
        standing: try alerts(of: waiting.map(\.row)), waiting: waiting,
        reports: PostReports(through: try reports(of: [post])), at: wall)
      try write(overdue, of: waiting, &changes, at: wall)
    }
    return changes
  }

  /// Does what the clock asks for, as much as is done in one transaction.
  public func clock(rules: JudgingRules, at wall: WallTime) throws(StorageError) -> ClockDuties {
    var changes = JudgedChanges()
    let due = try waiting(dueBy: wall.epochSeconds, limit: Limits.dutiesAtOnce)
    if !due.isEmpty {
      let overdue = OverdueChanges(
        standing: try alerts(of: due.map(\.row)), waiting: due,
        reports: PostReports(through: try reports(of: Set(due.map(\.opposite)))), at: wall)
      try write(overdue, of: due, &changes, at: wall)
    }
    try settle(
      try violations(unreportedBy: wall, limit: Limits.dutiesAtOnce), rules: rules, &changes,
      at: wall)
    return ClockDuties(changes: changes, next: try nextDuty())
  }

  /// A person says that a violation is so.
  public func confirm(
    _ uuid: ClientID, by author: String?, actor: String?, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> StandingViolation? {
    guard var violation = try standing(uuid) else { return nil }
    if violation.isRetracted { return try see(violation, by: author, actor: actor, at: wall) }
    let entry = violation.finding.entry.row
    if let first = violation.confirmedAt {
      // Somebody else looked at it as well. Who says it once more tells nothing new.
      let isKnown = try notes(of: entry).contains {
        $0.kind == .confirmed && $0.at >= first && $0.author == author
      }
      guard !isKnown else { return violation }
    }
    try write(
      ViolationNote(.confirmed, at: wall, by: author, revision: violation.revision), of: entry)
    try note(.confirmed(violation, by: author, actor: actor), at: wall)
    guard violation.confirmedAt == nil else { return violation }
    violation.confirm(at: wall)
    let posts = [violation.finding.entry.post, violation.finding.exit.post]
    let places = JudgedPlaces(try routes(of: Set(posts)), rules: rules)
    violation = try settle(
      violation, try reports(of: [violation], at: places), nil, places, at: wall)
    try write(confirmationOf: entry, by: author)
    return violation
  }

  /// A person has seen that a violation was retracted after it had been final.
  private func see(
    _ violation: StandingViolation, by author: String?, actor: String?, at wall: WallTime
  ) throws(StorageError) -> StandingViolation? {
    guard violation.changedFinalAt != nil else { return nil }
    var violation = violation
    violation.changedFinalAt = nil
    let entry = violation.finding.entry.row
    guard let name = try name(of: entry) else { return nil }
    try write(
      ViolationNote(.seen, at: wall, by: author, revision: violation.revision), of: entry)
    try note(.confirmed(violation, by: author, actor: actor), at: wall)
    let places = JudgedPlaces(
      try routes(of: [violation.finding.entry.post, violation.finding.exit.post]),
      rules: JudgingRules())
    let place = places.place(of: violation.finding.exit.post)
    try write(OpenViolation(violation, of: name, place: place, rules: places.rules))
    return violation
  }

  /// Judges some more vehicles again, where anything has to be.
  public func rejudge(
    rules: JudgingRules, everything: Bool, limit: Int, at wall: WallTime
  ) throws(StorageError) -> Rejudged {
    var state = try rejudging()
    let before = state
    if everything || state.rules != rules.words {
      state.add(.rules, posts: nil)
      state.rules = rules.words
    }
    guard var pending = state.pending else {
      if state != before { try write(state) }
      return Rejudged(isDone: true)
    }
    let plates = try plates(
      after: pending.after, at: pending.posts?.sorted(), limit: limit)
    var records: [JudgedRecord] = []
    for plate in plates { records += try self.records(of: plate, at: nil, in: nil) }
    let places = JudgedPlaces(try routes(of: nil), rules: rules)
    let judged = try write(
      TravelJudgement(all: records.map(\.record), places: places), of: records,
      JudgingOrder(cause: pending.cause, changed: [], settlesAll: true), places: places, at: wall)
    let isDone = plates.count < limit
    pending.after = plates.last ?? pending.after
    state.pending = isDone ? nil : pending
    try write(state)
    return Rejudged(
      vehicles: plates.count, records: records.count, changes: judged.changes, isDone: isDone)
  }

  /// Notes that the directory is another one than before.
  ///
  /// - Parameters:
  ///   - before: The segments with both ends that there were.
  ///   - segments: The segments under which passages of posts were told; see ``segments(of:)``.
  ///   - known: The posts that there are now.
  public func directoryChanged(
    from before: [Route], segments: [CheckpostCode: ShownSegments], of known: Set<CheckpostCode>
  ) throws(StorageError) {
    let now = try self.segments(of: known.union(segments.keys))
    let posts = RejudgingState.changed(from: before, to: try routes(of: nil))
      .union(Set(segments.keys).union(now.keys).filter { segments[$0] != now[$0] })
    guard !posts.isEmpty else { return }
    var state = try rejudging()
    state.add(.directory, posts: posts)
    try write(state)
  }

  private func settle(
    _ violations: [StandingViolation], rules: JudgingRules, _ changes: inout JudgedChanges,
    at wall: WallTime
  ) throws(StorageError) {
    guard !violations.isEmpty else { return }
    let posts = violations.flatMap { [$0.finding.entry.post, $0.finding.exit.post] }
    let places = JudgedPlaces(try routes(of: Set(posts)), rules: rules)
    let reports = try reports(of: violations, at: places)
    for violation in violations {
      let settled = try settle(violation, reports, nil, places, at: wall)
      if settled.finality != violation.finality { changes.settled.append(settled) }
    }
  }

  /// Writes alerts down, and when their entries are looked at again.
  private func write(
    _ overdue: OverdueChanges, of waiting: [WaitingEntry], _ changes: inout JudgedChanges,
    at wall: WallTime
  ) throws(StorageError) {
    try write(overdue.alerts)
    changes.add(overdue)
    let second = wall.epochSeconds
    try remove(waiting: waiting.filter { $0.expiresAt <= second }.map(\.row))
    try write(
      waiting.filter { $0.expiresAt > second }.map { AwaitedEntry($0, isTold: $0.dueAt <= second) })
  }
}
