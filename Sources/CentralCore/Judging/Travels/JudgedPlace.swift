public import Passages

/// Where passages are judged together: a segment with its two posts, or a post that belongs to none.
public struct JudgedPlace: Hashable, Sendable {
  /// The segment; nil of a post on none, where passages are recognised and not paired.
  public let segment: Segment?
  /// The posts at its ends, or the one.
  public let posts: [CheckpostCode]
  /// How long a passage is open to what another ranger writes down of it, in seconds: less than a vehicle
  /// needs to the other end and back.
  public let rangerWindow: Int64
  /// How far a passage and the next one at the other end may lie apart to be one travel, in seconds.
  public let pairingWindow: Int64

  /// A segment with its posts.
  public init(_ route: Route, rules: JudgingRules) {
    let segment = route.segment
    let fastest = (segment.distanceMetres * 3_600 - 1) / segment.maximumMetresPerHour + 1
    self.segment = segment
    posts = route.posts
    rangerWindow = min(rules.rangerWindow, fastest)
    pairingWindow = max(
      rules.pairingWindows[segment.name] ?? rules.pairingWindow, Pairing.longest(on: segment))
  }

  /// A post that belongs to no segment.
  public init(alone post: CheckpostCode, rules: JudgingRules) {
    segment = nil
    posts = [post]
    rangerWindow = rules.rangerWindow
    pairingWindow = rules.pairingWindow
  }

  /// The post at the other end; nil where there is none.
  public func opposite(_ post: CheckpostCode) -> CheckpostCode? {
    segment == nil || !posts.contains(post) ? nil : posts.first { $0 != post }
  }
}

/// Every place at which passages are judged, arranged for looking up.
public struct JudgedPlaces: Hashable, Sendable {
  /// The rules that they follow.
  public let rules: JudgingRules
  private var places: [CheckpostCode: JudgedPlace] = [:]

  /// The places of a directory.
  public init(_ routes: [Route], rules: JudgingRules) {
    self.rules = rules
    for route in routes {
      let place = JudgedPlace(route, rules: rules)
      for post in route.posts { places[post] = place }
    }
  }

  /// The place that a post belongs to.
  public func place(of post: CheckpostCode) -> JudgedPlace {
    places[post] ?? JudgedPlace(alone: post, rules: rules)
  }
}
