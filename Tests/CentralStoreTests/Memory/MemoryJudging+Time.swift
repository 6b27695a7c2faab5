import CentralCore
import Passages
import Time

extension MemoryTransaction {
  private func standing(_ isWanted: (OpenViolation) -> Bool) -> [StandingViolation] {
    state.judging.violations.values.filter(isWanted).map(\.violation)
      .sorted { $0.finding.entry.row < $1.finding.entry.row }
  }

  func marks(of post: CheckpostCode) -> [ReportingWay: PostMark] {
    state.judging.marks[post] ?? [:]
  }

  func write(_ mark: PostMark, of post: CheckpostCode, by way: ReportingWay) {
    state.judging.marks[post, default: [:]][way] = mark
  }

  func segments(of posts: Set<CheckpostCode>) -> [CheckpostCode: ShownSegments] {
    var segments: [CheckpostCode: ShownSegments] = [:]
    for post in state.posts where posts.contains(post.code) {
      segments[post.code] = ShownSegments(now: post.place?.segment, earlier: post.earlier)
    }
    return segments
  }

  func violations(of entries: [Int64]) -> [StandingViolation] {
    standing { entries.contains($0.violation.finding.entry.row) }
  }

  func standing(_ uuid: ClientID) -> StandingViolation? {
    standing { $0.uuid == uuid }.first
  }

  func violations(unreportedBy wall: WallTime, limit: Int) -> [StandingViolation] {
    Array(standing { $0.unreportedFrom.map { $0 <= wall } ?? false }.prefix(limit))
  }

  func violations(
    awaiting post: CheckpostCode, besides others: [CheckpostCode], in seconds: Range<Int64>
  ) -> [StandingViolation] {
    standing { open in
      let finding = open.violation.finding
      return finding.entry.post == post && open.entryNeeds.map(seconds.contains) ?? false
        || finding.exit.post == post && open.exitNeeds.map(seconds.contains) ?? false
        || others.contains(finding.entry.post) && others.contains(finding.exit.post)
          && open.entryNeeds != nil && seconds.contains(finding.exit.latest)
    }
  }

  func write(_ violation: OpenViolation) {
    let entry = violation.violation.finding.entry.row
    state.judging.violations[entry] = violation
    if violation.violation.confirmedAt == nil { state.judging.confirmedBy[entry] = nil }
  }

  func write(confirmationOf entry: Int64, by author: String?) {
    state.judging.confirmedBy[entry] = author
  }

  func notes(of entry: Int64) -> [ViolationNote] { state.judging.notes[entry] ?? [] }

  func revisions(of entry: Int64) -> [ViolationRevision] { state.judging.revisions[entry] ?? [] }

  func write(_ note: ViolationNote, of entry: Int64) {
    state.judging.notes[entry, default: []].append(note)
  }

  func note(_ note: OperatorNote, at wall: WallTime) {}

  func record(_ outcome: ViolationOutcome, of uuid: ClientID) -> OutcomeReceipt {
    guard let violation = standing(uuid), !violation.isRetracted else { return .unknown }
    let entry = violation.finding.entry.row
    let isKnown = state.judging.outcomes[entry] != nil
    if !isKnown {
      if outcome.lacksReason(for: violation) {
        return state.judging.violations[entry].flatMap { state.stored($0) }.map { .unsure($0) }
          ?? .unknown
      }
      var recorded = outcome
      (recorded.notes, recorded.although) = (outcome.recordedNotes, nil)
      state.judging.outcomes[entry] = recorded
      write(
        ViolationNote(
          .outcome, at: outcome.at, by: outcome.author, revision: violation.revision), of: entry)
    }
    let stored = state.judging.violations[entry].flatMap { state.stored($0) }
    return stored.map { isKnown ? .known($0) : .recorded($0) } ?? .unknown
  }

  func write(_ revisions: [ViolationRevision]) {
    for revision in revisions {
      state.judging.revisions[revision.entry, default: []].append(revision)
    }
  }

  private func waiting(_ isWanted: (AwaitedEntry) -> Bool) -> [WaitingEntry] {
    state.judging.waiting.values.filter(isWanted)
      .sorted { ($0.lookAt, $0.entry.row) < ($1.lookAt, $1.entry.row) }.map(\.entry)
  }

  func waiting(of rows: [Int64]) -> [WaitingEntry] {
    waiting { rows.contains($0.entry.row) }
  }

  func waiting(dueBy second: Int64, limit: Int) -> [WaitingEntry] {
    Array(waiting { $0.lookAt <= second }.prefix(limit))
  }

  func waiting(for post: CheckpostCode, dueIn seconds: Range<Int64>) -> [WaitingEntry] {
    waiting { $0.isTold && $0.entry.opposite == post && seconds.contains($0.entry.dueAt) }
  }

  func write(_ waiting: [AwaitedEntry]) {
    for awaited in waiting { state.judging.waiting[awaited.entry.row] = awaited }
  }

  func remove(waiting rows: [Int64]) {
    for row in rows { state.judging.waiting[row] = nil }
  }

  func alerts(of entries: [Int64]) -> [OverdueAlert] {
    entries.compactMap { state.judging.alerts[$0] }
  }

  func write(_ alerts: [OverdueAlert]) {
    for alert in alerts { state.judging.alerts[alert.entry.row] = alert }
  }

  func nextDuty() -> WallTime? {
    let looks = state.judging.waiting.values.map { WallTime(epochSeconds: $0.lookAt) }
    return (looks + state.judging.violations.values.compactMap(\.unreportedFrom)).min()
  }

