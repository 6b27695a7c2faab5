extension Operations {
  /// Which passages were recorded last, or these ones, and what happens to them next?
  public struct Passages: ControlOperation {
    /// What the node has of them.
    public struct Answer: Codable, Hashable, Sendable {
      /// The passages, newest first.
      public var passages: [RecentPassage]
      /// The codes of the posts that the node's directory has; missing where it has none.
      public var posts: [String]?

      /// An answer.
      public init(passages: [RecentPassage], posts: [String]? = nil) {
        self.passages = passages
        self.posts = posts
      }
    }

    /// Its name in a request.
    public static let name = "passages"
    /// What is wrong with a request that lacks something.
    public static let isMissing = "last is a number, and queue_ids a list of numbers"
    /// The most that are told at once.
    public static let most = 200

    /// The newest so many, at most ``most``.
    public var last: Int?
    /// Those with these numbers in the queue.
    public var queueIDs: [Int64]?

    private enum CodingKeys: String, CodingKey {
      case last
      case queueIDs = "queue_ids"
    }

    /// The newest passages, or those with these numbers.
    public init(last: Int? = nil, queueIDs: [Int64]? = nil) {
      self.last = last
      self.queueIDs = queueIDs
    }
  }

  /// What are rangers warned of?
  public struct Warnings: ControlOperation {
    /// The warnings.
    public struct Answer: Codable, Hashable, Sendable {
      /// Warnings, oldest first.
      public var warnings: [AlertReport]

      /// Warnings.
      public init(warnings: [AlertReport]) {
        self.warnings = warnings
      }
    }

    /// Its name in a request.
    public static let name = "warnings"
    /// Only those that stand: vehicles that are overdue and were not seen. Otherwise also those that are
    /// over, as far back as they are kept.
    public var open: Bool?

    /// The warnings.
    public init(isOpen: Bool = false) {
      open = isOpen
    }
  }
}

/// A passage as people at the post see it, with its plate.
public struct RecentPassage: Codable, Hashable, Sendable {
  /// Its number in the queue.
  public var queueID: Int64
  /// Its identity.
  public var clientID: String
  /// The plate, compact.
  public var plate: String
  /// The plate as it is read out.
  public var plateDisplay: String
  /// The plate as it was typed.
  public var plateRaw: String
  /// The type of the vehicle.
  public var vehicleType: String
  /// The post.
  public var checkpost: String
  /// When it passed, as RFC 3339 has it.
  public var recordedAt: String
  /// Whether nobody knows when it was.
  public var isUndated: Bool
  /// How it goes on: `server`, `text`, `time` (once its time is known), `none` (nothing takes it), `done`
  /// or `withdrawn`.
  public var next: String
  /// When, as RFC 3339 has it; nil for now, or when that takes more than time.
  public var nextAt: String?
  /// What it waits for, for people; nil when nothing keeps it.
  public var nextReason: String?

  private enum CodingKeys: String, CodingKey {
    case plate = "plate_number"
    case plateDisplay = "plate_display"
    case plateRaw = "plate_number_raw"
    case vehicleType = "vehicle_type"
    case recordedAt = "recorded_at"
    case isUndated = "undated"
    case nextAt = "next_at"
    case nextReason = "next_reason"
    case queueID = "queue_id"
    case clientID = "client_id"
    case checkpost, next
  }

  /// A passage.
  public init(
    queueID: Int64, clientID: String, plate: String, plateDisplay: String, plateRaw: String,
    vehicleType: String, checkpost: String, recordedAt: String, isUndated: Bool, next: String
  ) {
    self.queueID = queueID
    self.clientID = clientID
    self.plate = plate
    self.plateDisplay = plateDisplay
    self.plateRaw = plateRaw
    self.vehicleType = vehicleType
    self.checkpost = checkpost
    self.recordedAt = recordedAt
    self.isUndated = isUndated
    self.next = next
  }
}

