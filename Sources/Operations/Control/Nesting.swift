/// How deep a text nests, told before it is decoded: decoders call themselves for each level, and a
/// thread's stack ends long before a line of some kilobytes does.
enum Nesting {
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

  /// The line, counted from 1, from which on a YAML text may nest deeper than a configuration has to;
  /// nil when it does not.
  ///
  /// A text in quotes or a comment cannot be told apart without reading YAML, so brackets are counted
  /// wherever they stand, and never taken back. Without brackets each level stands further to the right,
  /// or behind one more `- ` or `? ` at the start of its line.
  static func deepLine(yaml text: String) -> Int? {
    var line = 1
    var brackets = 0
    var column = 0
    var isAtStart = true
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        // As YAML 1.1 ends lines. What an editor counts as one is the first of them.
        if scalar == "\n" { line += 1 }
        column = 0
        isAtStart = true
        continue
      case "[", "{":
        brackets += 1
        if brackets > Limits.yamlBrackets { return line }
        isAtStart = false
      case " ", "\t", "-", "?", ":", "\u{FEFF}":
        guard isAtStart else { break }
        column += 1
        if column > Limits.yamlIndent { return line }
      default: isAtStart = false
      }
    }
    return nil
  }
}
