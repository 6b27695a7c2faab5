/// Durations as people write them: `30s`, `5m`, `72h`, `7d`, `250ms`, `1h30m`.
public enum DurationText {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// Reads a duration: one or more whole numbers, each with its unit, the larger unit first. A number
  /// without a unit, a fraction, a sign or an unknown unit is nil, and so is what does not fit.
  public static func parse(_ text: some StringProtocol) -> Duration? {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= 64 else { return nil }
    var position = 0
    var total: Int64 = 0
    var smallest = Int64.max
    while position < bytes.count {
      guard let number = number(in: bytes, at: &position),
        let unit = unit(in: bytes, at: &position), unit < smallest
      else {
        return nil
      }
      smallest = unit
      let (scaled, overflow) = number.multipliedReportingOverflow(by: unit)
      let (sum, carried) = total.addingReportingOverflow(scaled)
      guard !overflow, !carried else { return nil }
      total = sum
    }
    return .milliseconds(total)
  }

  /// Writes a duration in as few parts as it takes: `5m`, `72h`, `1h30m`, `0s`. What is finer than a
  /// millisecond is dropped.
  public static func format(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    // No span that anybody measures is longer.
    let whole = min(max(seconds, -.years), .years)
    var rest = whole * 1_000 + attoseconds / 1_000_000_000_000_000
    guard rest > 0 else { return "0s" }
    // Days only where the number is whole, so that 72h stays what an operator wrote.
    if rest % 86_400_000 == 0, rest > 7 * 86_400_000 {
      return "\(rest / 86_400_000)d"
    }
    var text = ""
    for unit in units.dropFirst() where rest >= unit.milliseconds {
      text += "\(rest / unit.milliseconds)\(unit.name)"
      rest %= unit.milliseconds
    }
    return text
  }

  private static func number(in bytes: [UInt8], at position: inout Int) -> Int64? {
    let digits = bytes[position...].prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 15 else { return nil }
    position = digits.endIndex
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func unit(in bytes: [UInt8], at position: inout Int) -> Int64? {
    let letters = bytes[position...].prefix { !(0x30...0x39).contains($0) }
    position = letters.endIndex
    let name = String(decoding: letters, as: UTF8.self)
    return units.first { $0.name == name }?.milliseconds
  }
}

extension Int64 {
  /// The seconds of a hundred million years.
  fileprivate static let years: Int64 = 3_155_760_000_000_000
}
