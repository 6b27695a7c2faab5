/// How deep a text nests, told before it is decoded: decoders call themselves for each level, and a
/// thread's stack ends long before a line of some kilobytes does.
enum JSONNesting {
  /// Whether a JSON text nests deeper than ``Limits/nesting``, or is in an encoding in which that cannot
  /// be told from its bytes: UTF-8 alone is read here (RFC 8259, 8.1).
  static func isTooDeep(json bytes: [UInt8]) -> Bool {
    // What begins a text in another encoding (a mark of its byte order), or stands in each of its letters.
    if let first = bytes.first, first >= 0xFE { return true }
    var depth = 0
    var isInText = false
    var isEscaped = false
    for byte in bytes {
      if byte == 0 { return true }
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > Limits.nesting { return true }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return false
  }
}
