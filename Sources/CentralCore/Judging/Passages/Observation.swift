public import Passages
public import Time

/// One report of a passage, as it came by whichever channel. The same passage comes several times: as a
/// text, as an upload, as each again, from two rangers.
public struct Observation: Hashable, Sendable {
  /// How it came.
  public enum Channel: String, CaseIterable, Hashable, Sendable, Codable {
    /// Handed in over HTTP.
    case upload
    /// Put in by an operator.
    case operated = "operator"
    /// A text.
    case text
  }

  /// The identity that it came under.
  public var clientID: ClientID
  /// Where the vehicle passed.
  public var post: CheckpostCode
  /// The vehicle.
  public var plate: Plate
  /// What kind of vehicle it is, as far as the channel can say it.
  public var vehicleType: VehicleType
  /// When it passed, as the post recorded it.
  public var recordedAt: WallTime
  /// Who recorded it, when known: a name or an identifier.
  public var ranger: String?
  /// The last four digits of the ranger's phone number.
  public var suffix: PhoneSuffix
  /// Where its photograph lies, when there is one.
  public var photoPath: String?
  /// How it came.
  public var channel: Channel
  /// Whether it is proven who sent it: by a token, a signature, or because the configuration trusts the
  /// number. A number that merely stands on a text is not.
  public var isProven: Bool
  /// When it came.
  public var receivedAt: WallTime
  /// What is known of the clock that the time was read from.
  public var clock: ClockQuality

  /// A report of a passage.
  public init(
    of passage: Passage, channel: Channel, isProven: Bool, receivedAt: WallTime,
    clock: ClockQuality = .unknown
  ) {
    clientID = passage.clientID
    post = passage.checkpost
    plate = passage.plate
    vehicleType = passage.vehicleType
    recordedAt = passage.recordedAt
    ranger = passage.ranger
    suffix = passage.suffix
    photoPath = passage.photoPath
    self.channel = channel
    self.isProven = isProven
    self.receivedAt = receivedAt
    self.clock = passage.isUndated ? .unset : clock
  }

  /// A report as a store has it.
  public init(
    clientID: ClientID, post: CheckpostCode, plate: Plate, vehicleType: VehicleType,
    recordedAt: WallTime, ranger: String?, suffix: PhoneSuffix, photoPath: String?,
    channel: Channel, isProven: Bool, receivedAt: WallTime, clock: ClockQuality
  ) {
    self.clientID = clientID
    self.post = post
    self.plate = plate
    self.vehicleType = vehicleType
    self.recordedAt = recordedAt
    self.ranger = ranger
    self.suffix = suffix
    self.photoPath = photoPath
    self.channel = channel
    self.isProven = isProven
    self.receivedAt = receivedAt
    self.clock = clock
  }

  /// When the passage was, as far as anybody knows: when it came, where the clock of the post was not set.
  public var dated: WallTime { clock == .unset ? receivedAt : recordedAt }

  /// Whether it can change what is proven: it is proven who sent it, or a person put it in. A text of which nobody
  /// proved who sent it is no such report.
  public var isFounded: Bool { isProven || channel != .text }

  /// What it says of the passage.
  public var key: ContentKey {
    ContentKey(post: post, plate: plate.compact, second: recordedAt.epochSeconds)
  }

  /// Whether the other is this one once more: nothing but the time of receipt may differ.
  func isRepeated(by other: Observation) -> Bool {
    var same = other
    same.receivedAt = receivedAt
    return same == self && same.plate.raw == plate.raw
  }

  /// Whether what this says goes before what the other says, where the two differ. It depends on the two
  /// alone, so that it does not matter which of them was looked at first.
  func goesBefore(_ other: Observation) -> Bool {
    if isProven != other.isProven { return isProven }
    if channel != other.channel { return channel.rank < other.channel.rank }
    if receivedAt != other.receivedAt { return receivedAt < other.receivedAt }
    if clientID != other.clientID { return clientID < other.clientID }
    return rest.lexicographicallyPrecedes(other.rest)
  }

  private var rest: [String] {
    [
      "\(recordedAt.milliseconds)", vehicleType.rawValue, plate.raw, ranger ?? "", suffix.digits,
      photoPath ?? "", "\(clock)",
    ]
  }
}

extension Observation.Channel {
  fileprivate var rank: Int {
    switch self {
    case .upload: 0
    case .operated: 1
    case .text: 2
    }
  }
}

/// What is known of the clock that a time was read from.
public enum ClockQuality: Hashable, Sendable {
  /// Nobody said; it is taken to be right.
  case unknown
  /// It was right to so many seconds.
  case within(seconds: Int64)
  /// It had not been set: the passage is kept and not judged.
  case unset

  /// As many seconds as say nothing at all: nobody vouched for the clock.
  public static let anySeconds: Int64 = 315_360_000
}
