import GSM

/// How text is typed and shown: `+CSCS` (3GPP TS 27.007 5.5).
enum CharacterSet: String, CaseIterable, Hashable, Sendable {
  /// The septets of the default alphabet, one a byte: `@` is NUL, and `$` is 2.
  case gsm = "GSM"
  /// ASCII.
  case ira = "IRA"
  /// UTF-16 in hexadecimal digits.
  case ucs2 = "UCS2"
  /// The septets of the default alphabet in hexadecimal digits.
  case hex = "HEX"

  /// The bytes that show a text; `?` for what cannot be shown.
  func bytes(_ text: String) -> [UInt8] {
    switch self {
    case .gsm: CharacterSet.septets(text)
    case .ira: text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? UInt8($0.value) : 0x3F }
    case .ucs2: Array(Hex.encode(CharacterSet.octets(text)).utf8)
    case .hex: Array(Hex.encode(CharacterSet.septets(text)).utf8)
    }
  }

  /// The text that was typed; nil when it is none.
  func text(_ bytes: [UInt8]) -> String? {
    switch self {
    case .gsm: return GSMText.text(septets: bytes.map { $0 & 0x7F })
    case .ira: return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    case .ucs2:
      guard let octets = try? Hex.decode(utf8: bytes), octets.count.isMultiple(of: 2) else {
        return nil
      }
      let units = stride(from: 0, to: octets.count, by: 2).map {
        UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    case .hex:
      guard let septets = try? Hex.decode(utf8: bytes), septets.allSatisfy({ $0 < 0x80 }) else {
        return nil
      }
      return GSMText.text(septets: septets)
    }
  }

  /// The octets of a text in UTF-16, big-endian.
  static func octets(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static func septets(_ text: String) -> [UInt8] {
    GSMText.septets(text)
      ?? text.flatMap { GSMText.septets(String($0)) ?? [0x3F] }
  }
}