/// Something that rangers are warned of on the spot, with the plate: for those at the post.
public struct AlertReport: Codable, Hashable, Sendable {
  /// `speeding`, `overstay` or `overdue`.
  public var kind: String
  /// The plate, compact.
  public var plate: String
  /// The plate as it is read out.
  public var plateDisplay: String
  /// The type of the vehicle; nil when unknown.
  public var vehicleType: String?
  /// What people call the segment.
  public var segment: String
  /// Where it came in; nil when unknown.
  public var entryCheckpost: String?
  /// When it came in, as RFC 3339 has it.
  public var entryAt: String
  /// How that is known: `here`, `server` or `text`, whose number can be forged.
  public var entryFrom: String
  /// Where it left; nil for one that is overdue.
  public var exitCheckpost: String?
  /// When it left, as RFC 3339 has it; nil for one that is overdue.
  public var exitAt: String?
  /// The passage by which it was found: that at its exit, or that at its entry for one that is overdue.
  public var clientID: String
  /// How long it took, or has been inside, in seconds.
  public var travelSeconds: Int64
  /// How long it should have taken at least (speeding) or at most, in seconds.
  public var limitSeconds: Int64
  /// How fast it was on average; nil for one that is overdue.
  public var speedKMH: Double?
  /// How fast the limit is; nil for one that is overdue.
  public var limitKMH: Double?
  /// When it should have left at the latest, as RFC 3339 has it; for one that is overdue.
  public var dueAt: String?
  /// Whether it would be the same if the clocks were as far apart as they may be.
  public var isSure: Bool
  /// How far the posts' clocks may be apart, in seconds; nil when nobody compared them.
  public var doubtSeconds: Int64?
  /// When it was found, as RFC 3339 has it.
  public var raisedAt: String
  /// How it ended: `seen`, `settled` or `expired`; nil while it stands, and for what cannot end.
  public var ending: String?

  private enum CodingKeys: String, CodingKey {
    case kind, segment, ending
    case plate = "plate_number"
    case plateDisplay = "plate_display"
    case vehicleType = "vehicle_type"
    case entryCheckpost = "entry_checkpost"
    case entryAt = "entry_at"
    case entryFrom = "entry_from"
    case exitCheckpost = "exit_checkpost"
    case exitAt = "exit_at"
    case clientID = "client_id"
    case travelSeconds = "travel_seconds"
    case limitSeconds = "limit_seconds"
    case speedKMH = "speed_kmh"
    case limitKMH = "limit_kmh"
    case dueAt = "due_at"
    case isSure = "sure"
    case doubtSeconds = "doubt_seconds"
    case raisedAt = "raised_at"
  }

  /// A warning with what every one has.
  public init(
    kind: String, plate: String, plateDisplay: String, segment: String, entryAt: String,
    entryFrom: String, clientID: String, travelSeconds: Int64, limitSeconds: Int64, isSure: Bool,
    raisedAt: String
  ) {
    self.kind = kind
    self.plate = plate
    self.plateDisplay = plateDisplay
    self.segment = segment
    self.entryAt = entryAt
    self.entryFrom = entryFrom
    self.clientID = clientID
    self.travelSeconds = travelSeconds
    self.limitSeconds = limitSeconds
    self.isSure = isSure
    self.raisedAt = raisedAt
  }
}

extension Operations {
  /// Which vehicles that came in at the other post are on their way here?
  public struct Expected: ControlOperation {
    /// The vehicles.
    public struct Answer: Codable, Hashable, Sendable {
      /// The vehicles, those that came in first before the others.
      public var vehicles: [ExpectedReport]

      /// Vehicles.
      public init(vehicles: [ExpectedReport]) {
        self.vehicles = vehicles
      }
    }

    /// Its name in a request.
    public static let name = "expected"
    /// Only those whose plates end so, compact; nil for all.
    public var ending: String?

    /// Vehicles whose plates end so; nil for all.
    public init(ending: String? = nil) {
      self.ending = ending
    }
  }
}

/// A vehicle that came in at the other post and has not been seen here.
public struct ExpectedReport: Codable, Hashable, Sendable {
  /// The plate, compact.
  public var plate: String
  /// The plate as it is read out.
  public var plateDisplay: String
  /// The type of the vehicle; nil when unknown.
  public var vehicleType: String?
  /// Where it came in; nil when unknown.
  public var entryCheckpost: String?
  /// When it came in, as RFC 3339 has it.
  public var entryAt: String
  /// How that is known: `server`, or `text`, whose number can be forged.
  public var entryFrom: String
  /// Before this moment it is too fast, as RFC 3339 has it.
  public var notBefore: String
  /// After this moment it is too slow, as RFC 3339 has it.
  public var notAfter: String

  private enum CodingKeys: String, CodingKey {
    case plate = "plate_number"
    case plateDisplay = "plate_display"
    case vehicleType = "vehicle_type"
    case entryCheckpost = "entry_checkpost"
    case entryAt = "entry_at"
    case entryFrom = "entry_from"
    case notBefore = "not_before"
    case notAfter = "not_after"
  }

  /// A vehicle on its way.
  public init(
    plate: String, plateDisplay: String, vehicleType: String?, entryCheckpost: String?,
    entryAt: String, entryFrom: String, notBefore: String, notAfter: String
  ) {
    self.plate = plate
    self.plateDisplay = plateDisplay
    self.vehicleType = vehicleType
    self.entryCheckpost = entryCheckpost
    self.entryAt = entryAt
    self.entryFrom = entryFrom
    self.notBefore = notBefore
    self.notAfter = notAfter
  }
}
