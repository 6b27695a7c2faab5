import CentralCore
import Passages
import Time

/// What was judged, as plain values.
struct MemoryJudging: Sendable {
  var records: [Int64: JudgedRecord] = [:]
  var reports: [Int64: [RecordEvidence.Report]] = [:]
  var counts: [Int64: (times: Int64, lastAt: WallTime)] = [:]
  var identities: [ClientID: Int64] = [:]
  var received: [ContentKey: Int64] = [:]
  var ofPlate: [String: Set<Int64>] = [:]
  var names: [ClientID: Int64] = [:]
  var early: [ClientID: [ReceivedCorrection]] = [:]
  var passages: [Int64: StandingPassage] = [:]
  /// The exit of each entry, and the entry of each exit.
  var exits: [Int64: Int64] = [:]
  var entries: [Int64: Int64] = [:]
  var violations: [Int64: OpenViolation] = [:]
  var confirmedBy: [Int64: String] = [:]
  var revisions: [Int64: [ViolationRevision]] = [:]
  var notes: [Int64: [ViolationNote]] = [:]
  var outcomes: [Int64: ViolationOutcome] = [:]
  var waiting: [Int64: AwaitedEntry] = [:]
  var alerts: [Int64: OverdueAlert] = [:]
  var through: [CheckpostCode: Int64] = [:]
  var marks: [CheckpostCode: [ReportingWay: PostMark]] = [:]
  var state = RejudgingState()
  var keeping = KeepingState()
  var aside: Set<Int64> = []
  var photographs: Set<String> = []
  /// What a post recorded, of what was dropped.
  var gone: [CheckpostCode: Int64] = [:]
  var lastNumber: Int64 = 0

  /// How much of what a post recorded came, as the post counts it.
  func recorded(_ post: CheckpostCode) -> Int64 {
    gone[post, default: 0] + here(post)
  }

  private func here(_ post: CheckpostCode) -> Int64 {
    records.values.filter { $0.record.received.post == post }
      .reduce(0) { $0 + Int64(Set($1.record.observations.map(\.suffix.digits)).count) }
  }

  mutating func put(_ record: PassageRecord) {
    if let before = records[record.number]?.record.place {
      ofPlate[before.plate]?.remove(record.number)
    }
    ofPlate[record.place.plate, default: []].insert(record.number)
    records[record.number]?.record = record
  }
}

extension MemoryTransaction: JudgingRows {
  private var judging: MemoryJudging {
    get { state.judging }
    set { state.judging = newValue }
  }

  func record(identifiedBy clientID: ClientID) -> JudgedRecord? {
    judging.identities[clientID].flatMap { judging.records[$0] }
  }

  func record(received key: ContentKey) -> JudgedRecord? {
    judging.received[key].flatMap { judging.records[$0] }
  }

  func records(
    of plate: String, at posts: [CheckpostCode]?, in seconds: ClosedRange<Int64>?
  ) -> [JudgedRecord] {
    (judging.ofPlate[plate] ?? []).subtracting(judging.aside).sorted().compactMap {
      judging.records[$0]
    }.filter {
      let place = $0.record.place
      return posts?.contains(place.post) ?? true && seconds?.contains(place.second) ?? true
    }
  }

  func plates(after: String, at posts: [CheckpostCode]?, limit: Int) -> [String] {
    Array(
      Set(
        judging.records.values.map(\.record.place).filter {
          $0.plate > after && posts?.contains($0.post) ?? true
        }.map(\.plate)
      ).sorted().prefix(limit))
  }

  func insert(
    _ observation: Observation, from origin: PassageArrival.Origin, uuid: ClientID,
    at wall: WallTime
  ) -> Int64 {
    state.judging.lastNumber += 1
    let number = state.judging.lastNumber
    let record = PassageRecord(number: number, first: observation)
    state.judging.records[number] = JudgedRecord(
      record, row: nil, uuid: uuid, clientID: observation.clientID, inboxID: origin.inboxID,
      insertedAt: wall)
    state.judging.put(record)
    state.judging.received[record.received] = number
    state.judging.identities[observation.clientID] = number
    if uuid != observation.clientID { state.judging.names[uuid] = number }
    state.judging.counts[number] = (1, wall)
    let report = report(observation, origin, wall)
    state.judging.reports[number] = [report]
    return number
  }

