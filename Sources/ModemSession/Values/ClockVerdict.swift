public import Timing

/// What a time of the network says of this machine's clock.
public enum ClockVerdict: Hashable, Sendable {
  /// They agree as far as can be told.
  case agrees
  /// The clock shows a time that is still to come, by so much.
  case ahead(Duration)
  /// The clock shows a time that is over, by so much.
  case behind(Duration)
  /// A time that is only known to be over says nothing of a clock that shows a later one.
  case unknown

  /// The name for scripts: `agrees`, `ahead`, `behind`, `unknown`.
  public var name: String {
    switch self {
    case .agrees: "agrees"
    case .ahead: "ahead"
    case .behind: "behind"
    case .unknown: "unknown"
    }
  }
}

extension NetworkTime {
  /// Whether the time is only known to be over: how long a message lay at its service centre is not
  /// told.
  public var isLowerBound: Bool { source == .serviceCentre }

  /// Compares a clock that was read when the time came.
  public func verdict(on clock: WallTime) -> ClockVerdict {
    let ahead = clock - time
    let tolerance = uncertainty + Limits.clockTolerance
    if ahead < .zero - tolerance { return .behind(.zero - ahead) }
    if isLowerBound { return .unknown }
    return ahead > tolerance ? .ahead(ahead) : .agrees
  }

  /// Whether the time says more of now than another that came `elapsed` earlier.
  public func isBetter(than other: NetworkTime, after elapsed: Duration) -> Bool {
    guard isLowerBound, !other.isLowerBound else { return true }
    // It proves that the other one was wrong, or that it was counted on for too long.
    return time - other.time > elapsed + other.uncertainty + uncertainty
  }
}
