public import Time

/// Moments as people and files write them.
public enum TimeText {
  /// A number of seconds that is so large is one of milliseconds.
  public static let milliseconds: Int64 = 100_000_000_000

  /// What is wrong with a text that is no time, and what to write: the usual mistakes by their names.
  public static func problem(with text: String) -> String {
    switch Int64(text) {
    case let number? where number < 0: "a time cannot be negative; write seconds since 1970"
    case let number? where number >= milliseconds:
      "looks like milliseconds; write whole seconds since 1970"
    default: "is no time; write 2026-11-21T14:00:00Z or whole seconds since 1970"
    }
  }

  /// How many years the calendar of Nepal (Bikram Sambat) is ahead, by the part of the year.
  private static let bikramSambat = 55...58
  /// More years ahead than any clock that was ever set can be late.
  private static let impossibleYears = 20

  /// What is wrong with a time so far ahead that the writer was mistaken, and not a clock; nil for any
  /// other. A year that is likely one of Bikram Sambat is named as such.
  public static func mistake(in moment: WallTime, now: WallTime) -> String? {
    guard let year = Int(moment.rfc3339.prefix(4)), let today = Int(now.rfc3339.prefix(4)) else {
      return nil
    }
    let ahead = year - today
    if bikramSambat.contains(ahead) {
      return
        "the year \(year) looks like Bikram Sambat; write the date of the common calendar, whose"
        + " year is \(today) now"
    }
    guard ahead > impossibleYears else { return nil }
    return "lies \(ahead) years in the future; write the right year"
  }

  /// Reads RFC 3339, or whole seconds since 1970; nil for anything else.
  public static func parse(_ text: String) -> WallTime? {
    if let moment = WallTime(rfc3339: text) { return moment }
    // Seconds to the end of the year 9999, the last that RFC 3339 can write.
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else { return nil }
    return WallTime(epochSeconds: seconds)
  }
}
