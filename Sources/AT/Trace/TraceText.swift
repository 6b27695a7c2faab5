import GSM

/// The lines of a trace.
enum TraceText {
  /// Bytes as they stand between quotes.
  static func escaped(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x0D: text += [0x5C, 0x72]
      case 0x0A: text += [0x5C, 0x6E]
      case 0x22, 0x5C: text += [0x5C, byte]
      case 0x20...0x7E: text.append(byte)
      default: text += [0x5C, 0x78] + Hex.encode([byte]).lowercased().utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The entry of a line: a time, a direction, and bytes between quotes.
  static func entry(
    _ line: ArraySlice<UInt8>
  ) throws(ModemTraceError.Reason) -> ModemTrace.Entry {
    let digits = line.prefix { (0x30...0x39).contains($0) }
    guard let milliseconds = Int64(String(decoding: digits, as: UTF8.self)),
      milliseconds <= Limits.traceMilliseconds
    else { throw .noTime }
    var rest = blanks(line[digits.endIndex...])
    let direction: ModemTrace.Direction
    switch rest.first {
    case 0x3C: direction = .fromModem
    case 0x3E: direction = .toModem
    default: throw .noDirection
    }
    rest = blanks(rest.dropFirst())
    guard rest.popFirst() == 0x22 else { throw .noQuotes }
    let bytes = try bytes(&rest)
    guard rest.popFirst() == 0x22, blanks(rest).isEmpty else { throw .noQuotes }
    return ModemTrace.Entry(milliseconds: milliseconds, direction: direction, bytes: bytes)
  }

  /// The bytes up to the closing quote, which stays.
  private static func bytes(
    _ rest: inout ArraySlice<UInt8>
  ) throws(ModemTraceError.Reason) -> [UInt8] {
    var bytes: [UInt8] = []
    while let byte = rest.first, byte != 0x22 {
      rest = rest.dropFirst()
      guard byte == 0x5C else {
        guard (0x20...0x7E).contains(byte) else { throw .notPrintable }
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case 0x72: bytes.append(0x0D)
      case 0x6E: bytes.append(0x0A)
      case 0x22: bytes.append(0x22)
      case 0x5C: bytes.append(0x5C)
      case 0x78:
        guard let byte = try? Hex.decode(utf8: Array(rest.prefix(2))).first else {
          throw .badEscape
        }
        bytes.append(byte)
        rest = rest.dropFirst(2)
      default: throw .badEscape
      }
    }
    return bytes
  }

  private static func blanks(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// Whether a byte is what was recorded.
  static func matches(_ recorded: UInt8, _ byte: UInt8) -> Bool {
    if recorded == byte || lower(recorded) == lower(byte) { return true }
    guard recorded == 0x2A else { return false }
    return (0x30...0x39).contains(byte) || (0x61...0x66).contains(lower(byte))
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
