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
  /// The server's names of all segments that it ends; nil where the server knows of one alone.
  public var segmentIDs: [String]?

  /// A post.
  public init(
    id: String, code: String, name: String, position: Int, segmentIDs: [String]? = nil
  ) {
    self.id = id
    self.code = code
    self.name = name
    self.position = position
    self.segmentIDs = segmentIDs
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
  /// The server's names of the posts at its ends; nil where the server does not tell.
  public var checkpostIDs: [String]?

  /// A segment.
  public init(
    id: String, name: String, distanceKilometres: Double, minimumKilometresPerHour: Double,
    maximumKilometresPerHour: Double, checkpostIDs: [String]? = nil
  ) {
    self.id = id
    self.name = name
    self.distanceKilometres = distanceKilometres
    self.minimumKilometresPerHour = minimumKilometresPerHour
    self.maximumKilometresPerHour = maximumKilometresPerHour
    self.checkpostIDs = checkpostIDs
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
public struct PostDirectory: Hashable, Sendable {
  /// A segment that the post ends beside that of its profile.
  public struct FurtherSegment: Hashable, Sendable, Codable {
    /// The segment.
    public var segment: ServerSegment
    /// The post at its other end; nil when there is none.
    public var opposite: ServerPost?

    /// A further segment.
    public init(segment: ServerSegment, opposite: ServerPost?) {
      self.segment = segment
      self.opposite = opposite
    }
  }

  /// The user with post and segment.
  public var profile: ServerProfile
  /// The post at the other end of the segment; nil when there is none.
  public var opposite: ServerPost?
  /// The further segments that the post ends, as the middle one of three on a road; none nearly always, and of
  /// a server that knows one segment of a post alone.
  public var further: [FurtherSegment]

  /// What the server told.
  public init(
    profile: ServerProfile, opposite: ServerPost?, further: [FurtherSegment] = []
  ) {
    self.profile = profile
    self.opposite = opposite
    self.further = further
  }

  /// The posts at the other ends of the segments.
  public var opposites: [ServerPost] {
    [opposite].compactMap { $0 } + further.compactMap(\.opposite)
  }

  /// What the server calls this place; nil while the user has no post.
  public var place: ServerPlace? {
    guard let post = profile.post, let segment = profile.segment else { return nil }
    return ServerPlace(checkpostID: post.id, segmentID: segment.id, rangerID: profile.userID)
  }
}

extension PostDirectory: Codable {
  private enum CodingKeys: String, CodingKey {
    case profile, opposite, further
  }

  /// Reads what was kept, also by a version that knew of one segment alone.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      profile: try values.decode(ServerProfile.self, forKey: .profile),
      opposite: try values.decodeIfPresent(ServerPost.self, forKey: .opposite),
      further: try values.decodeIfPresent([FurtherSegment].self, forKey: .further) ?? [])
  }
}
