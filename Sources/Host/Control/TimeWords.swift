public import EventLoop
public import Time

/// Moments and spans in the words of `queue list`, `queue show` and `status`: local time, the date only where it
/// is another day, and spans in one unit. A moment that is over says how long ago that is, and one to come in how long.
public struct TimeWords: Sendable {
  /// The clock on the wall of the post.
  public let clock: LocalClock
  /// From when the moments are seen.
  public let now: WallTime

  /// Words of a moment.
  public init(seenAt now: WallTime, clock: LocalClock = .ofThisMachine) {
    self.clock = clock
    self.now = now
  }

  /// A moment: `14:02:11`, or with its date.
  public func time(_ time: WallTime) -> String { clock.text(time, seenFrom: now) }

  /// A moment that is over, and how long ago that is: `14:02:11, 3 min ago`.
  public func past(_ time: WallTime) -> String {
    let seconds = (now - time).wholeSeconds
    return self.time(time) + (seconds < 1 ? "" : ", \(TimeWords.span(seconds)) ago")
  }

  /// A moment with its date and zone, where it stands alone: `2026-11-21 14:02:11 (UTC+05:45)`.
  public func whole(_ time: WallTime) -> String { clock.whole(time) }

  /// A moment in a column below headings that tell the day: `14:02:11`.
  public func cell(_ time: WallTime) -> String { clock.time(time) }

  /// A moment to the minute: `14:02`, or with its date.
  public func minute(_ time: WallTime) -> String { String(self.time(time).dropLast(3)) }

  /// A moment up to which something lasts: `until 14:12:00, in 9 min`.
  public func until(_ time: WallTime) -> String {
    let seconds = (time - now).wholeSeconds
    return "until \(self.time(time))" + (seconds < 1 ? "" : ", in \(TimeWords.span(seconds))")
  }

  /// Since when something lasts: `since 14:02:11, for 3 min`.
  public func since(_ time: WallTime) -> String {
    let seconds = (now - time).wholeSeconds
    return "since \(self.time(time))" + (seconds < 1 ? "" : ", for \(TimeWords.span(seconds))")
  }

  /// When something is tried next: `at 14:12:00, in 9 min`, or `now`.
  public func next(_ time: WallTime) -> String {
    let seconds = (time - now).wholeSeconds
    return seconds < 1 ? "now" : "at \(self.time(time)), in \(TimeWords.span(seconds))"
  }

  /// A span in one unit: `90 s`, `9 min`, `3 h`, `12 d`.
  public static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(max(0, seconds)) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
