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

/// Where passages are matched: a segment and which of its ends is ours, or several that our post ends.
public struct MatchingPlace: Hashable, Sendable {
  /// A segment that our post ends, with the post at its other end.
  public struct Stretch: Hashable, Sendable {
    /// The stretch of road, with its speeds.
    public var segment: Segment
    /// The post at the other end; nil when nobody said.
    public var oppositePost: CheckpostCode?

    /// A segment with its other end.
    public init(segment: Segment, oppositePost: CheckpostCode?) {
      self.segment = segment
      self.oppositePost = oppositePost
    }
  }

  /// The stretch of road, with its speeds.
  public var segment: Segment
  /// The post that this node stands at; nil when nobody said, and then every passage of ours is there.
  public var ownPost: CheckpostCode?
  /// The post at the other end; nil when nobody said.
  public var oppositePost: CheckpostCode?
  /// The further segments that our post ends, as the middle one of three on a road; none nearly always.
  public var further: [Stretch]

  /// A place.
  public init(
    segment: Segment, ownPost: CheckpostCode?, oppositePost: CheckpostCode?,
    further: [Stretch] = []
  ) {
    self.segment = segment
    self.ownPost = ownPost
    self.oppositePost = oppositePost
    self.further = further
  }

  /// All segments that our post ends, the one of its own row first.
  public var stretches: [Stretch] {
    [Stretch(segment: segment, oppositePost: oppositePost)] + further
  }

  /// The posts at the other ends, as far as they are known.
  public var oppositePosts: [CheckpostCode] { stretches.compactMap(\.oppositePost) }

  /// The segment that leads to a post; the first one where nobody said which post that is, or who stands at the
  /// other ends.
  public func stretch(to post: CheckpostCode?) -> Stretch {
    let stretches = stretches
    return post.flatMap { post in stretches.first { $0.oppositePost == post } } ?? stretches[0]
  }

  /// The segment between two posts, by their codes; nil where none of ours lies between them.
  func stretch(between one: String, and other: String) -> Stretch? {
    guard one != other else { return nil }
    if further.isEmpty { return stretch(to: nil) }
    let stretches = stretches
    func leads(from post: String, to end: String) -> Stretch? {
      let isOwn =
        ownPost.map { $0.code == post }
        ?? !stretches.contains { $0.oppositePost?.code == post }
      return isOwn ? stretches.first { $0.oppositePost?.code == end } : nil
    }
    return leads(from: one, to: other) ?? leads(from: other, to: one)
  }

  /// The place that the server told of, and what it did not tell from the configuration; nil while nobody
  /// tells how long the segment is.
  public init?(_ directory: PostDirectory?, rules: MatchingRules) {
    let told = directory.flatMap { try? $0.profile.segment?.checked() }
    guard let segment = told ?? rules.segment else { return nil }
    // One whose numbers cannot be judged by is none.
    let further = (directory?.further ?? []).compactMap { told in
      (try? told.segment.checked()).map { segment in
        Stretch(
          segment: segment,
          oppositePost: told.opposite.flatMap { try? CheckpostCode($0.code) })
      }
    }
    self.init(
      segment: segment,
      ownPost: directory?.profile.post.flatMap { try? CheckpostCode($0.code) } ?? rules.ownPost,
      oppositePost: directory?.opposite.flatMap { try? CheckpostCode($0.code) }
        ?? rules.oppositePost,
      further: further)
  }

  /// The slowest travel that is none too slow, in whole seconds; of several segments the slowest of all.
  public var slowestTravel: Duration {
    stretches.map(\.slowestTravel).max() ?? .zero
  }

  /// Seconds for which a vehicle that entered is waited for, on any of the segments.
  public var waits: Int64 { stretches.map(\.waits).max() ?? 0 }

  /// The moment before which a passage of the opposite post is of no use here any more. A vehicle that
  /// is waited for is warned of when it leaves.
  ///
  /// - Parameter buffer: how much longer than the slowest travel they are kept, where that is more than ``waits``.
  public func cutoff(at now: WallTime, buffer: Duration) -> WallTime {
    now - max(slowestTravel + buffer, .seconds(waits))
  }

  /// The moment from which passages are asked for at each look: most vehicles that come have entered since.
  ///
  /// - Parameter buffer: how much longer than the slowest travel.
  func nearCutoff(at now: WallTime, buffer: Duration) -> WallTime {
    now - slowestTravel - buffer
  }

  /// How far back passages of one vehicle are looked at: the pairs of the last of them depend on those
  /// before only while no time between two is too long for a travel.
  public var reach: Duration { .seconds(waits + 4 * (stretches.map(\.longest).max() ?? 0)) }

  /// A passage of ours as pairing sees it; nil for one that is at neither end or has no time.
  func sighting(_ passage: Passage) -> Sighting? {
    guard !passage.isUndated else { return nil }
    guard let ownPost else { return Sighting(passage) }
    return passage.checkpost == ownPost || oppositePosts.contains(passage.checkpost)
      ? Sighting(passage) : nil
  }

  /// A passage of the opposite post as pairing sees it; nil for one that was recorded at ours.
  func sighting(_ remote: RemotePassage) -> Sighting? {
    if let post = remote.checkpost, post == ownPost { return nil }
    // With several segments a passage of nobody knows which post says nothing of a way.
    let post = remote.checkpost ?? (further.isEmpty ? oppositePost : nil)
    return Sighting(
      plate: remote.plate, second: remote.recordedAt.epochSeconds, post: post?.code ?? "",
      clientID: remote.clientID)
  }
}

extension MatchingPlace.Stretch {
  /// The slowest travel that is none too slow, in whole seconds.
  public var slowestTravel: Duration {
    .seconds(segment.distanceMetres * 3_600 / segment.minimumMetresPerHour)
  }

  /// Seconds after which two passages are no longer one travel where others lie near.
  public var longest: Int64 { Pairing.longest(on: segment) }

  /// Seconds for which a vehicle that entered is waited for: a day, so that one that stays over night is listed
  /// and warned of when it leaves, or ``longest`` on a long road. Central pairs over a longer time.
  public var waits: Int64 { max(longest, NodeCore.Limits.waits) }
}
