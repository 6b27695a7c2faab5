import CentralCore
import Passages
import Storage
import Time

/// What a store tells of all that is known and judged, without the numbers that depend on what came first.
struct StoreStory: Equatable {
  struct Seen: Hashable {
    var key: ContentKey
    var recordedAt: WallTime
    var rawPlate: String
    var type: VehicleType
    var photo: String?
    var channels: [Observation.Channel]
    var isProven: Bool
    var isCorrected: Bool
    var contradictions: [PassageContent.Contradiction]
    var firstReceivedAt: WallTime
    var segment: String?
    var exit: ContentKey?
    var entry: ContentKey?
  }
  struct Found: Hashable {
    var segment: String
    var kind: ViolationFinding.Kind
    var entry: ContentKey
    var exit: ContentKey
    var seconds: Int64
    var limitSeconds: Int64
    var isFar: Bool
    var doubts: [TravelDoubt]
  }

  var passages: Set<Seen> = []
  var violations: Set<Found> = []
  var overdue: Set<ContentKey> = []
  var rows = 0

  /// What the whole set comes to at once.
  ///
  /// - Parameters:
  ///   - segments: Of posts that stand alone at a segment, its name.
  ///   - shown: Posts with where they stood before, by which passages are told then.
  init(
    _ observations: [Observation], _ corrections: [ReceivedCorrection], _ places: JudgedPlaces,
    segments: [String: String] = [:], shown: [CheckpostCode: Post] = [:], at now: WallTime
  ) {
    var records: [ContentKey: PassageRecord] = [:]
    for observation in observations {
      if records[observation.key]?.add(observation) == nil {
        records[observation.key] = PassageRecord(
          number: Int64(records.count) + 1, first: observation)
      }
    }
    for (key, record) in records {
      for identity in record.identities {
        for correction in corrections where correction.clientID == identity {
          _ = records[key]?.add(correction)
        }
      }
    }
    let judgement = TravelJudgement(all: Array(records.values), places: places)
    var partners: [ContentKey: (exit: ContentKey?, entry: ContentKey?)] = [:]
    for travel in judgement.travels {
      // A passage is shown with the travel that it begins before the one that it ends.
      partners[travel.entry.place] = (travel.exit.place, nil)
      if partners[travel.exit.place]?.exit == nil {
        partners[travel.exit.place] = (nil, travel.entry.place)
      }
    }
    for travel in judgement.travels + judgement.turns {
      guard let finding = ViolationFinding(travel) else { continue }
      violations.insert(Found(finding, travel.entry.place, travel.exit.place))
    }
    for passage in judgement.passages {
      let (content, place) = (passage.content, passage.place)
      passages.insert(
        Seen(
          key: place, recordedAt: content.recordedAt, rawPlate: content.rawPlate,
          type: content.vehicleType, photo: content.photoPath, channels: content.channels,
          isProven: content.isProven, isCorrected: content.isCorrected,
          contradictions: content.contradictions, firstReceivedAt: content.firstReceivedAt,
          segment: shown[place.post].map {
            ShownSegments(now: $0.place?.segment, earlier: $0.earlier).segment(at: place.second)
          } ?? places.place(of: place.post).segment(of: place.post, at: place.second)?.name
            ?? segments[place.post.code],
          exit: passage.isDated ? partners[place]?.exit : nil,
          entry: passage.isDated ? partners[place]?.entry : nil))
    }
    rows = judgement.passages.count
    overdue = Set(
      judgement.waiting.filter { ($0.dueAt..<$0.expiresAt).contains(now.epochSeconds) }.map(\.place)
    )
  }

