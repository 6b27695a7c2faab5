public import Passages

/// A user of the server, with the post and the segment that are his.
public struct ServerProfile: Hashable, Sendable, Codable {
  /// The server's name of the user: the `ranger_id` of what is recorded.
  public var userID: String
  /// What people call the user.
  public var fullName: String
  /// `ranger` or `admin`.
  public var role: String
  /// Whether the user may still work.
  public var isActive: Bool
  /// The post that the user is assigned to; nil for none.
  public var post: ServerPost?
  /// The segment of that post.
  public var segment: ServerSegment?
  /// The number of the ranger's phone; nil where the server has none.
  public var phone: String?

  /// A user.
  public init(
    userID: String, fullName: String, role: String, isActive: Bool, post: ServerPost?,
    segment: ServerSegment?, phone: String? = nil
  ) {
    self.userID = userID
    self.fullName = fullName
    self.role = role
    self.isActive = isActive
    self.post = post
    self.segment = segment
    self.phone = phone
  }
}

/// A post as the server knows it.
public struct ServerPost: Hashable, Sendable, Codable {
  /// The server's name of it.
  public var id: String
  /// What texts call it: `BNP-A`.
  public var code: String
  /// What people call it.
  public var name: String
  /// Which end of the segment it stands at: 0 or 1.
  public var position: Int

  /// A post.
  public init(id: String, code: String, name: String, position: Int) {
    self.id = id
    self.code = code
    self.name = name
    self.position = position
  }
}

/// A segment as the server knows it.
public struct ServerSegment: Hashable, Sendable, Codable {
  /// The server's name of it.
  public var id: String
  /// What people call it.
  public var name: String
  /// Its length in kilometres.
  public var distanceKilometres: Double
  /// The slowest speed that is not an overstay, in kilometres an hour.
  public var minimumKilometresPerHour: Double
  /// The speed limit in kilometres an hour.
  public var maximumKilometresPerHour: Double

  /// A segment.
  public init(
    id: String, name: String, distanceKilometres: Double, minimumKilometresPerHour: Double,
    maximumKilometresPerHour: Double
  ) {
    self.id = id
    self.name = name
    self.distanceKilometres = distanceKilometres
    self.minimumKilometresPerHour = minimumKilometresPerHour
    self.maximumKilometresPerHour = maximumKilometresPerHour
  }

  /// The same with its numbers checked, for judging by.
  ///
  /// - Throws: `SegmentError` that names the number that is wrong.
  public func checked() throws(SegmentError) -> Segment {
    try Segment(
      name: name, distanceKilometres: distanceKilometres,
      minimumKilometresPerHour: minimumKilometresPerHour,
      maximumKilometresPerHour: maximumKilometresPerHour)
  }
}

/// What the server told of where this node stands, kept so that a node without a line knows it too.
public struct PostDirectory: Hashable, Sendable, Codable {
  /// The user with post and segment.
  public var profile: ServerProfile
  /// The post at the other end of the segment; nil when there is none.
  public var opposite: ServerPost?

  /// What the server told.
  public init(profile: ServerProfile, opposite: ServerPost?) {
    self.profile = profile
    self.opposite = opposite
  }

  /// What the server calls this place; nil while the user has no post.
  public var place: ServerPlace? {
    guard let post = profile.post, let segment = profile.segment else { return nil }
    return ServerPlace(checkpostID: post.id, segmentID: segment.id, rangerID: profile.userID)
  }
}
