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
  /// The travel that a passage is a part of; nil for one without a partner.
  ///
  /// It is found in all that is known of the vehicle and not in what came first, by the code that the
  /// office uses, so that passages which overtake each other change nothing.
  public func travel(of client: ClientID, in history: VehicleHistory) -> SpotTravel? {
    let seen = Seen(history, at: self)
    let pair = Pairing.pairs(of: seen.sightings, on: segment).first {
      seen.sightings[$0.entry].clientID == client || seen.sightings[$0.exit].clientID == client
    }
    guard let pair else { return nil }
    let (entry, exit) = (seen.sightings[pair.entry], seen.sightings[pair.exit])
    return SpotTravel(
      plate: entry.plate, vehicleType: seen.types[pair.exit] ?? seen.types[pair.entry],
      entry: seen.ends[pair.entry], exit: seen.ends[pair.exit], segment: segment,
      seconds: exit.second - entry.second)
  }

  /// Whether a passage was recorded at one end of the segment, at a time that is known.
  public func isAtAnEnd(_ passage: Passage) -> Bool { sighting(passage) != nil }

  /// Whether a vehicle that came in by the opposite post has not been seen since, at either end.
  public func isInside(_ remote: RemotePassage, in history: VehicleHistory) -> Bool {
    let seen = Seen(history, at: self)
    guard let last = seen.sightings.indices.max(by: { seen.sightings[$0] < seen.sightings[$1] }),
      seen.sightings[last].clientID == remote.clientID
    else { return false }
    return !Pairing.pairs(of: seen.sightings, on: segment).contains { $0.exit == last }
  }

  /// The passages in a form that pairing takes, each once: one that is known in two ways counts as the
  /// one that was recorded here.
  private struct Seen {
    var sightings: [Sighting] = []
    var ends: [AlertEnd] = []
    var types: [VehicleType?] = []

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
