public import Passages

/// Where passages are judged together: posts on one road with the segments between them, or a post that belongs to
/// none.
///
/// Nearly always that is a segment with its two posts. Where a post ends several segments, as the middle one of three
/// on a road, all of them are one place: a vehicle that is seen at the third post in between has not travelled from
/// the first to the second.
public struct JudgedPlace: Hashable, Sendable {
  /// A segment of the place, with how long an exit is waited for on it.
  public struct Stretch: Hashable, Sendable {
    /// The segment.
    public let segment: Segment
    /// The posts at its ends. Where others stood there at other times, that is a stretch of its own.
    public let posts: [CheckpostCode]
    /// From which second until which each of them stood there.
    let held: [Range<Int64>]
    /// How far a passage and the next one at the other end may lie apart to be one travel, in seconds: at any time.
    public let pairingWindow: Int64
    /// Seconds within which that is so whatever was seen before: at any time.
    public let longest: Int64
    private let rule: Int64

    init(_ route: Route, rules: JudgingRules) {
      segment = route.segment
      posts = route.posts
      held = route.held
      rule = rules.pairingWindows[route.segment.name] ?? rules.pairingWindow
      longest = route.segment.versions.map { Pairing.longest(on: $0) }.max() ?? 0
      pairingWindow = max(rule, longest)
    }

    /// ``longest`` of a travel that begins at a second.
    func longest(from second: Int64) -> Int64 {
      segment.earlier.isEmpty ? longest : Pairing.longest(on: segment.held(at: second))
    }

    /// ``pairingWindow`` of a travel that begins at a second.
    func pairingWindow(from second: Int64) -> Int64 {
      segment.earlier.isEmpty ? pairingWindow : max(rule, longest(from: second))
    }

    /// The post at the other end; nil of one that stands at none.
    public func opposite(_ post: CheckpostCode) -> CheckpostCode? {
      posts.contains(post) ? posts.first { $0 != post } : nil
    }

    /// Whether a post stood at one of its ends at a second.
    func isHeld(by post: CheckpostCode, at second: Int64) -> Bool {
      zip(posts, held).contains { $0 == post && $1.contains(second) }
    }

    /// A segment with who stood at its ends, and when, in no order.
    struct Ends: Hashable {
      var segment: Segment
      var stays: Set<Stay>
    }

    /// From when until when a post stood at an end.
    struct Stay: Hashable {
      var post: CheckpostCode
      var seconds: Range<Int64>
    }

    var stays: [Stay] { zip(posts, held).map { Stay(post: $0, seconds: $1) } }

    /// In which order they are asked: by name, then by time.
    fileprivate static func isBefore(_ left: Stretch, _ right: Stretch) -> Bool {
      guard left.segment.name == right.segment.name else {
        return left.segment.name < right.segment.name
      }
      let (one, other) = (left.held.map(\.lowerBound), right.held.map(\.lowerBound))
      return one == other
        ? left.posts.lexicographicallyPrecedes(right.posts) : one.lexicographicallyPrecedes(other)
    }
  }

  /// The segments, by name; none of a post that belongs to none, where passages are recognised and not paired.
  public let stretches: [Stretch]
  /// The posts at their ends, or the one.
  public let posts: [CheckpostCode]
  /// How long a passage is open to what another ranger writes down of it, in seconds: less than a vehicle
  /// needs to the nearest other end and back.
  public let rangerWindow: Int64
  /// How far a passage and the next one at another post may lie apart at most to be one travel, in seconds.
  public let pairingWindow: Int64
  /// Which posts hung together at which time, where one of them ever stood elsewhere; nil where none did.
  private let roads: JudgedRoads?

  /// Whether one of its posts ever stood elsewhere.
  var isMoved: Bool { roads != nil }

  /// A segment with its posts.
  public init(_ route: Route, rules: JudgingRules) {
    self.init([route], rules: rules)
  }

  /// Segments that hang together by their posts.
  init(_ routes: [Route], rules: JudgingRules) {
    stretches = routes.map { Stretch($0, rules: rules) }.sorted(by: Stretch.isBefore)
    roads = JudgedRoads(routes)
    posts =
      routes.count == 1 ? routes[0].posts : Set(routes.flatMap(\.posts)).sorted()
    let fastest = stretches.flatMap(\.segment.versions).map { segment in
      (segment.distanceMetres * 3_600 - 1) / segment.maximumMetresPerHour + 1
    }
    rangerWindow = min(rules.rangerWindow, fastest.min() ?? rules.rangerWindow)
    pairingWindow = stretches.map(\.pairingWindow).max() ?? rules.pairingWindow
  }

  /// A post that belongs to no segment.
  public init(alone post: CheckpostCode, rules: JudgingRules) {
    stretches = []
    roads = nil
    posts = [post]
    rangerWindow = rules.rangerWindow
    pairingWindow = rules.pairingWindow
  }

