import Time

/// A service centre time stamp: local time with its distance from UTC in quarters of an hour
/// (3GPP TS 23.040 9.2.3.11).
public struct ServiceCentreTime: Hashable, Sendable {
  private let local: CivilDate
  /// Quarters of an hour ahead of UTC, -79 to 79.
  public let quarterHours: Int

  /// Four digits; the two on the wire are read as 1970 to 2069.
  public var year: Int { local.year }
  /// 1 to 12.
  public var month: Int { local.month }
  /// 1 to 31.
  public var day: Int { local.day }
  /// 0 to 23.
  public var hour: Int { local.hour }
  /// 0 to 59.
  public var minute: Int { local.minute }
  /// 0 to 59.
  public var second: Int { local.second }

  /// A time stamp, or nil when there is no such time.
  public init?(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, quarterHours: Int
  ) {
    guard (1970...2069).contains(year), (-79...79).contains(quarterHours),
      let local = CivilDate(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else {
      return nil
    }
    self.local = local
    self.quarterHours = quarterHours
  }

  /// The time stamp that shows `epochSeconds` on a clock `quarterHours` ahead of UTC; nil outside
  /// 1970 to 2069.
  public init?(epochSeconds: Int64, quarterHours: Int) {
    guard (-79...79).contains(quarterHours) else { return nil }
    let (seconds, overflow) = epochSeconds.addingReportingOverflow(Int64(quarterHours) * 900)
    guard !overflow, seconds >= 0, seconds < 3_155_760_000 else { return nil }
    local = CivilDate(epochSeconds: seconds)
    self.quarterHours = quarterHours
  }

  /// Seconds since 1970-01-01T00:00:00Z.
  public var epochSeconds: Int64 { local.epochSeconds - Int64(quarterHours) * 900 }

  /// The time in RFC 3339 form with the message's own offset: `2026-03-14T08:05:09+05:45`.
  public var rfc3339: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let ahead = abs(quarterHours)
    let offset = "\(quarterHours < 0 ? "-" : "+")\(two(ahead / 4)):\(two(ahead % 4 * 15))"
    return "\(year)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))\(offset)"
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
