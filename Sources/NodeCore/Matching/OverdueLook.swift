public import Passages
public import Time

/// Which vehicles that came in by the opposite post ought to have left by now, as far as that end tells.
public struct OverdueLook: Hashable, Sendable {
  /// The last passage of each vehicle whose time is up, those that came in first before the others.
  /// Whether it has been seen at this end is still to be looked at.
  public var candidates: [RemotePassage] = []
  /// When the time of the next one is up; nil when there is none.
  public var next: WallTime?

  /// Looks at the passages of the opposite post.
  ///
  /// - Parameter told: entries that were told of already.
  public init(
    _ remote: [RemotePassage], told: Set<ClientID>, at place: MatchingPlace, now: WallTime
  ) {
    var last: [String: (sighting: Sighting, passage: RemotePassage)] = [:]
    for passage in remote {
      guard let sighting = place.sighting(passage) else { continue }
      if let known = last[passage.plate], sighting < known.sighting { continue }
      last[passage.plate] = (sighting, passage)
    }
    for (sighting, passage) in last.values {
      let stretch = place.stretch(to: passage.checkpost)
      let due = sighting.second + SpeedCheck.firstOverstay(on: stretch.segment)
      if due > now.epochSeconds {
        let moment = WallTime(epochSeconds: due)
        next = next.map { min($0, moment) } ?? moment
      } else if now.epochSeconds - sighting.second <= stretch.waits,
        !told.contains(passage.clientID)
      {
        candidates.append(passage)
      }
    }
    candidates.sort { ($0.recordedAt, $0.clientID) < ($1.recordedAt, $1.clientID) }
  }
}

extension MatchingPlace {
  /// The warning that a vehicle ought to have left by now.
  public func overdue(_ remote: RemotePassage, at now: WallTime, doubt: Int64?) -> TravelAlert {
    let stretch = stretch(to: remote.checkpost)
    return TravelAlert(
      kind: .overdue, plate: remote.plate, vehicleType: remote.vehicleType,
      entry: AlertEnd(remote, at: self), exit: nil, segment: stretch.segment.name,
      seconds: now.epochSeconds - remote.recordedAt.epochSeconds,
      limitSeconds: stretch.slowestTravel.wholeSeconds, doubtSeconds: doubt, raisedAt: now)
  }
}
