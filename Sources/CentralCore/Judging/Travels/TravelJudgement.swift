public import Passages

/// A passage after which the vehicle has not been seen: it entered, and its exit is awaited.
public struct WaitingEntry: Hashable, Sendable {
  /// The row of the passage.
  public var row: Int64
  /// Where, which vehicle, and when first.
  public var place: ContentKey
  /// The post at the other end.
  public var opposite: CheckpostCode
  /// The first second at which it has been inside for too long.
  public var dueAt: Int64
  /// The second from which nobody waits any longer.
  public var expiresAt: Int64

  /// An entry that waits.
  public init(
    row: Int64, place: ContentKey, opposite: CheckpostCode, dueAt: Int64, expiresAt: Int64
  ) {
    self.row = row
    self.place = place
    self.opposite = opposite
    self.dueAt = dueAt
    self.expiresAt = expiresAt
  }
}

/// Records of one vehicle at one place: all there are, or those that a ``RejudgingSpan`` asked for.
public struct VehicleRecords: Hashable, Sendable {
  /// The place.
  public var place: JudgedPlace
  /// The records.
  public var records: [PassageRecord]
  /// Whether nothing follows them for as long as an exit is waited for.
  public var endsInGap: Bool

  /// Records of a vehicle at a place.
  public init(place: JudgedPlace, records: [PassageRecord], endsInGap: Bool = true) {
    self.place = place
    self.records = records
    self.endsInGap = endsInGap
  }
}

/// The passages and travels of vehicles, as they follow from the set of records alone: never from the
/// order in which those came.
public struct TravelJudgement: Hashable, Sendable {
  /// The passages, vehicle by vehicle in order of time.
  public private(set) var passages: [RecognisedPassage] = []
  /// The travels in the order of their entries.
  public private(set) var travels: [JudgedTravel] = []
  /// Entries whose exit is awaited.
  public private(set) var waiting: [WaitingEntry] = []

  /// Judges all records that there are.
  public init(all records: [PassageRecord], places: JudgedPlaces) {
    var vehicles: [VehicleRecords] = []
    var indices: [Vehicle: Int] = [:]
    let placed = records.map { ($0.place, $0) }
    for (key, record) in placed.sorted(by: { ($0.0, $0.1.received) < ($1.0, $1.1.received) }) {
      let place = places.place(of: key.post)
      let vehicle = Vehicle(posts: place.posts, plate: key.plate)
      if let index = indices[vehicle] {
        vehicles[index].records.append(record)
      } else {
        indices[vehicle] = vehicles.count
        vehicles.append(VehicleRecords(place: place, records: [record]))
      }
    }
    self.init(again: vehicles, rules: places.rules)
  }

  /// Judges again what may have changed. A correction that takes a passage from one vehicle to another
  /// changes both: they are handed in together, so that what moved is seen as moved.
  ///
  /// - Parameter vehicles: Of each vehicle and place that something changed of, the records that its
  ///   ``RejudgingSpan`` asked for.
  public init(again vehicles: [VehicleRecords], rules: JudgingRules) {
    for vehicle in vehicles {
      let place = vehicle.place
      let recognised = PassageRecognition.passages(of: vehicle.records) { _ in place.rangerWindow }
      passages += recognised
      guard !place.stretches.isEmpty else { continue }
      pair(recognised.filter(\.isDated), of: vehicle, rules: rules)
    }
  }

  private struct Vehicle: Hashable {
    var posts: [CheckpostCode]
    var plate: String
  }

  /// Pairs the passages of a vehicle with those that follow them. A passage ends one travel at most and begins one at
  /// most, and not both on one segment: there the nearest two go together, as a post has it.
  private mutating func pair(
    _ passages: [RecognisedPassage], of vehicle: VehicleRecords, rules: JudgingRules
  ) {
    var followed = FollowedPassages(passages, at: vehicle.place)
    // First as a post does it, so that the two say the same of what both know.
    followed.pair { $0.longest }
    // Then what stayed long: the next one at the other end, with no passage between.
    followed.pair { $0.pairingWindow }
    for (index, passage) in passages.enumerated() {
      if let stretch = followed.begun[index] {
        travels.append(
          JudgedTravel(
            entry: passage, exit: passages[index + 1], on: stretch.segment, rules: rules))
      } else if let entry = waiting(
        passage, at: index, of: passages, vehicle, ended: followed.ended[index])
      {
        waiting.append(entry)
      }
    }
  }

  /// An entry without an exit after which nothing was seen of the vehicle; nil of any other.
  ///
  /// - Parameter ended: The segment that it came over; on that one it is not awaited again.
  private func waiting(
    _ passage: RecognisedPassage, at index: Int, of passages: [RecognisedPassage],
    _ vehicle: VehicleRecords, ended: JudgedPlace.Stretch?
  ) -> WaitingEntry? {
    let window = vehicle.place.pairingWindow
    let next = index + 1 < passages.count ? passages[index + 1] : nil
    if let next, next.place.plate == passage.place.plate {
      guard next.earliest - passage.latest > window else { return nil }
    } else if !vehicle.endsInGap {
      return nil
    }
    // Where it may have gone several ways, the slowest of them counts.
    let ahead = vehicle.place.stretches.filter { stretch in
      stretch.posts.contains(passage.place.post) && stretch != ended
    }.map { (stretch: $0, due: SpeedCheck.firstOverstay(on: $0.segment)) }
    guard let last = ahead.map(\.due).max(),
      let stretch = ahead.first(where: { $0.due == last })?.stretch,
      let opposite = stretch.opposite(passage.place.post)
    else { return nil }
    return WaitingEntry(
      row: passage.row, place: passage.place, opposite: opposite, dueAt: passage.latest + last,
      expiresAt: passage.latest + max(stretch.pairingWindow, last))
  }
}

/// Passages in order of time, with the segments over which each was followed by the next one.
private struct FollowedPassages {
  private let passages: [RecognisedPassage]
  private let place: JudgedPlace
  /// Of each passage the segment of the travel that it begins, with the next one.
  private(set) var begun: [JudgedPlace.Stretch?]
  /// Of each passage the segment of the travel that it ends.
  private(set) var ended: [JudgedPlace.Stretch?]

  init(_ passages: [RecognisedPassage], at place: JudgedPlace) {
    self.passages = passages
    self.place = place
    begun = Array(repeating: nil, count: passages.count)
    ended = begun
  }

  /// Pairs those that are not paired yet and follow each other within a time.
  mutating func pair(within limit: (JudgedPlace.Stretch) -> Int64) {
    for index in passages.indices.dropLast() where begun[index] == nil {
      let (first, second) = (passages[index].place, passages[index + 1].place)
      guard first.plate == second.plate, let stretch = place.stretch(first.post, second.post),
        second.second - first.second <= limit(stretch),
        ended[index] != stretch, begun[index + 1] != stretch
      else { continue }
      begun[index] = stretch
      ended[index + 1] = stretch
    }
  }
}
