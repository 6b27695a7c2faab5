/// A date and time of day in the proleptic Gregorian calendar, without a time zone.
///
/// Foundation's calendars are out of reach in this layer, and two dozen lines of integer arithmetic
/// are all that texts and RFC 3339 need.
public struct CivilDate: Hashable, Sendable {
  /// The year as the calendar counts it; 0 is the year before 1, and earlier ones are negative.
  public var year: Int
  /// 1 to 12.
  public var month: Int
  /// 1 to 31.
  public var day: Int
  /// 0 to 23.
  public var hour: Int
  /// 0 to 59.
  public var minute: Int
  /// 0 to 59; a leap second has no date of its own.
  public var second: Int

  /// A date from its parts, or nil when there is no such date.
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
      (0...59).contains(second), (-9_999...9_999).contains(year),
      day >= 1, day <= CivilDate.days(inMonth: month, of: year)
    else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The date that is `seconds` after 1970-01-01T00:00:00.
  public init(epochSeconds seconds: Int64) {
    var (days, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
    if remainder < 0 {
      days -= 1
      remainder += 86_400
    }
    let rest = Int(remainder)
    // Years are counted from March, so that the leap day is a year's last; 719,468 days lie between
    // 0000-03-01 and 1970-01-01, and 400 years always have 146,097 days.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    hour = rest / 3_600
    minute = rest % 3_600 / 60
    second = rest % 60
  }

  /// Seconds from 1970-01-01T00:00:00 to this date.
  public var epochSeconds: Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let marchMonth = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * marchMonth + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return days * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
  }

  var isLastSecondOfDay: Bool { hour == 23 && minute == 59 && second == 59 }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 31
    }
  }
}
