public import Passages
import Time

/// A segment with the posts at its ends.
public struct Route: Hashable, Sendable {
  /// The stretch of road, with its length and its speeds.
  public var segment: Segment
  /// The posts at its ends, two of them, in the order of their places.
  public var posts: [CheckpostCode]

  /// A segment with its posts.
  public init(segment: Segment, posts: [CheckpostCode]) {
    self.segment = segment
    self.posts = posts
  }
}

/// One vehicle's way over one segment: seen at one end and then at the other.
public struct Travel: Hashable, Sendable {
  /// The passage at the end that the vehicle was seen at first.
  public var entry: Passage
  /// The passage at the other end, at the same moment or later.
  public var exit: Passage
  /// The segment between the two.
  public var segment: Segment
  /// Whole seconds between the two; not negative.
  public var seconds: Int64
  /// What the time means.
  public var verdict: SpeedVerdict

  /// The mean speed in kilometres an hour; nil when no time passed.
  public var kilometresPerHour: Double? {
    SpeedCheck.kilometresPerHour(travelSeconds: seconds, on: segment)
  }
}

/// Finds the travels in a set of passages.
///
/// What comes out depends on the set alone and never on the order in which it arrived: texts overtake
/// each other by hours, and a rule that looks at what is there when a passage comes in makes
/// violations that never were.
public enum Pairing {
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
    var seen: [Seen] = []
    seen.reserveCapacity(passages.count)
    for (index, passage) in passages.enumerated() {
      guard let route = places[passage.checkpost] else { continue }
      seen.append(
        Seen(
          route: route, plate: passage.plate.compact, second: passage.recordedAt.epochSeconds,
          post: passage.checkpost, clientID: passage.clientID, index: index))
    }
    seen.sort()
    var travels: [Travel] = []
    var position = 0
    while position + 1 < seen.count {
      let (first, second) = (seen[position], seen[position + 1])
      let route = segments[first.route]
      let seconds = second.second - first.second
      guard first.route == second.route, first.plate == second.plate, first.post != second.post,
        seconds <= longest(route.segment)
      else {
        position += 1
        continue
      }
      travels.append(
        Travel(
          entry: passages[first.index], exit: passages[second.index], segment: route.segment,
          seconds: seconds, verdict: SpeedCheck.judge(travelSeconds: seconds, on: route.segment)))
      position += 2
    }
    return travels.sorted { left, right in
      (left.entry.recordedAt, left.entry.clientID) < (right.entry.recordedAt, right.entry.clientID)
    }
  }

  /// Seconds after which two passages are no longer one travel.
  static func longest(_ segment: Segment) -> Int64 {
    max(Limits.travelSeconds, 2 * (segment.distanceMetres * 3_600 / segment.minimumMetresPerHour))
  }

  /// A passage in the order of pairing.
  private struct Seen: Comparable {
    let route: Int
    let plate: String
    let second: Int64
    let post: CheckpostCode
    let clientID: ClientID
    let index: Int

    static func < (left: Seen, right: Seen) -> Bool {
      if left.route != right.route { return left.route < right.route }
      if left.plate != right.plate { return left.plate < right.plate }
      if left.second != right.second { return left.second < right.second }
      if left.post != right.post { return left.post < right.post }
      return left.clientID < right.clientID
    }
  }
}