  func routes(of posts: Set<CheckpostCode>?) -> [Route] {
    posts.map { Route.reaching($0, among: state.routes) } ?? state.routes
  }

  func reports(of posts: Set<CheckpostCode>) -> [CheckpostCode: Int64] {
    state.judging.through.filter { posts.contains($0.key) }
  }

  func write(report post: CheckpostCode, through second: Int64) {
    state.judging.through[post] = second
  }

  func rejudging() -> RejudgingState { state.judging.state }

  func write(_ state: RejudgingState) { self.state.judging.state = state }
}

extension MemoryState {
  var routes: [Route] {
    Route.between(posts, on: segments)
  }

  private func ranger(_ row: StandingPassage) -> String? {
    let message = row.inboxID.flatMap { id in items.first { $0.id == id } }
    let content = row.content
    return ranger(
      at: row.place.post, row.suffix, row.isDated ? content.recordedAt : content.firstReceivedAt,
      sender: message?.from)
  }

  private func ranger(
    at post: CheckpostCode, _ suffix: PhoneSuffix, _ time: WallTime, sender: String?
  ) -> String? {
    guard suffix != .unknown else { return nil }
    let phone = RangerAssignment.ranger(
      of: assignments.filter { $0.post == post && $0.suffix == suffix }, at: time,
      sender: sender.flatMap { PhoneNumber($0) })
    return rangers.first { $0.phone == phone }?.name
  }

  /// A report with what the directory and the inbox say of it now.
  private func told(_ report: RecordEvidence.Report) -> RecordEvidence.Report {
    var report = report
    let observation = report.observation
    report.ranger = ranger(
      at: observation.post, observation.suffix, observation.dated, sender: report.sender)
    report.warnings =
      report.origin.inboxID.flatMap { id in items.first { $0.id == id } }?.warnings ?? []
    return report
  }

  /// All that a violation rests on.
  func evidence(_ open: OpenViolation) -> ViolationEvidence? {
    let finding = open.violation.finding
    var postNames: [CheckpostCode: String] = [:]
    for post in posts where [finding.entry.post, finding.exit.post].contains(post.code) {
      postNames[post.code] = post.name
    }
    guard let stored = stored(open) else { return nil }
    var evidence = ViolationEvidence(
      violation: stored, revisions: judging.revisions[finding.entry.row] ?? [],
      notes: judging.notes[finding.entry.row] ?? [],
      segment: segments.first { $0.name == finding.segment }?.held(at: finding.entry.earliest),
      entry: self.evidence(of: finding.entry.row), exit: self.evidence(of: finding.exit.row),
      postNames: postNames)
    let posts = JudgedPlaces(routes, rules: JudgingRules()).place(of: finding.entry.post)
      .posts
    let texts = judging.records.values.map(\.record).filter { record in
      record.place.plate == finding.plate && posts.contains(record.place.post)
        && finding.entry.earliest < record.place.second
        && record.place.second < finding.exit.latest
        && !record.isFounded && finding.doubts.contains(.contradictedByText)
    }
    let numbers = Set(texts.map(\.number) + evidence.originsBeside)
    evidence.beside = numbers.sorted().flatMap { number in
      self.evidence(of: number).records.filter { $0.record.number == number }
    }
    return evidence
  }

  func stored(_ row: StandingPassage) -> StoredPassage? {
    guard var passage = row.passage else { return nil }
    passage.ranger = passage.ranger ?? ranger(row)
    var stored = StoredPassage(
      id: row.name.row, uuid: row.name.uuid, passage: passage, insertedAt: row.insertedAt,
      firstReceivedAt: row.content.firstReceivedAt)
    stored.partner = judging.partner(of: row.name.row)
    stored.channels = row.content.channels
    stored.isProven = row.content.isProven
    stored.isCorrected = row.content.isCorrected
    stored.contradictions = row.content.contradictions
    stored.withdrawal = row.content.withdrawal
    return stored
  }

  private func type(_ rows: [Int64]) -> VehicleType {
    let types = rows.compactMap { judging.passages[$0]?.content.vehicleType }
    return types.first { $0 != .other } ?? .other
  }

  func stored(_ open: OpenViolation) -> StoredViolation? {
    let (entry, exit) = (open.violation.finding.entry.row, open.violation.finding.exit.row)
    guard let first = judging.records[entry], let second = judging.records[exit] else { return nil }
    return StoredViolation(
      uuid: open.uuid, violation: open.violation, entry: first.uuid, exit: second.uuid,
      vehicleType: type([entry, exit]), confirmedBy: judging.confirmedBy[entry],
      outcome: judging.outcomes[entry])
  }

  func stored(_ alert: OverdueAlert) -> StoredAlert? {
    let row = alert.entry.row
    guard let record = judging.records[row] else { return nil }
    return StoredAlert(
      uuid: ClientID.derived(kind: "alert", name: record.uuid.description), alert: alert,
      entry: record.uuid, vehicleType: type([row]), segment: judging.passages[row]?.segment)
  }

  func evidence(of row: Int64) -> PassageEvidence {
    let passage = judging.passages[row].flatMap { stored($0) }
    let records = judging.records.values.filter {
      $0.record.number == row || passage != nil && $0.row == row
    }.map(\.record).sorted { $0.isBefore($1) }
    return PassageEvidence(
      passage: passage,
      records: records.map { record in
        let reports = judging.reports[record.number] ?? []
        let count = judging.counts[record.number]
        return RecordEvidence(
          record: record,
          reports: record.observations.compactMap { observation in
            reports.first { $0.observation == observation }.map { told($0) }
          }, times: count?.times ?? 0, lastAt: count?.lastAt ?? WallTime(epochSeconds: 0))
      })
  }
}
