import Passages
import Storage
import Time

/// What a judgement came to.
struct JudgedBatch {
  var changes = JudgedChanges()
  /// The row of each record that was judged.
  var rows: [Int64: Int64] = [:]
  /// The names of the rows that were judged.
  var names: [Int64: PassageName] = [:]
}

/// How a judgement is written down.
struct JudgingOrder {
  var cause: ViolationRevision.Cause
  /// Records of which something changed, apart from how they are judged.
  var changed: Set<Int64>
  /// The same with where they were and are.
  var origins: [ChangedRecord] = []
  /// Whether what waits for a post's word or a time may have to wait for another one.
  var settlesAll: Bool
}

extension JudgingRows {
  /// Judges all vehicles again that changed records are of.
  func judge(
    _ changed: ChangedRecords, cause: ViolationRevision.Cause, rules: JudgingRules,
    at wall: WallTime
  ) throws(StorageError) -> JudgedBatch {
    guard !changed.places.isEmpty else { return JudgedBatch() }
    let places = JudgedPlaces(try routes(of: changed.posts), rules: rules)
    var plan = RejudgingPlan(places: places)
    for change in changed.places { plan.change(from: change.before, to: change.after) }
    var records: [JudgedRecord] = []
    var vehicles: [VehicleRecords] = []
    for vehicle in plan.vehicles {
      let (found, judged) = try read(vehicle)
      records += found
      vehicles.append(judged)
    }
    return try write(
      TravelJudgement(again: vehicles, rules: rules), of: records,
      JudgingOrder(
        cause: cause, changed: changed.numbers, origins: changed.places, settlesAll: false),
      places: places, at: wall)
  }

  /// Reads until it is enough.
  private func read(
    _ vehicle: RejudgingPlan.Vehicle
  ) throws(StorageError) -> (records: [JudgedRecord], judged: VehicleRecords) {
    let place = vehicle.span.place
    var range = vehicle.span.first
    while true {
      let found = try records(of: vehicle.plate, at: place.posts, in: range)
      let read = found.map(\.record)
      switch vehicle.span.look(at: read, read: range) {
      case .more(let wider): range = wider
      case .enough(let seconds, let endsInGap):
        return (
          found.filter { seconds.contains($0.record.place.second) },
          VehicleRecords(place: place, read: read, within: seconds, endsInGap: endsInGap)
        )
      }
    }
  }

  /// Writes down what is other than it stands.
  func write(
    _ judgement: TravelJudgement, of records: [JudgedRecord], _ order: JudgingOrder,
    places: JudgedPlaces, at wall: WallTime
  ) throws(StorageError) -> JudgedBatch {
    var batch = JudgedBatch()
    var known: [Int64: JudgedRecord] = [:]
    for record in records { known[record.record.number] = record }
    let numbers = known.keys.sorted()
    for passage in judgement.passages {
      for record in passage.records { batch.rows[record.number] = passage.row }
      if let first = known[passage.row] {
        batch.names[passage.row] = PassageName(
          row: passage.row, uuid: first.uuid, clientID: first.clientID)
      }
    }
    let moves = PassageRecognition.moves(
      of: judgement.passages, since: known.compactMapValues(\.row))
    let standing = StandingJudgement(
      pairs: try pairs(of: numbers), violations: try violations(of: numbers))
    let changes = JudgementChanges(
      standing: standing, judgement: judgement, cause: order.cause, changed: order.origins, at: wall
    )
    batch.changes.parted = changes.parted
    batch.changes.paired = changes.paired

    try move(moves)
    try write(parted: changes.parted, paired: [])
    try remove(passages: moves.filter { $0.before == $0.record }.map(\.record))
    let touched = order.changed.union(moves.map(\.record))
    // A record that went leaves less behind.
    let left = Set(touched.compactMap { known[$0]?.row })
    let written = judgement.passages.filter { passage in
      order.settlesAll || left.contains(passage.row)
        || passage.records.contains(where: { touched.contains($0.number) })
    }
    let segments = try segments(of: Set(written.map(\.place.post)))
    try write(
      written.compactMap { passage in
        known[passage.row].map {
          StandingPassage(
            passage, first: $0,
            segment: segments[passage.place.post]?.segment(at: passage.place.second))
        }
      })
    try write(parted: [], paired: changes.paired)
    try write(changes, standing: standing, order, known, places, &batch, at: wall)
    try writeWaiting(judgement, numbers, &batch, at: wall)
    return batch
  }

