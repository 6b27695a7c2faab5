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

  /// The moment `epochSeconds` after the epoch.
  public init(epochSeconds: Int64) {
    self.milliseconds = epochSeconds &* 1_000
  }

  /// Whole seconds since the epoch, floored: the resolution of V1 and of a passage's identity.
  public var epochSeconds: Int64 {
    milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000
  }

  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment `duration` later.
  public static func + (time: WallTime, duration: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds &+ duration.wholeMilliseconds)
  }

  /// The moment `duration` earlier.
  public static func - (time: WallTime, duration: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds &- duration.wholeMilliseconds)
  }

  /// How long it is from `earlier` to `later`.
  public static func - (later: WallTime, earlier: WallTime) -> Duration {
    .milliseconds(later.milliseconds &- earlier.milliseconds)
  }
}
