import Passages
public import Storage
public import Time

/// Records of which something came or changed, and where they were and are.
struct ChangedRecords {
  /// The second before which nothing is taken any more.
  var keptSince: Int64?
  private(set) var numbers: Set<Int64> = []
  private(set) var places: [ChangedRecord] = []

  mutating func change(_ number: Int64, from before: ContentKey?, to after: ContentKey) {
    numbers.insert(number)
    places.append(ChangedRecord(number: number, before: before, after: after))
  }

  /// Whether that is a time of which nothing is kept any more.
  func isExpired(_ second: Int64?) -> Bool {
    guard let second, let keptSince else { return false }
    return second < keptSince
  }

  var posts: Set<CheckpostCode> {
    Set(places.flatMap { [$0.before?.post, $0.after.post].compactMap { $0 } })
  }
}

extension JudgingRows {
  /// Takes reports and corrections, and judges once.
  public func take(
    _ arrivals: [PassageArrival], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> TakenArrivals {
    var changed = ChangedRecords(keptSince: try keptSince())
    var receipts: [ArrivalReceipt] = []
    var standing: [Int64: JudgedRecord] = [:]
    var isReported = false
    for arrival in arrivals {
      switch arrival.content {
      case .observation(let observation):
        isReported = true
        receipts.append(
          try take(observation, from: arrival.origin, &changed, &standing, at: wall))
      case .correction(let correction):
        receipts.append(try take(correction, &changed, &standing, at: wall))
      }
    }
    let judged = try judge(
      changed, cause: isReported ? .arrival : .correction, rules: rules, at: wall)
    for index in receipts.indices {
      guard let record = receipts[index].record else { continue }
      guard let row = judged.rows[record] ?? standing[record]?.row else { continue }
      if let name = judged.names[row] {
        receipts[index].passage = name
      } else {
        receipts[index].passage = try name(of: row)
      }
    }
    return TakenArrivals(receipts: receipts, changes: judged.changes)
  }

  private func take(
    _ observation: Observation, from origin: PassageArrival.Origin,
    _ changed: inout ChangedRecords, _ standing: inout [Int64: JudgedRecord], at wall: WallTime
  ) throws(StorageError) -> ArrivalReceipt {
    guard observation.clock == .unset || !changed.isExpired(observation.key.second) else {
      return .expired
    }
    let identified = try record(identifiedBy: observation.clientID)
    let alike = identified == nil ? try record(received: observation.key) : nil
    let reception = Reception(
      observation, identified: identified?.record, alike: alike?.record)
    guard let known = identified ?? alike else {
      let number = try insert(
        observation, from: origin, uuid: try freeName(for: observation, origin), at: wall)
      var record = PassageRecord(number: number, first: observation)
      _ = try takeEarly(of: observation.clientID, into: &record, changed, at: wall)
      changed.change(number, from: nil, to: record.place)
      return ArrivalReceipt(.report(.new), record: number, passage: nil, isNews: true)
    }
    var record = known.record
    let before = record.place
    standing[record.number] = known
    try count(record.number, at: wall)
    var isNews = false
    if case .contradiction = reception {
      if !record.isContradicted {
        try contradict(record.number)
        isNews = true
      }
    } else {
      isNews = try add(observation, from: origin, to: record, at: wall)
      if case .alias = reception, record.hasRoom(for: observation) {
        try link(observation.clientID, to: record.number)
        if try takeEarly(of: observation.clientID, into: &record, changed, at: wall) {
          isNews = true
        }
      }
    }
    if isNews { changed.change(record.number, from: before, to: record.place) }
    return ArrivalReceipt(
      .report(reception), record: record.number, passage: nil, isNews: isNews)
  }

  /// Adds a report to a record unless it tells nothing new, or the record has so many that only their number is
  /// of interest.
  private func add(
    _ observation: Observation, from origin: PassageArrival.Origin, to record: PassageRecord,
    at wall: WallTime
  ) throws(StorageError) -> Bool {
    if let known = record.observations.first(where: { $0.isRepeated(by: observation) }) {
      guard observation.receivedAt < known.receivedAt else { return false }
      try replace(known, with: observation, from: origin, in: record.number)
      return true
    }
    guard record.hasRoom(for: observation) else { return false }
    try insert(observation, from: origin, into: record.number, at: wall)
    return true
  }

  private func take(
    _ correction: ReceivedCorrection, _ changed: inout ChangedRecords,
    _ standing: inout [Int64: JudgedRecord], at wall: WallTime
  ) throws(StorageError) -> ArrivalReceipt {
    guard !changed.isExpired(correction.recordedAt?.epochSeconds) else { return .expired }
    guard let known = try record(identifiedBy: correction.clientID) else {
      let isNews = try keepEarly(correction, at: wall)
      return ArrivalReceipt(.early, record: nil, passage: nil, isNews: isNews)
    }
    var record = known.record
    let before = record.place
    guard !record.isDated || !changed.isExpired(before.second) else { return .expired }
    standing[record.number] = known
    let isNews = try add(correction, to: &record, at: wall)
    if isNews { changed.change(record.number, from: before, to: record.place) }
    return ArrivalReceipt(.correction, record: record.number, passage: nil, isNews: isNews)
  }

  private func add(
    _ correction: ReceivedCorrection, to record: inout PassageRecord, at wall: WallTime
  ) throws(StorageError) -> Bool {
    guard record.corrections.count < Limits.correctionsOfRecord, record.add(correction) else {
      return false
    }
    try insert(correction, into: record.number, place: record.place, at: wall)
    return true
  }

  private func takeEarly(
    of clientID: ClientID, into record: inout PassageRecord, _ changed: ChangedRecords,
    at wall: WallTime
  ) throws(StorageError) -> Bool {
    var isNews = false
    for correction in try takeEarly(of: clientID)
    where !changed.isExpired(correction.recordedAt?.epochSeconds) {
      if try add(correction, to: &record, at: wall) { isNews = true }
    }
    return isNews
  }

  /// What names a new record for others, and nothing else.
  private func freeName(
    for observation: Observation, _ origin: PassageArrival.Origin
  ) throws(StorageError) -> ClientID {
    for uuid in [origin.uuid, observation.clientID].compactMap({ $0 }) {
      let isFree = try !isTaken(uuid)
      if isFree { return uuid }
    }
    let key = observation.key
    return ClientID.derived(
      kind: "passage", name: "\(key.post) \(key.plate) \(key.second) \(observation.clientID)")
  }
}

extension PassageRecord {
  /// Whether one more report is kept. However many texts there are of which nobody knows who sent them, there is room
  /// for what can change what is proven.
  fileprivate func hasRoom(for observation: Observation) -> Bool {
    observations.count { $0.isFounded == observation.isFounded } < Limits.reportsOfRecord
  }
}

extension ArrivalReceipt {
  fileprivate static let expired = ArrivalReceipt(
    .expired, record: nil, passage: nil, isNews: false)
}
