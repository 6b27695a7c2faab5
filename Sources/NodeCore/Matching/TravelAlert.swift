public import Passages
public import Time

/// Something that rangers are warned of on the spot, at once, from what is known here. What counts in the
/// end is what the server or the office judges.
public struct TravelAlert: Hashable, Sendable, Codable {
  /// What the warning is about.
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    /// The vehicle was faster than the limit.
    case speeding
    /// It took longer than the slowest travel.
    case overstay
    /// It ought to have left by now, and has not been seen at this end.
    case overdue
  }

  /// How a warning that a vehicle is overdue came to an end.
  public enum Ending: String, CaseIterable, Hashable, Sendable, Codable {
    /// The vehicle was seen here.
    case seen
    /// The server no longer waits for it.
    case settled
    /// Nobody saw it for as long as it is waited for, or too many that came in later are overdue, too.
    case expired
  }

  /// What it is about.
  public var kind: Kind
  /// The plate, compact.
  public var plate: String
  /// The kind of vehicle, when known.
  public var vehicleType: VehicleType?
  /// Where and when the vehicle came in.
  public var entry: AlertEnd
  /// Where and when it left; nil for one that is overdue.
  public var exit: AlertEnd?
  /// What people call the segment.
  public var segment: String
  /// How long it took; how long it has been since its entry, for one that is overdue.
  public var seconds: Int64
  /// How long it should have taken at least (speeding) or at most.
  public var limitSeconds: Int64
  /// The mean speed in kilometres an hour; nil when no time passed, or it is still on its way.
  public var kilometresPerHour: Double?
  /// How far the clocks of the two posts may be apart, in seconds; nil when nobody knows.
  public var doubtSeconds: Int64?
  /// When it was found.
  public var raisedAt: WallTime
  /// How it came to an end, for one that is overdue.
  public var ending: Ending?
  /// When it came to an end.
  public var endedAt: WallTime?

  /// Whether a vehicle is still being waited for.
  public var isOpen: Bool { kind == .overdue && ending == nil }

  /// Whether it would be the same if the clocks were as far apart as they may be.
  public var isSure: Bool {
    guard let doubtSeconds else { return false }
    return switch kind {
    case .speeding: seconds + SpeedCheck.tolerance + doubtSeconds < limitSeconds
    case .overstay, .overdue: seconds - SpeedCheck.tolerance - doubtSeconds > limitSeconds
    }
  }

  /// What makes it the same warning when it is found once more.
  var key: Key { Key(kind: kind, passage: exit?.clientID ?? entry.clientID) }

  struct Key: Hashable {
    var kind: Kind
    var passage: ClientID
  }
}

/// One end of a travel that is warned of.
public struct AlertEnd: Hashable, Sendable {
  /// How a passage is known here.
  public enum Origin: String, CaseIterable, Hashable, Sendable, Codable {
    /// It was recorded by this node.
    case here
    /// The server told of it.
    case server
    /// A text of the opposite post told of it. The number of its sender can be forged.
    case text
  }

  /// The identity of the passage.
  public var clientID: ClientID
  /// The server's name of it, when known.
  public var serverID: String?
  /// The code of the post, when known.
  public var checkpost: String?
  /// When it was recorded.
  public var recordedAt: WallTime
  /// How it is known here.
  public var origin: Origin

  /// An end of a travel.
  public init(
    clientID: ClientID, serverID: String?, checkpost: String?, recordedAt: WallTime, origin: Origin
  ) {
    self.clientID = clientID
    self.serverID = serverID
    self.checkpost = checkpost
    self.recordedAt = recordedAt
    self.origin = origin
  }

  init(_ passage: Passage) {
    self.init(
      clientID: passage.clientID, serverID: nil, checkpost: passage.checkpost.code,
      recordedAt: passage.recordedAt, origin: .here)
  }

  init(_ remote: RemotePassage, at place: MatchingPlace) {
    self.init(
      clientID: remote.clientID, serverID: remote.serverID,
      checkpost: (remote.checkpost ?? place.oppositePost)?.code, recordedAt: remote.recordedAt,
      origin: remote.origin == .server ? .server : .text)
  }
}

extension AlertEnd: Codable {
  private enum CodingKeys: String, CodingKey {
    case clientID, serverID, checkpost, recordedAt, origin
  }

  /// Reads an end of a travel.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let identity = try values.decode(String.self, forKey: .clientID)
    guard let client = ClientID(identity) else {
      throw DecodingError.dataCorruptedError(
        forKey: .clientID, in: values, debugDescription: "no identity of a passage")
    }
    self.init(
      clientID: client, serverID: try values.decodeIfPresent(String.self, forKey: .serverID),
      checkpost: try values.decodeIfPresent(String.self, forKey: .checkpost),
      recordedAt: try values.decode(WallTime.self, forKey: .recordedAt),
      origin: try values.decode(Origin.self, forKey: .origin))
  }

  /// Writes the end of a travel.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(clientID.description, forKey: .clientID)
    try values.encodeIfPresent(serverID, forKey: .serverID)
    try values.encodeIfPresent(checkpost, forKey: .checkpost)
    try values.encode(recordedAt, forKey: .recordedAt)
    try values.encode(origin, forKey: .origin)
  }
}
