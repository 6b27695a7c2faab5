import JSON
public import NodeCore

extension Token {
  /// Whom the server gave it to, by its name of him: the `sub` of a JSON Web Token (RFC 7519, 4.1.2). Nil
  /// for a token that is none, or is nobody's. It is read and not checked: the server does that.
  public var subject: String? {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Token.bytes(base64URL: parts[1]) else { return nil }
    return JSONText.decode(bytes)?["sub"]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The bytes that are written in base64 for URLs, without the signs that fill it up (RFC 4648, 5).
  private static func bytes(base64URL text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for digit in text.utf8 {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // One digit alone is no byte.
    return count < 6 ? bytes : nil
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case 0x41...0x5A: UInt32(digit - 0x41)
    case 0x61...0x7A: UInt32(digit - 0x61 + 26)
    case 0x30...0x39: UInt32(digit - 0x30 + 52)
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
