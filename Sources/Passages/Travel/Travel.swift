import Time

/// A segment with the posts at its ends.
public struct Route: Hashable, Sendable {
  /// The stretch of road, with its length and its speeds.
  public var segment: Segment
  /// The posts at its ends, two of them, in the order of their places.
  public var posts: [CheckpostCode]
  /// From which second until which each of these stood there.
  public var held: [Range<Int64>]

  /// Of a post that always stood there.
  public static let always = Int64.min..<Int64.max

  /// A segment with its posts.
  ///
  /// - Parameter held: From which second until which each of these stood there; both always, where nobody says.
  public init(
    segment: Segment, posts: [CheckpostCode], held: [Range<Int64>] = [always, always]
  ) {
    self.segment = segment
    self.posts = posts
    self.held = held
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

  /// A travel of its values.
  public init(
    entry: Passage, exit: Passage, segment: Segment, seconds: Int64, verdict: SpeedVerdict
  ) {
    self.entry = entry
    self.exit = exit
    self.segment = segment
    self.seconds = seconds
    self.verdict = verdict
  }

  /// The mean speed in kilometres an hour; nil when no time passed.
  public var kilometresPerHour: Double? {
    SpeedCheck.kilometresPerHour(travelSeconds: seconds, on: segment)
  }
}

/// A vehicle at an end of a segment: what pairing looks at, whatever it was made of.
public struct Sighting: Hashable, Comparable, Sendable {
  /// The plate, compact.
  public var plate: String
  /// When it was seen, in whole seconds since 1970.
  public var second: Int64
  /// The code of the post.
  public var post: String
  /// The identity of the passage.
  public var clientID: ClientID

  /// A vehicle at an end of a segment.
  public init(plate: String, second: Int64, post: String, clientID: ClientID) {
    self.plate = plate
    self.second = second
    self.post = post
    self.clientID = clientID
  }

  /// A passage as pairing sees it.
  public init(_ passage: Passage) {
    self.init(
      plate: passage.plate.compact, second: passage.recordedAt.epochSeconds,
      post: passage.checkpost.code, clientID: passage.clientID)
  }

  /// The order of pairing: those of one vehicle together, in order of time.
  public static func < (left: Sighting, right: Sighting) -> Bool {
    if left.plate != right.plate { return left.plate < right.plate }
    if left.second != right.second { return left.second < right.second }
    if left.post != right.post { return left.post < right.post }
    return left.clientID < right.clientID
  }
}
