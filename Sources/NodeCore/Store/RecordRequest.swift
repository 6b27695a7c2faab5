public import Passages

/// What came of recording one passage.
public enum RecordOutcome: Hashable, Sendable {
  /// It is in the queue, under this number.
  case recorded(ClientID, queueID: Int64)
  /// The same passage is there already: a button pressed twice, a file read twice. Nothing was
  /// changed, and it keeps the identity it was given first.
  case alreadyRecorded(ClientID, queueID: Int64)
  /// The identity belongs to another passage, which was not touched; this one was not recorded.
  case identityTaken(ClientID)

  /// The identity that the passage is known under here.
  public var clientID: ClientID {
    switch self {
    case .recorded(let id, _), .alreadyRecorded(let id, _), .identityTaken(let id): id
    }
  }

  /// Its number in the queue; nil when it is not there.
  public var queueID: Int64? {
    switch self {
    case .recorded(_, let number), .alreadyRecorded(_, let number): number
    case .identityTaken: nil
    }
  }
}

extension Passage {
  /// The passage as that ranger recorded it; nil where it cannot be, as nobody knows its time.
  ///
  /// - Parameter keepsIdentity: Whether its identity was given and stays; one by content follows the content.
  public func recorded(by suffix: PhoneSuffix, keepsIdentity: Bool) -> Passage? {
    guard !isUndated else { return nil }
    let identity = keepsIdentity || contentClientID != nil ? clientID : nil
    var named = try? Passage(
      recording: plate, vehicleType: vehicleType, checkpost: checkpost, recordedAt: recordedAt,
      suffix: suffix, identity: identity, segment: segment, ranger: ranger, photoPath: photoPath)
    named?.source = source
    return named
  }
}

/// A passage to be recorded, and how its identity came about.
public struct RecordRequest: Hashable, Sendable {
  /// The passage, with its identity and its frozen V1 body.
  public var passage: Passage
  /// Whether the identity was given by the client. Then it is kept for ever, also beside another
  /// passage with the same content; otherwise the same content is the same passage.
  public var hasGivenIdentity: Bool
  /// How urgent its text is, 0 to 2: the more urgent go first, and among equals the oldest.
  public var priority: Int
  /// Its photograph, which lies in the directory of photographs already; nil without one. The passage's
  /// own ``Passages/Passage/photoPath`` has the same name then.
  public var photo: StoredPhoto?
  /// Why the photograph that was taken of it is not kept, in words without the name of a file; nil when it is,
  /// or when there was none.
  public var photoLeftOut: String?
  /// By what its time was known when it was read from the machine's clock; nil for one that was handed in.
  public var clock: ClockSource?
  /// How many seconds that clock was ahead, where the time was put right by what somebody told; nil otherwise.
  public var clockAhead: Int64?

  /// The priority of a passage of which nothing is said.
  public static let standardPriority = 1

  /// A passage to be recorded.
  public init(
    _ passage: Passage, hasGivenIdentity: Bool = false, priority: Int = standardPriority,
    photo: StoredPhoto? = nil, clock: ClockSource? = nil
  ) {
    self.passage = passage
    self.clock = clock
    self.photo = photo
    self.hasGivenIdentity = hasGivenIdentity
    self.priority = min(max(priority, Limits.priorities.lowerBound), Limits.priorities.upperBound)
  }
}
