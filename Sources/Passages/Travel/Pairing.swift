import Time

/// Finds the travels in a set of passages.
///
/// What comes out depends on the set alone and never on the order in which it arrived: texts overtake
/// each other by hours, and a rule that looks at what is there when a passage comes in makes
/// violations that never were.
public enum Pairing {
  /// Two passages that are one travel, by their places in what was handed in.
  public struct Pair: Hashable, Sendable {
    /// The earlier one.
    public var entry: Int
    /// The one at the other end, at the same moment or later.
    public var exit: Int

    /// A pair of two places.
    public init(entry: Int, exit: Int) {
      self.entry = entry
      self.exit = exit
    }
  }

  /// Pairs passages: of each vehicle on each segment, in order of time, a passage goes with the next
  /// one when that is at the other end and no further off than a travel can be. One passage is in one
  /// travel at most.
  ///
  /// Of several passages at one post that follow each other, as when two rangers record one vehicle,
  /// the last goes with the first at the other post: the two nearest in time.
  ///
  /// - Returns: the travels in order of their entry.
  public static func pairs(passages: [Passage], segments: [Route]) -> [Travel] {
    var places: [CheckpostCode: Int] = [:]
    for (index, route) in segments.enumerated() {
      for post in route.posts { places[post] = index }
    }
    var seen: [[Int]] = Array(repeating: [], count: segments.count)
    for (index, passage) in passages.enumerated() {
      if let route = places[passage.checkpost] { seen[route].append(index) }
    }
    var travels: [Travel] = []
    for (route, indices) in zip(segments, seen) {
      for pair in pairs(of: indices.map { Sighting(passages[$0]) }, on: route.segment) {
        let (entry, exit) = (passages[indices[pair.entry]], passages[indices[pair.exit]])
        let seconds = exit.recordedAt.epochSeconds - entry.recordedAt.epochSeconds
        travels.append(
          Travel(
            entry: entry, exit: exit, segment: route.segment, seconds: seconds,
            verdict: SpeedCheck.judge(travelSeconds: seconds, on: route.segment)))
      }
    }
    return travels.sorted { left, right in
      (left.entry.recordedAt, left.entry.clientID) < (right.entry.recordedAt, right.entry.clientID)
    }
  }

  /// Pairs what was seen at the two ends of one segment, by the same rule.
  ///
  /// - Returns: the pairs, those of one vehicle in order of time.
  public static func pairs(of sightings: [Sighting], on segment: Segment) -> [Pair] {
    let longest = longest(on: segment)
    return pairs(of: sightings, within: { _ in longest }) { $0 == $1 ? nil : segment }.map {
      $0.pair
    }
  }

  /// Pairs what was seen at the ends of segments that hang together by their posts: a passage goes with the next one
  /// where a segment lies between. It ends one travel and begins one at most, and never both on one segment.
  ///
  /// - Parameters:
  ///   - longest: Seconds after which two passages are no longer one travel, by segment.
  ///   - between: The segment between two posts, by their codes; nil where there is none.
  /// - Returns: the pairs with their segments, those of one vehicle in order of time.
  public static func pairs<Stretch: Equatable>(
    of sightings: [Sighting], within longest: (Stretch) -> Int64,
    between: (String, String) -> Stretch?
  ) -> [(pair: Pair, stretch: Stretch)] {
    let order = sightings.indices.sorted { sightings[$0] < sightings[$1] }
    var pairs: [(pair: Pair, stretch: Stretch)] = []
    for (entry, exit) in zip(order, order.dropFirst()) {
      let (first, second) = (sightings[entry], sightings[exit])
      guard first.plate == second.plate, let stretch = between(first.post, second.post),
        second.second - first.second <= longest(stretch)
      else { continue }
      if let last = pairs.last, last.pair.exit == entry, last.stretch == stretch { continue }
      pairs.append((Pair(entry: entry, exit: exit), stretch))
    }
    return pairs
  }

  /// Seconds after which two passages are no longer one travel.
  public static func longest(on segment: Segment) -> Int64 {
    max(Limits.travelSeconds, 2 * (segment.distanceMetres * 3_600 / segment.minimumMetresPerHour))
  }
}
