/// A service centre time stamp: local time with its distance from UTC in quarters of an hour
/// (3GPP TS 23.040 9.2.3.11).
public struct ServiceCentreTime: Hashable, Sendable {
  /// Four digits; the two on the wire are read as 1970 to 2069.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59.
  public let second: Int
  /// Quarters of an hour ahead of UTC, -79 to 79.
  public let quarterHours: Int

  /// A time stamp, or nil when there is no such time.
  public init?(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, quarterHours: Int
  ) {
    guard (1970...2069).contains(year), (1...12).contains(month),
      (1...ServiceCentreTime.days(of: month, year)).contains(day), (0...23).contains(hour),
      (0...59).contains(minute), (0...59).contains(second), (-79...79).contains(quarterHours)
    else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.quarterHours = quarterHours
  }

  /// The time stamp that shows `epochSeconds` on a clock `quarterHours` ahead of UTC; nil outside
  /// 1970 to 2069.
  public init?(epochSeconds: Int64, quarterHours: Int) {
    guard (-79...79).contains(quarterHours) else { return nil }
    let (local, overflow) = epochSeconds.addingReportingOverflow(Int64(quarterHours) * 900)
    guard !overflow, local >= 0, local < 3_155_760_000 else { return nil }
    var days = Int(local / 86_400)
    let rest = Int(local % 86_400)
    var year = 1970
    while days >= (ServiceCentreTime.isLeap(year) ? 366 : 365) {
      days -= ServiceCentreTime.isLeap(year) ? 366 : 365
      year += 1
    }
    var month = 1
    while days >= ServiceCentreTime.days(of: month, year) {
      days -= ServiceCentreTime.days(of: month, year)
      month += 1
    }
    self.init(
      year: year, month: month, day: days + 1, hour: rest / 3_600, minute: rest % 3_600 / 60,
      second: rest % 60, quarterHours: quarterHours)
  }

  /// Seconds since 1970-01-01T00:00:00Z.
  public var epochSeconds: Int64 {
    var days = day - 1
    for earlier in 1970..<year {
      days += ServiceCentreTime.isLeap(earlier) ? 366 : 365
    }
    for earlier in 1..<month {
      days += ServiceCentreTime.days(of: earlier, year)
    }
    let local = Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    return local - Int64(quarterHours) * 900
  }

  /// The time in RFC 3339 form with the message's own offset: `2026-03-14T08:05:09+05:45`.
  public var rfc3339: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let ahead = abs(quarterHours)
    let offset = "\(quarterHours < 0 ? "-" : "+")\(two(ahead / 4)):\(two(ahead % 4 * 15))"
    return "\(year)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))\(offset)"
  }

  private static func isLeap(_ year: Int) -> Bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 31
    }
  }
}

extension ServiceCentreTime {
  /// Reads seven octets of swapped digits; nil when they show no time, which happens and is no
  /// reason to lose the message.
  init?(octets: ArraySlice<UInt8>) {
    guard octets.count == 7 else { return nil }
    var parts: [Int] = []
    for octet in octets.dropLast() {
      guard octet & 0x0F <= 9, octet >> 4 <= 9 else { return nil }
      parts.append(Int(octet & 0x0F) * 10 + Int(octet >> 4))
    }
    // The sign is bit 3 of the octet as it comes, the top bit of the digit that stands first.
    let zone = octets[octets.startIndex + 6]
    guard zone >> 4 <= 9 else { return nil }
    let quarters = Int(zone & 0x07) * 10 + Int(zone >> 4)
    self.init(
      year: parts[0] < 70 ? 2000 + parts[0] : 1900 + parts[0], month: parts[1], day: parts[2],
      hour: parts[3], minute: parts[4], second: parts[5],
      quarterHours: zone & 0x08 == 0 ? quarters : -quarters)
  }

  /// The seven octets.
  func encoded() -> [UInt8] {
    func swapped(_ number: Int) -> UInt8 { UInt8((number % 10) << 4 | number / 10) }
    let ahead = abs(quarterHours)
    let zone = swapped(ahead) | (quarterHours < 0 ? 0x08 : 0)
    return [year % 100, month, day, hour, minute, second].map(swapped) + [zone]
  }
}
