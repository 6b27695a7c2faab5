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
      guard let segment = place.segment else { continue }
      pair(recognised.filter(\.isDated), of: vehicle, on: segment, rules: rules)
    }
  }

  private struct Vehicle: Hashable {
    var posts: [CheckpostCode]
    var plate: String
  }

  private mutating func pair(
    _ passages: [RecognisedPassage], of vehicle: VehicleRecords, on segment: Segment,
    rules: JudgingRules
  ) {
    var partner = [Int?](repeating: nil, count: passages.count)
    // First as a post does it, so that the two say the same of what both know.
    for pair in Pairing.pairs(of: passages.compactMap(\.sighting), on: segment) {
      partner[pair.entry] = pair.exit
      partner[pair.exit] = pair.entry
    }
    // Then what stayed long: the next one at the other end, with no passage between.
    for index in passages.indices.dropLast()
    where partner[index] == nil && partner[index + 1] == nil {
      let (first, second) = (passages[index].place, passages[index + 1].place)
      guard first.plate == second.plate, first.post != second.post,
        second.second - first.second <= vehicle.place.pairingWindow
      else { continue }
      partner[index] = index + 1
      partner[index + 1] = index
    }
    for (index, passage) in passages.enumerated() {
      if let other = partner[index] {
        guard other > index else { continue }
        travels.append(
          JudgedTravel(entry: passage, exit: passages[other], on: segment, rules: rules))
      } else if let entry = waiting(passage, at: index, of: passages, vehicle, segment) {
        waiting.append(entry)
      }
    }
  }

  /// An entry without an exit after which nothing was seen of the vehicle; nil of any other.
  private func waiting(
    _ passage: RecognisedPassage, at index: Int, of passages: [RecognisedPassage],
    _ vehicle: VehicleRecords, _ segment: Segment
  ) -> WaitingEntry? {
    let window = vehicle.place.pairingWindow
    let next = index + 1 < passages.count ? passages[index + 1] : nil
    if let next, next.place.plate == passage.place.plate {
      guard next.earliest - passage.latest > window else { return nil }
    } else if !vehicle.endsInGap {
      return nil
    }
    guard let opposite = vehicle.place.opposite(passage.place.post) else { return nil }
    return WaitingEntry(
      row: passage.row, place: passage.place, opposite: opposite,
      dueAt: passage.latest + SpeedCheck.firstOverstay(on: segment),
      expiresAt: passage.latest + window)
  }
}

extension RecognisedPassage {
  /// The passage as pairing sees it. No two of one vehicle at one post have the same second, so the identity
  /// decides nothing.
  fileprivate var sighting: Sighting? {
    let place = place
    return records[0].identities.first.map {
      Sighting(plate: place.plate, second: place.second, post: place.post.code, clientID: $0)
    }
  }
}
