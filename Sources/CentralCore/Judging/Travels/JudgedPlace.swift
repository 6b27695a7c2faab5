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
    /// The posts at its ends.
    public let posts: [CheckpostCode]
    /// How far a passage and the next one at the other end may lie apart to be one travel, in seconds: at any time.
    public let pairingWindow: Int64
    /// Seconds within which that is so whatever was seen before: at any time.
    public let longest: Int64
    private let rule: Int64

    init(_ route: Route, rules: JudgingRules) {
      segment = route.segment
      posts = route.posts
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

  /// A segment with its posts.
  public init(_ route: Route, rules: JudgingRules) {
    self.init([route], rules: rules)
  }

  /// Segments that hang together by their posts.
  init(_ routes: [Route], rules: JudgingRules) {
    stretches = routes.map { Stretch($0, rules: rules) }.sorted {
      $0.segment.name < $1.segment.name
    }
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
    posts = [post]
    rangerWindow = rules.rangerWindow
    pairingWindow = rules.pairingWindow
  }

  /// The segment between two posts; nil where none lies between them. Of several the first by name.
  public func stretch(_ one: CheckpostCode, _ other: CheckpostCode) -> Stretch? {
    one == other ? nil : stretches.first { $0.posts.contains(one) && $0.posts.contains(other) }
  }

  /// The segment that a passage at a post is shown with: the first by name of those that the post ends.
  public func segment(of post: CheckpostCode) -> Segment? {
    stretches.first { $0.posts.contains(post) }?.segment
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
