import GSM

/// Redacts a trace: phone numbers, PINs, the numbers of modem and SIM, and the texts in PDUs. Everything
/// else, and every length, stays as it was.
///
/// What was written to the modem gets `*`, which a replay takes for any digit. What came from it gets
/// zeros in the right places, so that a driver to which it is replayed still finds a message there.
enum TraceMask {
  /// Digits in a row, between quotes, from which on they are masked: a PIN has four.
  private static let quotedDigits = 4
  /// Digits in a row outside of quotes: those of a modem (IMEI), a subscriber (IMSI) or a SIM (ICCID) have at least fourteen.
  private static let bareDigits = 10
  /// Hexadecimal digits in a row that are taken for a PDU.
  private static let pduDigits = 16

  static func masked(_ bytes: [UInt8], _ direction: ModemTrace.Direction) -> [UInt8] {
    let mark = direction == .toModem ? UInt8(ascii: "*") : UInt8(ascii: "0")
    var masked: [UInt8] = []
    masked.reserveCapacity(bytes.count)
    var rest = bytes[...]
    var isQuoted = false
    while let byte = rest.first {
      let run = rest.prefix { isHexadecimal($0) }
      let digits = run.prefix { isDigit($0) }
      if run.count >= pduDigits, run.contains(where: { !isDigit($0) }) || run.count > 20 {
        masked += direction == .toModem ? blanked(run, mark) : hollow(run)
        rest = rest.dropFirst(run.count)
      } else if digits.count >= (isQuoted ? quotedDigits : bareDigits) {
        masked += blanked(digits, mark)
        rest = rest.dropFirst(digits.count)
      } else if !digits.isEmpty {
        masked += digits
        rest = rest.dropFirst(digits.count)
      } else {
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == 0x0D || byte == 0x0A { isQuoted = false }
        masked.append(byte)
        rest = rest.dropFirst()
      }
    }
    return masked
  }

  private static func blanked(_ run: ArraySlice<UInt8>, _ mark: UInt8) -> [UInt8] {
    [UInt8](repeating: mark, count: run.count)
  }

  /// A PDU with its numbers and its text zeroed (3GPP TS 23.040 9.2.2); one that has another shape is
  /// zeroed whole.
  private static func hollow(_ run: ArraySlice<UInt8>) -> [UInt8] {
    let zeros = blanked(run, UInt8(ascii: "0"))
    guard var octets = try? Hex.decode(utf8: Array(run)), let length = octets.first else {
      return zeros
    }
    var place = 1
    func clear(_ count: Int) -> Bool {
      guard count >= 0, place + count <= octets.count else { return false }
      for index in place..<(place + count) { octets[index] = 0 }
      place += count
      return true
    }
    // The service centre's type is kept, its digits are not.
    if length > 0 {
      place = 2
      guard clear(Int(length) - 1) else { return zeros }
    }
    guard place < octets.count else { return zeros }
    let kind = octets[place] & 3
    // A status report has its reference before the number.
    place += kind == 2 ? 2 : 1
    guard place + 1 < octets.count else { return zeros }
    let digits = Int(octets[place])
    place += 2
    guard kind == 0 || kind == 2, clear((digits + 1) / 2) else { return zeros }
    if kind == 0 {
      // Protocol, coding, time; the length of the text stays.
      place += 10
      guard place <= octets.count, clear(octets.count - place) else { return zeros }
    }
    return Array(Hex.encode(octets).utf8)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

extension ModemTrace {
  /// The trace without phone numbers, PINs, the numbers of modem and SIM, and the texts in PDUs. Times
  /// and lengths stay; what came in pieces is masked as one.
  public var masked: ModemTrace {
    var masked = self
    var start = 0
    while start < entries.count {
      let direction = entries[start].direction
      let end = entries[start...].firstIndex { $0.direction != direction } ?? entries.count
      var whole = TraceMask.masked(entries[start..<end].flatMap(\.bytes), direction)[...]
      for index in start..<end {
        let count = entries[index].bytes.count
        masked.entries[index].bytes = Array(whole.prefix(count))
        whole = whole.dropFirst(count)
      }
      start = end
    }
    return masked
  }
}