  private func report(
    _ observation: Observation, _ origin: PassageArrival.Origin, _ wall: WallTime
  ) -> RecordEvidence.Report {
    let item = origin.inboxID.flatMap { message($0) }
    return RecordEvidence.Report(
      observation, origin: origin, sender: item?.from, provider: item?.provider, insertedAt: wall)
  }

  func insert(
    _ observation: Observation, from origin: PassageArrival.Origin, into record: Int64,
    at wall: WallTime
  ) {
    guard var known = judging.records[record]?.record else { return }
    _ = known.add(observation)
    state.judging.put(known)
    let report = report(observation, origin, wall)
    state.judging.reports[record]?.append(report)
  }

  func replace(
    _ known: Observation, with earlier: Observation, from origin: PassageArrival.Origin,
    in record: Int64
  ) {
    guard var changed = judging.records[record]?.record else { return }
    _ = changed.add(earlier)
    state.judging.put(changed)
    guard let place = judging.reports[record]?.firstIndex(where: { $0.observation == known }),
      let insertedAt = judging.reports[record]?[place].insertedAt
    else { return }
    let report = report(earlier, origin, insertedAt)
    state.judging.reports[record]?[place] = report
  }

  func link(_ clientID: ClientID, to record: Int64) {
    state.judging.identities[clientID] = record
  }

  func isTaken(_ uuid: ClientID) -> Bool {
    judging.names[uuid] != nil || judging.identities[uuid] != nil
  }

  func count(_ record: Int64, at wall: WallTime) {
    guard let known = judging.counts[record] else { return }
    state.judging.counts[record] = (known.times + 1, max(known.lastAt, wall))
  }

  func contradict(_ record: Int64) {
    guard let known = judging.records[record]?.record else { return }
    state.judging.records[record]?.record =
      PassageRecord(
        number: record, received: known.received, observations: known.observations,
        corrections: known.corrections, isContradicted: true) ?? known
  }

  func insert(
    _ correction: ReceivedCorrection, into record: Int64, place: ContentKey, at wall: WallTime
  ) {
    guard var known = judging.records[record]?.record else { return }
    _ = known.add(correction)
    state.judging.put(known)
  }

  func keepEarly(_ correction: ReceivedCorrection, at wall: WallTime) -> Bool {
    let known = judging.early[correction.clientID] ?? []
    guard !known.contains(correction), known.count < Limits.earlyCorrections else { return false }
    state.judging.early[correction.clientID] = known + [correction]
    return true
  }

  func takeEarly(of clientID: ClientID) -> [ReceivedCorrection] {
    state.judging.early.removeValue(forKey: clientID) ?? []
  }

  func move(_ moves: [PassageRecognition.Move]) {
    for move in moves { state.judging.records[move.record]?.row = move.now }
  }

  func pairs(of rows: [Int64]) -> [PassagePair] {
    let begun = rows.compactMap { row in
      judging.exits[row].map { PassagePair(entry: row, exit: $0) }
    }
    let ended = rows.compactMap { row in
      judging.entries[row].map { PassagePair(entry: $0, exit: row) }
    }
    return Set(begun + ended).sorted()
  }

  func write(parted: [PassagePair], paired: [PassagePair]) {
    for pair in parted {
      state.judging.exits[pair.entry] = nil
      state.judging.entries[pair.exit] = nil
    }
    for pair in paired {
      state.judging.exits[pair.entry] = pair.exit
      state.judging.entries[pair.exit] = pair.entry
    }
  }

  func write(_ passages: [StandingPassage]) {
    for passage in passages { state.judging.passages[passage.name.row] = passage }
  }

  func remove(passages rows: [Int64]) {
    for row in rows { state.judging.passages[row] = nil }
  }

  func name(of record: Int64) -> PassageName? {
    judging.records[record].map {
      PassageName(row: record, uuid: $0.uuid, clientID: $0.clientID)
    }
  }
}

extension MemoryJudging {
  /// The other end of the travel that a passage begins; of one that begins none, of the one that it ends.
  func partner(of row: Int64) -> StoredPassage.Partner? {
    exits[row].map { StoredPassage.Partner(row: $0, isExit: true) }
      ?? entries[row].map { StoredPassage.Partner(row: $0, isExit: false) }
  }
}
