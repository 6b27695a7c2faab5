extension WallTime {
  /// The moment in RFC 3339 form in UTC, with milliseconds only when there are any:
  /// `2024-02-28T12:30:56Z`, `2024-02-28T12:30:56.412Z`.
  public var rfc3339: String {
    rfc3339(offsetMinutes: 0)
  }

  /// The moment in RFC 3339 form as a clock shows it that is `offsetMinutes` ahead of UTC.
  public func rfc3339(offsetMinutes: Int) -> String {
    let local = CivilDate(epochSeconds: epochSeconds &+ Int64(offsetMinutes) * 60)
    var text = "\(padded(local.year, 4))-\(padded(local.month, 2))-\(padded(local.day, 2))"
    text += "T\(padded(local.hour, 2)):\(padded(local.minute, 2)):\(padded(local.second, 2))"
    // As the seconds are floored, what is left of a time before 1970 counts forward too.
    let remainder = Int(milliseconds % 1_000)
    let rest = remainder < 0 ? remainder + 1_000 : remainder
    if rest != 0 {
      text += ".\(padded(rest, 3))"
    }
    if offsetMinutes == 0 {
      return text + "Z"
    }
    let ahead = abs(offsetMinutes)
    return text
      + "\(offsetMinutes < 0 ? "-" : "+")\(padded(ahead / 60, 2)):\(padded(ahead % 60, 2))"
  }

  /// Reads an RFC 3339 moment: date, `T` or a space, time, an optional fraction, and `Z` or an
  /// offset. Anything else, and any date that does not exist, is nil. Digits of the fraction beyond
  /// milliseconds are dropped; a leap second, the 61st of a day's last minute in UTC, is read as the
  /// second before it.
  public init?(rfc3339 text: some StringProtocol) {
    let bytes = Array(text.utf8.prefix(65))
    guard bytes.count <= 64 else { return nil }
    var scanner = DigitScanner(bytes)
    guard let year = scanner.number(digits: 4), scanner.take("-"),
      let month = scanner.number(digits: 2), scanner.take("-"),
      let day = scanner.number(digits: 2),
      scanner.take("T") || scanner.take("t") || scanner.take(" "),
      let hour = scanner.number(digits: 2), scanner.take(":"),
      let minute = scanner.number(digits: 2), scanner.take(":"),
      let second = scanner.number(digits: 2),
      let date = CivilDate(
        year: year, month: month, day: day, hour: hour, minute: minute,
        second: second == 60 ? 59 : second)
    else {
      return nil
    }
    var milliseconds = 0
    if scanner.take(".") {
      guard let fraction = scanner.fractionMilliseconds() else { return nil }
      milliseconds = fraction
    }
    guard let offset = scanner.offsetMinutes(), scanner.isAtEnd else { return nil }
    let seconds = date.epochSeconds - Int64(offset) * 60
    guard second < 60 || CivilDate(epochSeconds: seconds).isLastSecondOfDay else { return nil }
    self.init(milliseconds: seconds * 1_000 + Int64(milliseconds))
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(abs(number))
  let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
  return (number < 0 ? "-" : "") + zeros + digits
}

private struct DigitScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + digits] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    position += digits
    return value
  }

  mutating func fractionMilliseconds() -> Int? {
    var value = 0
    var count = 0
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
      if count < 3 {
        value = value * 10 + Int(bytes[position] - 0x30)
      }
      count += 1
      position += 1
    }
    guard count > 0 else { return nil }
    for _ in 0..<max(0, 3 - count) {
      value *= 10
    }
    return value
  }

  mutating func offsetMinutes() -> Int? {
    if take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(digits: 2), hours < 24, take(":"),
      let minutes = number(digits: 2), minutes < 60
    else {
      return nil
    }
    return sign * (hours * 60 + minutes)
  }
}
