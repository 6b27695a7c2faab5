public import Passages
public import Time

/// What is known here of one vehicle.
public struct VehicleHistory: Hashable, Sendable {
  /// Its passages at the opposite post.
  public var remote: [RemotePassage]
  /// Its passages that were recorded here.
  public var own: [Passage]

  /// What is known of a vehicle.
  public init(remote: [RemotePassage], own: [Passage]) {
    self.remote = remote
    self.own = own
  }
}

/// A vehicle's way over the segment, as it was put together here.
public struct SpotTravel: Hashable, Sendable {
  /// The plate, compact.
  public var plate: String
  /// The kind of vehicle, when known.
  public var vehicleType: VehicleType?
  /// Where it was seen first.
  public var entry: AlertEnd
  /// Where it was seen then.
  public var exit: AlertEnd
  /// The segment between.
  public var segment: Segment
  /// Whole seconds between the two.
  public var seconds: Int64

  /// What the time means.
  public var verdict: SpeedVerdict { SpeedCheck.judge(travelSeconds: seconds, on: segment) }

  /// The warning that it calls for; nil for a travel that was neither too fast nor too slow.
  ///
  /// - Parameter doubt: how far the clocks of the two posts may be apart, in seconds; nil when nobody
  ///   knows.
  public func alert(at now: WallTime, doubt: Int64?) -> TravelAlert? {
    let (kind, limit): (TravelAlert.Kind, Int64)
    switch verdict {
    case .normal: return nil
    case .speeding(let fastest): (kind, limit) = (.speeding, fastest)
    case .overstay(let slowest): (kind, limit) = (.overstay, slowest)
    }
    return TravelAlert(
      kind: kind, plate: plate, vehicleType: vehicleType, entry: entry, exit: exit,
      segment: segment.name, seconds: seconds, limitSeconds: limit,
      kilometresPerHour: SpeedCheck.kilometresPerHour(travelSeconds: seconds, on: segment),
      doubtSeconds: doubt, raisedAt: now)
  }
}

extension MatchingPlace {
  /// The travels that a passage is a part of: none without a partner, and two at a post that ends several segments,
  /// where it may end one travel and begin the next.
  ///
  /// It is found in all that is known of the vehicle and not in what came first, by the code that the
  /// office uses, so that passages which overtake each other change nothing.
  public func travels(of client: ClientID, in history: VehicleHistory) -> [SpotTravel] {
    let seen = Seen(history, at: self)
    return pairs(of: seen).compactMap { found in
      let (entry, exit) = (seen.sightings[found.pair.entry], seen.sightings[found.pair.exit])
      guard entry.clientID == client || exit.clientID == client else { return nil }
      return SpotTravel(
        plate: entry.plate,
        vehicleType: seen.types[found.pair.exit] ?? seen.types[found.pair.entry],
        entry: seen.ends[found.pair.entry], exit: seen.ends[found.pair.exit],
        segment: found.stretch.segment, seconds: exit.second - entry.second)
    }
  }

  /// Near pairs first, as central does it, then what is left: a passage of an opposite post and the next one of its
  /// vehicle, which is ours, for as long as a vehicle is waited for. The other way round that is not known here:
  /// passages of the opposite post leave this machine once they have a partner, so that one of ours may be the exit
  /// of a way that is forgotten.
  private func pairs(of seen: Seen) -> [(pair: Pairing.Pair, stretch: Stretch)] {
    let sightings = seen.sightings
    let near = Pairing.pairs(of: sightings, within: \.longest) { stretch(between: $0, and: $1) }
    let order = sightings.indices.sorted { sightings[$0] < sightings[$1] }
    var all = near
    for (entry, exit) in zip(order, order.dropFirst()) {
      guard entry >= seen.ownCount, exit < seen.ownCount,
        let stretch = stretch(between: sightings[entry].post, and: sightings[exit].post),
        sightings[exit].second - sightings[entry].second <= stretch.waits
      else { continue }
      let isTaken = near.contains { found in
        found.stretch == stretch
          && ([entry, exit].contains(found.pair.entry) || [entry, exit].contains(found.pair.exit))
      }
      if !isTaken { all.append((Pairing.Pair(entry: entry, exit: exit), stretch)) }
    }
    return all
  }

  /// Whether a passage was recorded at an end of the segments, at a time that is known.
  public func isAtAnEnd(_ passage: Passage) -> Bool { sighting(passage) != nil }

  /// Whether a vehicle that came in by an opposite post has not been seen since, at any end.
  public func isInside(_ remote: RemotePassage, in history: VehicleHistory) -> Bool {
    let seen = Seen(history, at: self)
    guard let last = seen.sightings.indices.max(by: { seen.sightings[$0] < seen.sightings[$1] }),
      seen.sightings[last].clientID == remote.clientID
    else { return false }
    return !pairs(of: seen).contains { $0.pair.exit == last }
  }

  /// The passages in a form that pairing takes, each once: one that is known in two ways counts as the
  /// one that was recorded here.
  private struct Seen {
    var sightings: [Sighting] = []
    var ends: [AlertEnd] = []
    var types: [VehicleType?] = []
    /// How many of them were recorded here; these come first.
    var ownCount = 0

    init(_ history: VehicleHistory, at place: MatchingPlace) {
      var known: Set<ClientID> = []
      for passage in history.own {
        guard let sighting = place.sighting(passage), known.insert(passage.clientID).inserted else {
          continue
        }
        sightings.append(sighting)
        ends.append(AlertEnd(passage))
        types.append(passage.vehicleType)
      }
      ownCount = sightings.count
      for remote in history.remote {
        guard let sighting = place.sighting(remote), known.insert(remote.clientID).inserted else {
          continue
        }
        sightings.append(sighting)
        ends.append(AlertEnd(remote, at: place))
        types.append(remote.vehicleType)
      }
    }
  }
}
