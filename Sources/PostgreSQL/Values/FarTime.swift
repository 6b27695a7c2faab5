import Time

/// Moments that RFC 3339 has no words for, and a column can have all the same: before the year 1, after 9999, and
/// those that are no moment at all but before or after all others.
enum FarTime {
  /// The moments that a column takes, in milliseconds; beyond them it is without an end.
  private static let ofColumns: ClosedRange<Int64> = -210_866_803_200_000...9_224_318_015_999_999
  /// Years in which the calendar comes round, and their days.
  private static let round: (years: Int, days: Int64) = (400, 146_097)

  /// Reads `infinity`, `10000-01-01 00:00:00+00` and `0044-03-15 00:00:00+00 BC`, floored to the millisecond.
  static func read(_ text: String) -> WallTime? {
    if text == "infinity" { return WallTime(milliseconds: .max) }
    if text == "-infinity" { return WallTime(milliseconds: .min) }
    let isBefore = text.hasSuffix(" BC")
    let rest = text.dropLast(isBefore ? 3 : 0)
    guard let dash = rest.firstIndex(of: "-"), let written = Int(rest[..<dash]), written > 0,
      written < 1_000_000
    else { return nil }
    // The year before 1 is 1 BC.
    let year = isBefore ? 1 - written : written
    let alike = 2_000 + (year % round.years + round.years) % round.years
    let tail = rest[dash...]
    guard
      let time = WallTime(rfc3339: "\(alike)\(tail.hasSuffix("+00") ? "\(tail):00" : "\(tail)")")
    else { return nil }
    let rounds = Int64((year - alike) / round.years)
    return WallTime(milliseconds: time.milliseconds + rounds * round.days * 86_400_000)
  }

  /// A moment as the server reads it.
  static func text(_ time: WallTime) -> String {
    guard time.milliseconds <= ofColumns.upperBound else { return "infinity" }
    guard time.milliseconds >= ofColumns.lowerBound else { return "-infinity" }
    let text = time.rfc3339
    let year = CivilDate(epochSeconds: time.epochSeconds).year
    guard year < 1, let dash = text.dropFirst().firstIndex(of: "-") else { return text }
    let digits = "\(1 - year)"
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + text[dash...]
      + " BC"
  }
}
