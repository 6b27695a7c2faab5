import CentralCore
import Passages
import Time

/// What is known and judged, told without the numbers that depend on what came first.
struct JudgingStory: Equatable {
  struct Pair: Hashable {
    var entry: ContentKey
    var exit: ContentKey
  }
  struct Found: Hashable {
    var kind: ViolationFinding.Kind
    var entry: ContentKey
    var exit: ContentKey
    var seconds: Int64
    var limitSeconds: Int64
    var doubts: [TravelDoubt]
  }
  struct Waiting: Hashable {
    var entry: ContentKey
    var dueAt: Int64
    var expiresAt: Int64
  }

  /// What each passage was put together from, and what is known of it.
  var passages: [[ContentKey]: PassageContent] = [:]
  var pairs: Set<Pair> = []
  var violations: Set<Found> = []
  var waiting: Set<Waiting> = []
  /// Entries of which it is told at some time that the vehicle ought to have left.
  var overdue: Set<ContentKey> = []

  /// What the whole set comes to at once.
  init(
    _ observations: [Observation], _ corrections: [ReceivedCorrection], _ places: JudgedPlaces,
    at now: WallTime
  ) {
    var records: [ContentKey: PassageRecord] = [:]
    for observation in observations {
      if records[observation.key]?.add(observation) == nil {
        records[observation.key] = PassageRecord(
          number: Int64(records.count) + 1, first: observation)
      }
    }
    for key in records.keys {
      for correction in corrections
      where records[key]?.identities.contains(correction.clientID) == true {
        _ = records[key]?.add(correction)
      }
    }
    let judgement = TravelJudgement(all: Array(records.values), places: places)
    for passage in judgement.passages {
      passages[passage.records.map(\.received).sorted()] = passage.content
    }
    for travel in judgement.travels {
      pairs.insert(Pair(entry: travel.entry.place, exit: travel.exit.place))
    }
    for travel in judgement.travels + judgement.turns {
      guard let finding = ViolationFinding(travel) else { continue }
      violations.insert(
        Found(
          kind: finding.kind, entry: travel.entry.place, exit: travel.exit.place,
          seconds: finding.seconds, limitSeconds: finding.limitSeconds, doubts: finding.doubts))
    }
    fill(judgement.waiting, at: now)
    overdue = Set(
      judgement.waiting.filter { ($0.dueAt..<$0.expiresAt).contains(now.epochSeconds) }.map(\.place)
    )
  }

  /// What stands in a centre; call its `tick` before.
  init(_ centre: IncrementalCentre) {
    var members: [Int64: [PassageRecord]] = [:]
    for (number, row) in centre.rows {
      if let record = centre.records[number] { members[row, default: []].append(record) }
    }
    var places: [Int64: ContentKey] = [:]
    for (row, records) in members {
      let passages = PassageRecognition.passages(of: records) { _ in .max }
      guard passages.count == 1, let passage = passages.first, passage.row == row else { continue }
      places[row] = passage.place
      self.passages[records.map(\.received).sorted()] = passage.content
    }
    for pair in centre.pairs {
      if let entry = places[pair.entry], let exit = places[pair.exit] {
        pairs.insert(Pair(entry: entry, exit: exit))
      }
    }
    for violation in centre.violations.values where !violation.isRetracted {
      let finding = violation.finding
      if let entry = places[finding.entry.row], let exit = places[finding.exit.row] {
        violations.insert(
          Found(
            kind: finding.kind, entry: entry, exit: exit, seconds: finding.seconds,
            limitSeconds: finding.limitSeconds, doubts: finding.doubts))
      }
    }
    fill(Array(centre.waiting.values), at: centre.now)
    overdue = Set(centre.alerts.values.filter { $0.ending == nil }.map(\.entry.place))
  }

  private mutating func fill(_ entries: [WaitingEntry], at now: WallTime) {
    waiting = Set(
      entries.map { Waiting(entry: $0.place, dueAt: $0.dueAt, expiresAt: $0.expiresAt) })
  }

  /// Where the two differ, in words for a test that failed.
  func differences(from other: JudgingStory) -> [String] {
    var words: [String] = []
    if passages != other.passages {
      words.append("passages \(passages.count) and \(other.passages.count)")
    }
    if pairs != other.pairs {
      words.append("pairs \(pairs.symmetricDifference(other.pairs).map(\.words))")
    }
    if violations != other.violations {
      words.append("violations \(violations.symmetricDifference(other.violations))")
    }
    if waiting != other.waiting {
      words.append("waiting \(waiting.symmetricDifference(other.waiting))")
    }
    if overdue != other.overdue {
      words.append("overdue \(overdue.symmetricDifference(other.overdue))")
    }
    return words
  }
}

extension JudgingStory.Pair {
  var words: String { "\(entry.plate) \(entry.post) \(entry.second) to \(exit.second)" }
}
