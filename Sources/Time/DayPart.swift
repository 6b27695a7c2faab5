/// A part of each day, by the clock on the wall: `22:00-05:00`.
public struct DayPart: Hashable, Sendable {
  private static let day: Int64 = 86_400
  /// No machine in use shows less (2020-01-01): a clock that does was never set, and knows no hours.
  private static let clocksAreSetSince: Int64 = 1_577_836_800

  /// The second of the day with which it begins.
  private var start: Int64
  /// The second of the day with which it ends.
  private var end: Int64

  /// The part that a text names by two times of day; nil when it names none, or one without length.
  public init?(_ text: String) {
    let halves = text.split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, let start = DayPart.second(halves[0]),
      let end = DayPart.second(halves[1]), start != end
    else { return nil }
    self.start = start
    self.end = end
  }

  /// How much of it is left at a moment in it; nil outside.
  public func left(at time: WallTime, by clock: LocalClock) -> Duration? {
    guard time.epochSeconds >= DayPart.clocksAreSetSince else { return nil }
    let second = (time.epochSeconds + Int64(clock.offsetMinutes(at: time)) * 60) % DayPart.day
    let isInside = start < end ? (start..<end).contains(second) : second >= start || second < end
    guard isInside else { return nil }
    return .seconds(end > second ? end - second : end + DayPart.day - second)
  }

  private static func second(_ text: Substring) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int64($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hour < 24, minute < 60 else { return nil }
    return hour * 3_600 + minute * 60
  }
}
