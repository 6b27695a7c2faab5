public import Passages
public import Time

/// What somebody who may do so changed in a passage after it had been sent. It names the passage by an
/// identity, may come before it, and never changes what was received: that is kept beside it.
public struct ReceivedCorrection: Hashable, Sendable {
  /// An identity of the passage.
  public var clientID: ClientID
  /// The right plate; nil where it was right.
  public var plate: Plate?
  /// The right kind of vehicle; nil where it was right.
  public var vehicleType: VehicleType?
  /// The right post; nil where it was right.
  public var post: CheckpostCode?
  /// The right time; nil where it was right.
  public var recordedAt: WallTime?
  /// Where the right photograph lies, and empty where there is none; nil where it was right.
  public var photoPath: String?
  /// Why the passage never was: it is withdrawn, kept, and judged no more; nil where it was. That is never
  /// taken back.
  public var withdrawal: String?
  /// Who made it, when known.
  public var author: String?
  /// When it was made; where nobody says, when it came. Of two that change the same, the later one counts.
  public var madeAt: WallTime

  /// A correction that changes nothing yet.
  public init(of clientID: ClientID, madeAt: WallTime, author: String? = nil) {
    self.clientID = clientID
    self.madeAt = madeAt
    self.author = author
  }

  /// Whether this was made before the other. Where the times are equal their contents decide, so that it
  /// does not matter which of them came first.
  func isBefore(_ other: ReceivedCorrection) -> Bool {
    if madeAt != other.madeAt { return madeAt < other.madeAt }
    if clientID != other.clientID { return clientID < other.clientID }
    return rest.lexicographicallyPrecedes(other.rest)
  }

  private var rest: [String] {
    [
      plate?.compact ?? "", plate?.raw ?? "", vehicleType?.rawValue ?? "", post?.code ?? "",
      recordedAt.map { "\($0.milliseconds)" } ?? "", author ?? "",
      photoPath.map { "=\($0)" } ?? "", withdrawal.map { "=\($0)" } ?? "",
    ]
  }
}
