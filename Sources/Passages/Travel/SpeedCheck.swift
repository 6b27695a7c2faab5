/// What the time that a vehicle took over a segment means.
public enum SpeedVerdict: Hashable, Sendable {
  /// Faster than the limit: it took at most this many seconds where the limit asks for more.
  case speeding(fastestAllowedSeconds: Int64)
  /// Slower than the slowest that is taken for granted.
  case overstay(slowestExpectedSeconds: Int64)
  /// Neither.
  case normal
}

/// The speed check over a segment, in whole seconds.
///
/// A passage is known to the second only, floored, so a travel time is right to a second either way.
/// One second is allowed on each side, so that rounding alone never makes a violation.
public enum SpeedCheck {
  /// Seconds allowed on each side.
  public static let tolerance: Int64 = 1

  /// Judges a travel.
  ///
  /// - Parameters:
  ///   - travelSeconds: Whole seconds between the two passages; not negative.
  ///   - segment: The stretch and its speeds.
  /// - Returns: Speeding when the travel with a second added is still faster than the limit;
  ///   overstay when with a second taken off it is still slower than the slowest; else nothing.
  public static func judge(travelSeconds: Int64, on segment: Segment) -> SpeedVerdict {
    // Compared as products of whole numbers: distance / time against speed, with nothing rounded.
    let distance = segment.distanceMetres * 3_600
    if (travelSeconds + tolerance) * segment.maximumMetresPerHour < distance {
      return .speeding(
        fastestAllowedSeconds: quotient(distance, segment.maximumMetresPerHour, up: true))
    }
    if (travelSeconds - tolerance) * segment.minimumMetresPerHour > distance {
      return .overstay(
        slowestExpectedSeconds: quotient(distance, segment.minimumMetresPerHour, up: false))
    }
    return .normal
  }

  /// The shortest travel in whole seconds that is an overstay: a vehicle that has not been seen at the
  /// other end by then ought to have been.
  public static func firstOverstay(on segment: Segment) -> Int64 {
    quotient(segment.distanceMetres * 3_600, segment.minimumMetresPerHour, up: false) + tolerance
      + 1
  }

  /// The mean speed over a segment in kilometres an hour; nil for no time at all.
  public static func kilometresPerHour(travelSeconds: Int64, on segment: Segment) -> Double? {
    guard travelSeconds > 0 else { return nil }
    return Double(segment.distanceMetres) * 3.6 / Double(travelSeconds)
  }

  private static func quotient(_ value: Int64, _ divisor: Int64, up: Bool) -> Int64 {
    (value + (up ? divisor - 1 : 0)) / divisor
  }
}
