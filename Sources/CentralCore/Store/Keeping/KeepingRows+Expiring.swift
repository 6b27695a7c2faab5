import Passages
public import Storage
public import Time

extension KeepingRows {
  /// Drops some of what is older than it is to be kept.
  public func expire(
    after keep: Duration, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Expired {
    var state = try keeping()
    guard let place = state.place, let since = state.since else {
      if let next = state.nextAt, wall < next, next <= wall + Limits.expiredEvery {
        return Expired(next: next, keptSince: state.since.map { WallTime(epochSeconds: $0) })
      }
      return Expired(next: try begin(keep, &state, at: wall))
    }
    var dropped = Dropped()
    switch place {
    case .passages(let after):
      let page = try aged(after: after, before: since, limit: Limits.expiredAtOnce)
      let last = try expire(page, since: since, rules: rules, &dropped)
      state.place = last.map { .passages(after: $0) } ?? .messages(after: 0)
    case .messages(let after):
      let step = try dropMessages(
        after: after, receivedBefore: WallTime(epochSeconds: since), limit: Limits.expiredAtOnce)
      dropped.messages = step.dropped
      state.place = step.last.map { .messages(after: $0) } ?? .audit
    case .audit:
      let moment = WallTime(epochSeconds: since)
      try dropEarly(before: moment, limit: Limits.expiredAtOnce)
      dropped.auditEntries = try dropAudit(
        before: min(moment, moment + keep - Limits.auditKept), limit: Limits.expiredAtOnce)
      if dropped.auditEntries < Limits.expiredAtOnce {
        state.place = nil
        state.nextAt = wall + Limits.expiredEvery
      }
    }
    try write(state)
    guard state.place == nil else { return Expired(dropped, next: wall) }
    return Expired(dropped, next: state.nextAt, keptSince: WallTime(epochSeconds: since))
  }

  /// Begins anew; returns when there is something to do.
  private func begin(
    _ keep: Duration, _ state: inout KeepingState, at wall: WallTime
  ) throws(StorageError) -> WallTime {
    // A clock that jumped years ahead drops nothing: what was recorded last is no older than it was.
    let now = min(wall, try newest() ?? wall)
    let since = (now - keep).epochSeconds
    state.since = max(state.since ?? since, since)
    state.place = .passages(after: nil)
    state.nextAt = nil
    try write(state)
    return wall
  }

  /// Drops what may go of the vehicles of these passages.
  ///
  /// - Returns: The last of them that was looked at; nil when it was the last of all.
  private func expire(
    _ page: [AgedPassage], since: Int64, rules: JudgingRules, _ dropped: inout Dropped
  ) throws(StorageError) -> AgedPassage.Place? {
    let places = JudgedPlaces(
      page.isEmpty ? [] : try routes(of: Set(page.map(\.post))), rules: rules)
    var done: Set<[String]> = []
    var records = 0
    for passage in page {
      let old: [JudgedRecord]
      if passage.isAside || !passage.isDated {
        old = try self.records(under: [passage.place.row])
          .filter { passage.isAside || $0.isUnheardOf(since: since) }
      } else {
        let place = places.place(of: passage.post)
        guard done.insert([passage.plate] + place.posts.map(\.code)).inserted else { continue }
        old = try expired(passage.plate, place, since: since)
      }
      guard !old.isEmpty else { continue }
      records += old.count
      dropped += try drop(old, since: since)
      if records >= Limits.expiredRecords { return passage.place }
    }
    return page.count < Limits.expiredAtOnce ? nil : page.last?.place
  }

  /// The records of a vehicle at a place that have no say in anything that stays or may still come.
  private func expired(
    _ plate: String, _ place: JudgedPlace, since: Int64
  ) throws(StorageError) -> [JudgedRecord] {
    let span = RejudgingSpan(changed: since...since, place: place)
    var range = span.first
    while true {
      let found = try records(of: plate, at: place.posts, in: range)
      if let first = span.beginning(of: found.map(\.record), read: range) {
        return try records(of: plate, at: place.posts, in: .min...first - 1)
          .filter(\.record.isDated)
      }
      range = span.widened(range)
    }
  }

  /// Drops these but the evidence that stays, which is set aside.
  private func drop(
    _ old: [JudgedRecord], since: Int64
  ) throws(StorageError) -> Dropped {
    let held = try held(of: old) { $0.isHeld(since: since) }
    try setAside(old.map(\.record.number).filter { held.contains($0) })
    return try drop(old.map(\.record.number).filter { !held.contains($0) })
  }

  /// The numbers of those records that violations rest on which are to stay.
  func held(
    of records: [JudgedRecord], where isHeld: (HeldViolation) -> Bool
  ) throws(StorageError) -> Set<Int64> {
    let rows = Set(records.flatMap { [$0.record.number, $0.row ?? $0.record.number] })
    var ends: Set<Int64> = []
    for violation in try violations(touching: rows.sorted()) where isHeld(violation) {
      ends.formUnion([violation.entry, violation.exit])
    }
    guard !ends.isEmpty else { return [] }
    // An end that is part of another passage by now: that passage stays.
    for record in records where ends.contains(record.record.number) {
      if let row = record.row { ends.insert(row) }
    }
    return Set(
      records.filter { ends.contains($0.record.number) || ends.contains($0.row ?? 0) }
        .map(\.record.number))
  }
}

extension JudgedRecord {
  /// Whether nothing of it came since.
  fileprivate func isUnheardOf(since: Int64) -> Bool {
    record.observations.allSatisfy { $0.receivedAt.epochSeconds < since }
  }
}