  /// The segment between two posts, each at a second at which it stood there; nil where none lay between them. Of
  /// several the first by name.
  public func stretch(
    _ one: CheckpostCode, at first: Int64, _ other: CheckpostCode, at second: Int64
  ) -> Stretch? {
    one == other
      ? nil
      : stretches.first {
        $0.posts.contains(one) && $0.posts.contains(other)
          && (!isMoved || $0.isHeld(by: one, at: first) && $0.isHeld(by: other, at: second))
      }
  }

  /// The segment that a passage at a post is shown with: the first by name of those that the post ended at a second.
  public func segment(of post: CheckpostCode, at second: Int64) -> Segment? {
    stretches.first { $0.isHeld(by: post, at: second) }?.segment
  }

  /// Whether a post hung together with a segment at a second.
  func isJoined(_ post: CheckpostCode, with segment: String, at second: Int64) -> Bool {
    roads?.segments(of: post, at: second).contains(segment) ?? true
  }

  /// The posts that hung together with a segment at some time of these seconds.
  func posts(with segment: String, during seconds: ClosedRange<Int64>) -> [CheckpostCode] {
    guard let roads else { return posts }
    return posts.filter { roads.isJoined($0, with: segment, during: seconds) }
  }
}

/// Which posts hung together with which segments at which time.
struct JudgedRoads: Hashable, Sendable {
  /// The seconds from which on others did.
  private let changes: [Int64]
  /// Of each post the segments, before the first of these seconds and from each of them on.
  private let segments: [[CheckpostCode: Set<String>]]

  /// Those of routes that hang together at some time; nil where nothing of it ever changed.
  init?(_ routes: [Route]) {
    let bounds = Set(routes.flatMap { $0.held.flatMap { [$0.lowerBound, $0.upperBound] } })
      .subtracting([Int64.min, .max])
    guard !bounds.isEmpty else { return nil }
    changes = bounds.sorted()
    segments = ([Int64.min] + changes).map { second in
      JudgedRoads.joined(
        routes.flatMap { route in
          zip(route.posts, route.held).filter { $0.1.contains(second) }
            .map { (post: $0.0, segment: route.segment.name) }
        })
    }
  }

  /// The segments that hung together with a post at a second.
  func segments(of post: CheckpostCode, at second: Int64) -> Set<String> {
    segments[changes.count { $0 <= second }][post] ?? []
  }

  /// Whether they hung together at some time of these seconds.
  func isJoined(
    _ post: CheckpostCode, with segment: String, during seconds: ClosedRange<Int64>
  ) -> Bool {
    let first = changes.count { $0 <= seconds.lowerBound }
    let last = changes.count { $0 <= seconds.upperBound }
    return segments[first...last].contains { $0[post]?.contains(segment) ?? false }
  }

  /// Of each post the segments that are reached from it.
  private static func joined(
    _ ends: [(post: CheckpostCode, segment: String)]
  ) -> [CheckpostCode: Set<String>] {
    var reached: [CheckpostCode: Set<String>] = [:]
    for end in ends { reached[end.post, default: []].insert(end.segment) }
    var isDone = false
    while !isDone {
      isDone = true
      for (post, segments) in reached {
        let further = reached.values.filter { !$0.isDisjoint(with: segments) }
          .reduce(segments) { $0.union($1) }
        guard further.count > segments.count else { continue }
        reached[post] = further
        isDone = false
      }
    }
    return reached
  }
}

/// Every place at which passages are judged, arranged for looking up.
public struct JudgedPlaces: Hashable, Sendable {
  /// The rules that they follow.
  public let rules: JudgingRules
  private var places: [CheckpostCode: JudgedPlace] = [:]

  /// The places of a directory. All segments that hang together with one of these have to be among them.
  public init(_ routes: [Route], rules: JudgingRules) {
    self.rules = rules
    for routes in JudgedPlaces.joined(routes) {
      let place = JudgedPlace(routes, rules: rules)
      for post in place.posts { places[post] = place }
    }
  }

  /// The place that a post belongs to.
  public func place(of post: CheckpostCode) -> JudgedPlace {
    places[post] ?? JudgedPlace(alone: post, rules: rules)
  }

  /// Routes that share posts, together.
  private static func joined(_ routes: [Route]) -> [[Route]] {
    var groups: [[Route]] = []
    for route in routes {
      let touching = groups.indices.filter { index in
        groups[index].contains { !Set($0.posts).isDisjoint(with: route.posts) }
      }
      let group = touching.flatMap { groups[$0] } + [route]
      for index in touching.reversed() { groups.remove(at: index) }
      groups.append(group)
    }
    return groups
  }
}
