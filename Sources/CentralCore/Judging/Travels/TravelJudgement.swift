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
  /// Some of those that follow them: these are not judged, and say what the last ones are to be held for.
  public var following: [PassageRecord]
  /// Whether nothing follows them for as long as an exit is waited for.
  public var endsInGap: Bool

  /// Records of a vehicle at a place.
  public init(
    place: JudgedPlace, records: [PassageRecord], following: [PassageRecord] = [],
    endsInGap: Bool = true
  ) {
    self.place = place
    self.records = records
    self.following = following
    self.endsInGap = endsInGap
  }

  /// The records of a span, out of those that were read for it.
  public init(
    place: JudgedPlace, read: [PassageRecord], within seconds: ClosedRange<Int64>, endsInGap: Bool
  ) {
    self.init(
      place: place, records: read.filter { seconds.contains($0.place.second) },
      following: read.filter { $0.place.second > seconds.upperBound }, endsInGap: endsInGap)
  }
}

/// The passages and travels of vehicles, as they follow from the set of records alone: never from the
/// order in which those came.
public struct TravelJudgement: Hashable, Sendable {
  /// The passages, vehicle by vehicle in order of time.
  public private(set) var passages: [RecognisedPassage] = []
  /// The travels in the order of their entries.
  public private(set) var travels: [JudgedTravel] = []
  /// Long stays whose exit is also the entry of an ordinary travel back, in the order of their entries. They are no
  /// pairs; a person has to say whether the vehicle stayed, or left unseen and came again.
  public private(set) var turns: [JudgedTravel] = []
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
      let following = PassageRecognition.passages(of: vehicle.following) { _ in place.rangerWindow }
      pair(
        recognised.filter(\.isDated), before: following.filter(\.isDated), of: vehicle,
        rules: rules)
    }
  }

  private struct Vehicle: Hashable {
    var posts: [CheckpostCode]
    var plate: String
  }

  /// Pairs the passages of a vehicle with those that follow them. A passage ends one travel at most and begins one at
  /// most, and not both on one segment: there the nearest two go together, as a post has it.
  ///
  /// What can change nothing that is proven is left out at first. Then it is put in: where it lies within a travel it
  /// is a passage and a doubt, and goes with nothing; what lies between the travels is paired with what is left.
  private mutating func pair(
    _ passages: [RecognisedPassage], before following: [RecognisedPassage],
    of vehicle: VehicleRecords, rules: JudgingRules
  ) {
    let all = passages + following
    var followed = FollowedPassages(all.filter(\.isFounded), at: vehicle.place)
    followed.pair()
    if followed.passages.count < all.count {
      followed = followed.joined(with: all)
      followed.pair()
    }
    let judged = Set(passages.map(\.row))
    for (index, passage) in followed.passages.enumerated() where judged.contains(passage.row) {
      if let stretch = followed.begun[index] ?? followed.turned[index],
        let exit = followed.exits[index]
      {
        let travel = JudgedTravel(
          entry: passage, exit: followed.passages[exit], on: stretch.segment, rules: rules,
          marks: JudgedTravel.Marks(
            isCrossed: followed.crossed.contains(index), isTurn: followed.begun[index] == nil))
        if followed.begun[index] == nil { turns.append(travel) } else { travels.append(travel) }
      } else if let entry = waiting(passage, at: index, of: followed, vehicle) {
        waiting.append(entry)
      }
    }
  }

  /// An entry without an exit after which nothing was seen of the vehicle; nil of any other. On the segment that it came
  /// over it is not awaited again.
  private func waiting(
    _ passage: RecognisedPassage, at index: Int, of followed: FollowedPassages,
    _ vehicle: VehicleRecords
  ) -> WaitingEntry? {
    let place = vehicle.place
    // Where it may have gone several ways, the slowest of them counts; and nobody waits for it at an end where nobody
    // stands any more.
    var ahead: [(stretch: JudgedPlace.Stretch, due: Int64)] = []
    for stretch in place.stretches
    where stretch.isHeld(by: passage.place.post, at: passage.earliest)
      && stretch.segment.name != followed.ended[index]?.segment.name
    {
      let due = SpeedCheck.firstOverstay(on: stretch.segment.held(at: passage.earliest))
      guard let opposite = stretch.opposite(passage.place.post),
        stretch.isHeld(by: opposite, at: passage.latest + due)
      else { continue }
      ahead.append((stretch, due))
    }
    let next = followed.next(after: index, on: ahead.map(\.stretch)).map { followed.passages[$0] }
    if let next, next.place.plate == passage.place.plate {
      guard next.earliest - passage.latest > place.pairingWindow else { return nil }
    } else if !vehicle.endsInGap {
      return nil
    }
    guard let last = ahead.map(\.due).max(),
      let stretch = ahead.first(where: { $0.due == last })?.stretch,
      let opposite = stretch.opposite(passage.place.post)
    else { return nil }
    return WaitingEntry(
      row: passage.row, place: passage.place, opposite: opposite, dueAt: passage.latest + last,
      expiresAt: passage.latest + max(stretch.pairingWindow(from: passage.earliest), last))
  }
}