  /// Writes violations down as they are now, with what they wait for.
  private func write(
    _ changes: JudgementChanges, standing: StandingJudgement, _ order: JudgingOrder,
    _ known: [Int64: JudgedRecord], _ places: JudgedPlaces, _ batch: inout JudgedBatch,
    at wall: WallTime
  ) throws(StorageError) {
    var violations = changes.violations
    var confirmed: [Int64: String?] = [:]
    for (index, revision) in changes.revisions.enumerated() {
      guard let note = try confirmation(of: violations[index], revision) else { continue }
      violations[index].confirm(at: note.at)
      confirmed[revision.entry] = .some(note.author)
    }
    if order.settlesAll {
      let written = Set(violations.map(\.finding.entry.row))
      violations += standing.violations.filter { !written.contains($0.finding.entry.row) }
    }
    guard !violations.isEmpty else { return }
    let reports = try reports(of: violations, at: places)
    var written: [Int64: StandingViolation] = [:]
    for violation in violations {
      let name = known[violation.finding.entry.row].map {
        PassageName(row: $0.record.number, uuid: $0.uuid, clientID: $0.clientID)
      }
      let settled = try settle(violation, reports, name, places, at: wall)
      if let author = confirmed[violation.finding.entry.row] {
        try write(confirmationOf: violation.finding.entry.row, by: author)
      }
      written[violation.finding.entry.row] = settled
      if settled.finality != violation.finality { batch.changes.settled.append(settled) }
    }
    try write(changes.revisions)
    for revision in changes.revisions {
      guard let violation = written[revision.entry] else { continue }
      batch.changes.violations.append(JudgedChanges.Violation(violation, revision))
    }
  }

  /// The first confirmation of what was found now, where somebody confirmed it before something else was found
  /// meanwhile.
  private func confirmation(
    of violation: StandingViolation, _ revision: ViolationRevision
  ) throws(StorageError) -> ViolationNote? {
    guard !violation.isRetracted, violation.confirmedAt == nil, revision.change != .made else {
      return nil
    }
    let notes = try notes(of: revision.entry).filter { $0.kind == .confirmed }
    guard !notes.isEmpty else { return nil }
    let alike = Set(
      try revisions(of: revision.entry).filter { $0.after?.isAlike(violation.finding) == true }
        .map(\.number))
    return notes.first { alike.contains($0.revision) }
  }

  /// Settles whether something can still change a violation, and writes it down with what it waits for.
  func settle(
    _ violation: StandingViolation, _ reports: PostReports, _ entry: PassageName?,
    _ places: JudgedPlaces, at wall: WallTime
  ) throws(StorageError) -> StandingViolation {
    var violation = violation
    let place = places.place(of: violation.finding.exit.post)
    let isOther = violation.settle(reports, place: place, rules: places.rules, at: wall)
    var name = entry
    if name == nil { name = try self.name(of: violation.finding.entry.row) }
    if let name {
      try write(OpenViolation(violation, of: name, place: place, rules: places.rules))
      if isOther {
        try write(
          ViolationNote(.init(violation.finality), at: wall, revision: violation.revision),
          of: violation.finding.entry.row)
      }
    }
    return violation
  }

  /// What the posts of these violations reported, with those that are judged together with them.
  func reports(
    of violations: [StandingViolation], at places: JudgedPlaces
  ) throws(StorageError) -> PostReports {
    let posts = violations.flatMap { violation in
      let (entry, exit) = (violation.finding.entry.post, violation.finding.exit.post)
      return [entry, exit] + places.place(of: exit).posts
    }
    return PostReports(through: try reports(of: Set(posts)))
  }

  /// Writes down which entries wait, and the alerts that follow.
  private func writeWaiting(
    _ judgement: TravelJudgement, _ numbers: [Int64], _ batch: inout JudgedBatch,
    at wall: WallTime
  ) throws(StorageError) {
    let standing = try alerts(of: numbers)
    let posts = Set((judgement.waiting + standing.map(\.entry)).map(\.opposite))
    let changes = OverdueChanges(
      standing: standing, waiting: judgement.waiting, judgement: judgement,
      reports: posts.isEmpty ? PostReports() : PostReports(through: try reports(of: posts)),
      at: wall)
    try write(changes.alerts)
    let alerts = OverdueChanges.alerts(standing, changes)
    batch.changes.add(changes)

    var before: [Int64: WaitingEntry] = [:]
    for entry in try waiting(of: numbers) { before[entry.row] = entry }
    var after: [Int64: WaitingEntry] = [:]
    for entry in judgement.waiting where entry.expiresAt > wall.epochSeconds {
      after[entry.row] = entry
    }
    try remove(waiting: before.keys.filter { after[$0] == nil }.sorted())
    // One that waits as before may have been told just now.
    try write(
      after.values.filter { before[$0.row] != $0 || alerts[$0.row] != nil }
        .sorted { $0.row < $1.row }
        .map { AwaitedEntry($0, isTold: alerts[$0.row]?.ending == nil && alerts[$0.row] != nil) })
  }
}

extension OverdueChanges {
  /// The alerts of the entries as they are after the changes.
  static func alerts(_ standing: [OverdueAlert], _ changes: OverdueChanges) -> [Int64: OverdueAlert]
  {
    var alerts: [Int64: OverdueAlert] = [:]
    for alert in standing + changes.alerts { alerts[alert.entry.row] = alert }
    return alerts
  }
}

extension JudgedChanges {
  /// Adds the alerts that are told or over.
  mutating func add(_ changes: OverdueChanges) {
    let (isRaised, isEnded) = (Set(changes.raised), Set(changes.ended))
    raised += changes.alerts.filter { isRaised.contains($0.entry.row) }
    ended += changes.alerts.filter { isEnded.contains($0.entry.row) }
  }
}