  /// What stands in a store; let the clock do its duties before.
  init(_ store: any CentralStore) throws {
    var stored: [Int64: StoredPassage] = [:]
    var query = PassageQuery()
    while let last = try store.passages(query).last {
      for passage in try store.passages(query) { stored[passage.id] = passage }
      query.afterID = last.id
    }
    let keys = stored.mapValues(\.key)
    for passage in stored.values {
      let other = passage.partner
      if let other, stored[other.row]?.partner == nil { rows = -1 }
      passages.insert(
        Seen(
          key: passage.key, recordedAt: passage.passage.recordedAt,
          rawPlate: passage.passage.plate.raw, type: passage.passage.vehicleType,
          photo: passage.passage.photoPath, channels: passage.channels,
          isProven: passage.isProven, isCorrected: passage.isCorrected,
          contradictions: passage.contradictions, firstReceivedAt: passage.firstReceivedAt,
          segment: passage.passage.segment,
          exit: other.flatMap { $0.isExit ? keys[$0.row] : nil },
          entry: other.flatMap { $0.isExit ? nil : keys[$0.row] }))
    }
    rows += stored.count
    var violations = ViolationQuery()
    while let last = try store.violations(violations).last {
      for found in try store.violations(violations) {
        let finding = found.violation.finding
        if let entry = keys[finding.entry.row], let exit = keys[finding.exit.row] {
          self.violations.insert(Found(finding, entry, exit))
        }
      }
      violations.after = last.place
    }
    var alerts = AlertQuery()
    while let last = try store.alerts(alerts).last {
      for alert in try store.alerts(alerts) { overdue.insert(alert.alert.entry.place) }
      alerts.after = last.place
    }
  }

  /// Where the two differ, in words for a test that failed.
  func differences(from other: StoreStory) -> [String] {
    var words: [String] = []
    if rows != other.rows { words.append("rows \(rows) and \(other.rows)") }
    if passages != other.passages {
      words += ["passages"] + StoreStory.words(passages.symmetricDifference(other.passages))
    }
    if violations != other.violations {
      words += ["violations"] + StoreStory.words(violations.symmetricDifference(other.violations))
    }
    if overdue != other.overdue {
      words += ["overdue"] + StoreStory.words(overdue.symmetricDifference(other.overdue))
    }
    return words
  }

  private static func words<Value>(_ values: Set<Value>) -> [String] {
    Array(values.map { "\($0)" }.sorted().prefix(4))
  }
}

extension StoreStory.Found {
  init(_ finding: ViolationFinding, _ entry: ContentKey, _ exit: ContentKey) {
    self.init(
      segment: finding.segment, kind: finding.kind, entry: entry, exit: exit,
      seconds: finding.seconds,
      limitSeconds: finding.limitSeconds, isFar: finding.isFar, doubts: finding.doubts)
  }
}

extension StoredPassage {
  var key: ContentKey {
    ContentKey(
      post: passage.checkpost, plate: passage.plate.compact,
      second: passage.recordedAt.epochSeconds)
  }
}

extension JudgingWorld.Arrival {
  var arrival: PassageArrival {
    switch self {
    case .observation(let observation): PassageArrival(observation)
    case .correction(let correction): PassageArrival(correction)
    }
  }
}

extension CentralStore {
  /// Takes a batch.
  @discardableResult
  func take(
    _ batch: some Sequence<PassageArrival>, rules: JudgingRules = JudgingRules(), at wall: WallTime
  ) throws -> TakenArrivals {
    let arrivals = Array(batch)
    return try transaction { inbox throws(StorageError) in
      try inbox.take(arrivals, rules: rules, at: wall)
    }
  }

  /// Does all that is due.
  @discardableResult
  func tick(_ rules: JudgingRules = JudgingRules(), at wall: WallTime) throws -> ClockDuties {
    var duties = try clock(rules: rules, at: wall)
    while let next = duties.next, next <= wall {
      let more = try clock(rules: rules, at: wall)
      duties.changes.append(more.changes)
      duties.next = more.next
    }
    return duties
  }

  /// Judges again what has to be.
  @discardableResult
  func rejudgeAll(
    _ rules: JudgingRules = JudgingRules(), everything: Bool = false,
    limit: Int = CentralCore.Limits.rejudgedAtOnce, at wall: WallTime
  ) throws -> JudgedChanges {
    var changes = JudgedChanges()
    var step = try rejudge(rules: rules, everything: everything, limit: limit, at: wall)
    changes.append(step.changes)
    while !step.isDone {
      step = try rejudge(rules: rules, everything: false, limit: limit, at: wall)
      changes.append(step.changes)
    }
    return changes
  }
}
