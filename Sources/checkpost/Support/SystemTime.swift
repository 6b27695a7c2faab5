import EventLoop
import Timing

/// Moments as commands take them.
enum SystemTime {
  /// The wall clock of this machine.
  static var now: WallTime { SystemClocks().wall() }

  /// Reads RFC 3339, or whole seconds since 1970; nil for anything else.
  static func parse(_ text: String) -> WallTime? {
    if let moment = WallTime(rfc3339: text) { return moment }
    // Seconds to the end of the year 9999, the last that RFC 3339 can write.
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else { return nil }
    return WallTime(epochSeconds: seconds)
  }
}
