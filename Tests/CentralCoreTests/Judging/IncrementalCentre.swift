import CentralCore
import Passages
import Time

/// A centre in memory that takes one thing after another, and of each looks at no more than what it is told
/// to: the smallest store that can stand behind the judging.
struct IncrementalCentre {
  private(set) var places: JudgedPlaces
  private(set) var records: [Int64: PassageRecord] = [:]
  private(set) var rows: [Int64: Int64] = [:]
  private(set) var pairs: Set<PassagePair> = []
  private(set) var violations: [Int64: StandingViolation] = [:]
  private(set) var revisions: [ViolationRevision] = []
  private(set) var waiting: [Int64: WaitingEntry] = [:]
  private(set) var alerts: [Int64: OverdueAlert] = [:]
  private(set) var contradictions = 0
  /// How many records were read, over all.
  private(set) var read = 0
  var reports = PostReports()
  var now = WallTime(epochSeconds: 0)

  private var byIdentity: [ClientID: Int64] = [:]
  private var byKey: [ContentKey: Int64] = [:]
  private var byPlate: [String: Set<Int64>] = [:]
  private var early: [ClientID: [ReceivedCorrection]] = [:]

  init(_ places: JudgedPlaces) {
    self.places = places
  }

  /// Takes a report.
  @discardableResult
  mutating func receive(_ observation: Observation) -> Reception {
    var plan = RejudgingPlan(places: places)
    let reception = write(observation, &plan)
    judge(plan, cause: .arrival)
    return reception
  }

  /// Takes a correction; one of a passage that did not come yet waits for it.
  mutating func correct(_ correction: ReceivedCorrection) {
    var plan = RejudgingPlan(places: places)
    write(correction, &plan)
    judge(plan, cause: .correction)
  }

  /// Takes several at once, and judges once.
  mutating func take(_ batch: some Sequence<JudgingWorld.Arrival>) {
    var plan = RejudgingPlan(places: places)
    for arrival in batch {
      switch arrival {
      case .observation(let observation): write(observation, &plan)
      case .correction(let correction): write(correction, &plan)
      }
    }
    judge(plan, cause: .arrival)
  }

  /// Does what the clock asks for.
  mutating func tick() {
    let changes = OverdueChanges(
      standing: Array(alerts.values), waiting: Array(waiting.values), reports: reports, at: now)
    for alert in changes.alerts { alerts[alert.entry.row] = alert }
    for (entry, var violation) in violations {
      let place = places.place(of: violation.finding.exit.post)
      if violation.settle(reports, place: place, rules: places.rules, at: now) {
        violations[entry] = violation
      }
    }
  }

  /// A person looked at a violation.
  mutating func confirm(_ entry: Int64) {
    violations[entry]?.confirm(at: now)
  }

  /// The directory changed: all is judged again.
  mutating func redirect(_ places: JudgedPlaces) {
    self.places = places
    let judgement = TravelJudgement(all: Array(records.values), places: places)
    apply(judgement, of: Set(records.keys), cause: .directory)
  }

  @discardableResult
  private mutating func write(_ observation: Observation, _ plan: inout RejudgingPlan) -> Reception
  {
    let identified = byIdentity[observation.clientID].flatMap { records[$0] }
    let alike = byKey[observation.key].flatMap { records[$0] }
    let reception = Reception(observation, identified: identified, alike: alike)
    var record: PassageRecord
    switch reception {
    case .new:
      record = PassageRecord(number: Int64(records.count) + 1, first: observation)
    case .known(let number), .alias(of: let number), .contradiction(of: let number):
      guard var known = records[number], known.add(observation) else { return reception }
      record = known
    }
    if case .contradiction = reception {
      contradictions += 1
    } else {
      byIdentity[observation.clientID] = record.number
    }
    for correction in early.removeValue(forKey: observation.clientID) ?? [] {
      _ = record.add(correction)
    }
    write(record, &plan)
    return reception
  }

  private mutating func write(_ correction: ReceivedCorrection, _ plan: inout RejudgingPlan) {
    guard let number = byIdentity[correction.clientID], var record = records[number] else {
      early[correction.clientID, default: []].append(correction)
      return
    }
    if record.add(correction) { write(record, &plan) }
  }

  private mutating func write(_ record: PassageRecord, _ plan: inout RejudgingPlan) {
    let before = records[record.number]?.place
    let after = record.place
    plan.change(from: before, to: after)
    records[record.number] = record
    byKey[record.received] = record.number
    if let before { byPlate[before.plate]?.remove(record.number) }
    byPlate[after.plate, default: []].insert(record.number)
  }

  private mutating func judge(_ plan: RejudgingPlan, cause: ViolationRevision.Cause) {
    guard !plan.isEmpty else { return }
    let vehicles = plan.vehicles.map { read($0) }
    apply(
      TravelJudgement(again: vehicles, rules: places.rules),
      of: Set(vehicles.flatMap { $0.records.map(\.number) }), cause: cause)
  }

  /// Reads until it is enough.
  private mutating func read(_ vehicle: RejudgingPlan.Vehicle) -> VehicleRecords {
    let place = vehicle.span.place
    let all = (byPlate[vehicle.plate] ?? []).compactMap { records[$0] }
      .filter { place.posts.contains($0.place.post) }
    var range = vehicle.span.first
    while true {
      let found = all.filter { range.contains($0.place.second) }
      read += found.count
      switch vehicle.span.look(at: found, read: range) {
      case .more(let wider): range = wider
      case .enough(let seconds, let endsInGap):
        return VehicleRecords(
          place: place, read: found, within: seconds, endsInGap: endsInGap)
      }
    }
  }

  private mutating func apply(
    _ judgement: TravelJudgement, of numbers: Set<Int64>, cause: ViolationRevision.Cause
  ) {
    for move in PassageRecognition.moves(of: judgement.passages, since: rows) {
      rows[move.record] = move.now
    }
    let standing = StandingJudgement(
      pairs: pairs.filter { numbers.contains($0.entry) || numbers.contains($0.exit) },
      violations: numbers.sorted().compactMap { violations[$0] })
    let changes = JudgementChanges(
      standing: standing, judgement: judgement, cause: cause, at: now)
    pairs.subtract(changes.parted)
    pairs.formUnion(changes.paired)
    for violation in changes.violations { violations[violation.finding.entry.row] = violation }
    revisions += changes.revisions

    for number in numbers { waiting[number] = nil }
    for entry in judgement.waiting { waiting[entry.row] = entry }
    let overdue = OverdueChanges(
      standing: numbers.sorted().compactMap { alerts[$0] }, waiting: judgement.waiting,
      judgement: judgement, reports: reports, at: now)
    for alert in overdue.alerts { alerts[alert.entry.row] = alert }
  }
}
