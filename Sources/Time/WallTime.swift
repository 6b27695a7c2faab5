/// A moment on the wall clock: milliseconds since 1970-01-01T00:00:00Z.
///
/// The wall clock is data. It says when a passage was seen and when a text came; nothing is
/// decided by comparing two readings of it.
public struct WallTime: Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since the epoch; negative before 1970.
  public var milliseconds: Int64

  /// The moment `milliseconds` after the epoch.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The moment `epochSeconds` after the epoch, within what milliseconds can show.
  public init(epochSeconds: Int64) {
    let (product, overflow) = epochSeconds.multipliedReportingOverflow(by: 1_000)
    milliseconds = overflow ? (epochSeconds < 0 ? .min : .max) : product
  }

  /// Whole seconds since the epoch, floored: the resolution of V1 and of a passage's identity.
  public var epochSeconds: Int64 {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// The order of the two moments, as far as the clock that showed them was right.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment `duration` later.
  public static func + (time: WallTime, duration: Duration) -> WallTime {
    let (sum, overflow) = time.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
    return WallTime(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// The moment `duration` earlier.
  public static func - (time: WallTime, duration: Duration) -> WallTime {
    let (difference, overflow) = time.milliseconds.subtractingReportingOverflow(
      duration.wholeMilliseconds)
    return WallTime(milliseconds: overflow ? (duration < .zero ? .max : .min) : difference)
  }

  /// How long it is from `earlier` to `later`.
  public static func - (later: WallTime, earlier: WallTime) -> Duration {
    let (difference, overflow) = later.milliseconds.subtractingReportingOverflow(
      earlier.milliseconds)
    return .milliseconds(overflow ? (later < earlier ? .min : .max) : difference)
  }
}
