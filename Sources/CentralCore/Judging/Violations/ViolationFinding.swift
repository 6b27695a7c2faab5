public import Passages

/// What a travel broke, with all that the judgement was made of. It compares the standing violation with
/// what a new judgement says.
public struct ViolationFinding: Hashable, Sendable {
  /// Which rule.
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    /// Faster than the limit.
    case speeding
    /// Longer inside than the slowest travel takes.
    case overstay
  }

  /// One end of the travel.
  public struct End: Hashable, Sendable {
    /// The row of the passage.
    public var row: Int64
    /// The post.
    public var post: CheckpostCode
    /// The second of its first record.
    public var earliest: Int64
    /// The second of its last record.
    public var latest: Int64

    /// The seconds between the two.
    public var spread: Int64 {
      let (seconds, overflow) = latest.subtractingReportingOverflow(earliest)
      return overflow ? .max : seconds
    }

    /// An end as a store has it.
    public init(row: Int64, post: CheckpostCode, earliest: Int64, latest: Int64) {
      self.row = row
      self.post = post
      self.earliest = earliest
      self.latest = latest
    }

    init(_ passage: RecognisedPassage) {
      self.init(
        row: passage.row, post: passage.place.post, earliest: passage.earliest,
        latest: passage.latest)
    }
  }

  /// Which rule.
  public var kind: Kind
  /// The plate, compact.
  public var plate: String
  /// The name of the segment.
  public var segment: String
  /// Where the vehicle was seen first.
  public var entry: End
  /// Where it was seen then.
  public var exit: End
  /// The seconds that it took, where an end was written down twice those that are better for the driver.
  public var seconds: Int64
  /// The seconds that it had to take, at least or at most.
  public var limitSeconds: Int64
  /// Whether the two are one travel only because nothing was seen in between.
  public var isFar: Bool
  /// What could make it wrong.
  public var doubts: [TravelDoubt]

  /// A finding as a store has it.
  public init(
    kind: Kind, plate: String, segment: String, entry: End, exit: End, seconds: Int64,
    limitSeconds: Int64, isFar: Bool, doubts: [TravelDoubt]
  ) {
    self.kind = kind
    self.plate = plate
    self.segment = segment
    self.entry = entry
    self.exit = exit
    self.seconds = seconds
    self.limitSeconds = limitSeconds
    self.isFar = isFar
    self.doubts = doubts
  }

  /// What a travel broke; nil when it broke nothing.
  public init?(_ travel: JudgedTravel) {
    switch travel.verdict {
    case .normal: return nil
    case .speeding(let fastest): (kind, limitSeconds) = (.speeding, fastest)
    case .overstay(let slowest): (kind, limitSeconds) = (.overstay, slowest)
    }
    plate = travel.entry.place.plate
    segment = travel.segment.name
    entry = End(travel.entry)
    exit = End(travel.exit)
    seconds = travel.seconds
    isFar = travel.isFar
    doubts = travel.doubts
  }

  /// Whether the other says the same of the vehicle; the doubts may differ.
  func isAlike(_ other: ViolationFinding) -> Bool {
    var same = other
    same.doubts = doubts
    return same == self
  }
}
