/// The clock by which people read: wall time in one zone, without fractions.
///
/// Machines are told UTC (``WallTime/rfc3339``); people read the clock on their wall. The zone is handed
/// in, so that lines are the same on every machine that names the same one.
public struct LocalClock: Sendable {
  private let offset: @Sendable (WallTime) -> Int

  /// A clock that is ahead of UTC by so many minutes, which may change with the moment: summer time.
  public init(offsetMinutes: @escaping @Sendable (WallTime) -> Int) {
    offset = offsetMinutes
  }

  /// The clock that shows UTC.
  public static let utc = LocalClock { _ in 0 }

  /// How far it is ahead of UTC at a moment, in minutes.
  public func offsetMinutes(at time: WallTime) -> Int { offset(time) }

  /// The zone by its distance from UTC: `UTC+05:45`, or `UTC` itself.
  public func zone(at time: WallTime) -> String {
    let minutes = offset(time)
    return minutes == 0 ? "UTC" : "UTC" + time.rfc3339(offsetMinutes: minutes).suffix(6)
  }

  /// The day: `2026-11-21`.
  public func day(_ time: WallTime) -> String { parts(time).day }

  /// The time of day: `14:02:11`.
  public func time(_ time: WallTime) -> String { parts(time).time }

  /// Day and time: `2026-11-21 14:02:11`.
  public func full(_ time: WallTime) -> String {
    let parts = parts(time)
    return "\(parts.day) \(parts.time)"
  }

  /// Day, time and zone, for a moment that stands alone: `2026-11-21 14:02:11 (UTC+05:45)`.
  public func whole(_ time: WallTime) -> String { "\(full(time)) (\(zone(at: time)))" }

  /// The time of day alone when it is the day of `other`, and otherwise with its date.
  public func text(_ time: WallTime, seenFrom other: WallTime) -> String {
    day(time) == day(other) ? self.time(time) : full(time)
  }

  private func parts(_ time: WallTime) -> (day: String, time: String) {
    let shifted = WallTime(epochSeconds: time.epochSeconds) + .seconds(offset(time) * 60)
    let halves = shifted.rfc3339.split(separator: "T", maxSplits: 1)
    return (String(halves.first ?? ""), String((halves.last ?? "").prefix(8)))
  }
}

/// The headings of lines that tell only the time of day: the date where a day begins, and the zone once.
public struct DayHeadings: Sendable {
  private let clock: LocalClock
  private var day: String?
  private var zone: String?

  /// No line has been written yet.
  public init(_ clock: LocalClock) {
    self.clock = clock
  }

  /// The heading that stands before a line of that moment: `2026-11-21, times in UTC+05:45` before the
  /// first and where the zone changes, `2026-11-22` where only the day does; nil on the same day.
  public mutating func heading(before time: WallTime) -> String? {
    let (today, here) = (clock.day(time), clock.zone(at: time))
    defer { (day, zone) = (today, here) }
    if here != zone { return "\(today), times in \(here)" }
    return today == day ? nil : today
  }
}
