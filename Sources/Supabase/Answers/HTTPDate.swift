import Time

/// A date of HTTP in one of its three forms (RFC 9110, 5.6.7).
enum HTTPDate {
  static func parse(_ text: String) -> WallTime? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT, and before 1995 Sunday, 06-Nov-94 08:49:37 GMT
    case 6 where words[5] == "GMT":
      return time(day: words[1], month: words[2], year: words[3], clock: words[4])
    // Sun Nov  6 08:49:37 1994
    case 5: return time(day: words[2], month: words[1], year: words[4], clock: words[3])
    default: return nil
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func time(day: String, month: String, year: String, clock: String) -> WallTime? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      let day = number(day[...]), var number = number(year[...]),
      let month = months.firstIndex(of: month)
    else { return nil }
    // The old form: of two digits, the year that is not long ago.
    if year.utf8.count == 2 { number += number < 70 ? 2_000 : 1_900 }
    let date = CivilDate(
      year: number, month: month + 1, day: day, hour: hour, minute: minute,
      second: second == 60 ? 59 : second)
    return date.map { WallTime(epochSeconds: $0.epochSeconds) }
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}

/// How long the server wants to be left alone (RFC 9110, 10.2.3).
enum RetryAfter {
  /// Seconds, or a date, which is counted from what the server's own clock showed; held within bounds that
  /// no server's mistake can stop a node with.
  static func parse(_ text: String, serverTime: WallTime?) -> Duration? {
    let wanted: Duration
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      wanted = Int64(text).map { .seconds(min($0, 1 << 30)) } ?? Limits.retryAfter.upperBound
    } else if let date = HTTPDate.parse(text), let serverTime {
      wanted = date - serverTime
    } else {
      return nil
    }
    return min(max(wanted, Limits.retryAfter.lowerBound), Limits.retryAfter.upperBound)
  }
}
