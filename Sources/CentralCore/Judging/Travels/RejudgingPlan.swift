import Passages

/// What has to be judged again after some records came or changed: each vehicle at each place once, however
/// many of its records did. A store collects a whole batch in it and judges once.
public struct RejudgingPlan: Hashable, Sendable {
  /// A vehicle at a place.
  public struct Vehicle: Hashable, Comparable, Sendable {
    /// The plate, compact.
    public var plate: String
    /// Which of its records have to be read; it has the place.
    public var span: RejudgingSpan

    /// By plate, then by posts. Whoever locks vehicles takes them in this order, and nobody waits for one
    /// who waits for them.
    public static func < (left: Vehicle, right: Vehicle) -> Bool {
      if left.plate != right.plate { return left.plate < right.plate }
      return left.span.place.posts.lexicographicallyPrecedes(right.span.place.posts)
    }
  }

  private let places: JudgedPlaces
  private var seconds: [Key: ClosedRange<Int64>] = [:]

  private struct Key: Hashable {
    var posts: [CheckpostCode]
    var plate: String
  }

  /// Nothing has to be judged yet.
  public init(places: JudgedPlaces) {
    self.places = places
  }

  /// A record came or changed: both where it was and where it is are judged again.
  ///
  /// - Parameters:
  ///   - before: Where, which vehicle and when it was; nil of a new one.
  ///   - after: Where, which vehicle and when it is.
  public mutating func change(from before: ContentKey?, to after: ContentKey) {
    for key in [before, after].compactMap({ $0 }) {
      let vehicle = Key(posts: places.place(of: key.post).posts, plate: key.plate)
      let known = seconds[vehicle] ?? key.second...key.second
      seconds[vehicle] =
        min(known.lowerBound, key.second)...max(known.upperBound, key.second)
    }
  }

  /// What has to be judged again, in the order in which it is to be locked.
  public var vehicles: [Vehicle] {
    seconds.map { key, seconds in
      Vehicle(
        plate: key.plate,
        span: RejudgingSpan(changed: seconds, place: places.place(of: key.posts[0])))
    }.sorted()
  }

  /// Whether nothing has to be judged.
  public var isEmpty: Bool { seconds.isEmpty }
}
