public import Passages
public import Time

/// What the configuration says about warning on the spot.
public struct MatchingRules: Hashable, Sendable {
  /// The segment with its speeds, for where the server tells of none.
  public var segment: Segment?
  /// The post that this node stands at, for where the server does not tell.
  public var ownPost: CheckpostCode?
  /// The post at the other end, for where the server does not tell.
  public var oppositePost: CheckpostCode?
  /// The numbers that the opposite post texts from.
  public var oppositeNumbers: [String] = []
  /// Whether texts of passages are taken from whoever sends them.
  public var takesTextsOfAnyone = false

  /// The rules with every setting at its default.
  public init() {}

  /// Whether what that number texts is taken as the word of the opposite post. Numbers are compared by
  /// their last digits, as networks write them with and without the country code.
  func trusts(_ sender: String) -> Bool {
    if takesTextsOfAnyone { return true }
    let tail = phoneTail(sender)
    guard tail.utf8.count == Limits.phoneTail else { return oppositeNumbers.contains(sender) }
    return oppositeNumbers.contains { phoneTail($0) == tail }
  }
}

/// Where passages are matched: a segment, and which of its ends is ours.
public struct MatchingPlace: Hashable, Sendable {
  /// The stretch of road, with its speeds.
  public var segment: Segment
  /// The post that this node stands at; nil when nobody said, and then every passage of ours is there.
  public var ownPost: CheckpostCode?
  /// The post at the other end; nil when nobody said.
  public var oppositePost: CheckpostCode?

  /// A place.
  public init(segment: Segment, ownPost: CheckpostCode?, oppositePost: CheckpostCode?) {
    self.segment = segment
    self.ownPost = ownPost
    self.oppositePost = oppositePost
  }

  /// The place that the server told of, and what it did not tell from the configuration; nil while nobody
  /// tells how long the segment is.
  public init?(_ directory: PostDirectory?, rules: MatchingRules) {
    let told = directory.flatMap { try? $0.profile.segment?.checked() }
    guard let segment = told ?? rules.segment else { return nil }
    self.init(
      segment: segment,
      ownPost: directory?.profile.post.flatMap { try? CheckpostCode($0.code) } ?? rules.ownPost,
      oppositePost: directory?.opposite.flatMap { try? CheckpostCode($0.code) }
        ?? rules.oppositePost)
  }

  /// The slowest travel that is none too slow, in whole seconds.
  public var slowestTravel: Duration {
    .seconds(segment.distanceMetres * 3_600 / segment.minimumMetresPerHour)
  }

  /// The moment before which a passage of the opposite post is of no use here any more.
  ///
  /// - Parameter buffer: how much longer than the slowest travel they are kept.
  public func cutoff(at now: WallTime, buffer: Duration) -> WallTime {
    now - slowestTravel - buffer
  }

  /// How far back passages of one vehicle are looked at: the pairs of the last of them depend on those
  /// before only while no time between two is too long for a travel.
  public var reach: Duration { .seconds(4 * Pairing.longest(on: segment)) }

  /// A passage of ours as pairing sees it; nil for one that is at neither end or has no time.
  func sighting(_ passage: Passage) -> Sighting? {
    guard !passage.isUndated else { return nil }
    guard let ownPost else { return Sighting(passage) }
    return passage.checkpost == ownPost || passage.checkpost == oppositePost
      ? Sighting(passage) : nil
  }

  /// A passage of the opposite post as pairing sees it; nil for one that was recorded at ours.
  func sighting(_ remote: RemotePassage) -> Sighting? {
    if let post = remote.checkpost, post == ownPost { return nil }
    return Sighting(
      plate: remote.plate, second: remote.recordedAt.epochSeconds,
      post: (remote.checkpost ?? oppositePost)?.code ?? "", clientID: remote.clientID)
  }
}
