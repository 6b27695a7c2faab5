import FoundationEssentials

/// Writes JSON values on one line, byte for byte as Foundation does with sorted keys. Every event of the log is such a
/// line, and Foundation's encoder took a tenth of central's thread while texts came in.
struct JSONLineWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let integer): bytes += String(integer).utf8
    case .number(let number):
      // Only a number that is not finite could make this fail, and events have none.
      bytes += (try? JSONEncoder().encode(number)) ?? Data("null".utf8)
    case .text(let text): write(text)
    case .list(let list):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in list.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(value)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in object.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(member.key)
        bytes.append(UInt8(ascii: ":"))
        write(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// A string with what has to be escaped in it (RFC 8259, section 7).
  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x08: bytes += #"\b"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0x0A: bytes += #"\n"#.utf8
      case 0x0C: bytes += #"\f"#.utf8
      case 0x0D: bytes += #"\r"#.utf8
      case ..<0x20:
        bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
        bytes += String(byte, radix: 16).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
