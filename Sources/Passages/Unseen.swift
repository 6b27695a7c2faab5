/// Characters that nobody sees: they come with a text from telephones, gateways and editors, and stand
/// before `V1` as if it began with something else.
enum Unseen {
  /// Whether a character shows nothing: controls, a byte order mark in either order, what joins, splits or
  /// turns what stands beside it.
  static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: false
    // A byte order mark read in the wrong order, and the others that are no characters.
    case let value where value & 0xFFFE == 0xFFFE: true
    case 0x034F, 0x115F, 0x1160, 0x3164, 0xFE00...0xFE0F, 0xFFA0: true
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// The text without what is unseen or blank at its ends.
  static func trimmed(_ text: String) -> Substring.UnicodeScalarView {
    var rest = text[...].unicodeScalars
    func isNothing(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || isUnseen(scalar)
    }
    while let first = rest.first, isNothing(first) { rest.removeFirst() }
    while let last = rest.last, isNothing(last) { rest.removeLast() }
    return rest
  }

  /// The text in quotes, with `\u{200B}` for what nobody would see in it.
  static func quoted(_ text: some StringProtocol) -> String {
    var shown = String.UnicodeScalarView()
    shown.append("\"")
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        shown.append("\\")
        shown.append(scalar)
      } else if isUnseen(scalar) || scalar != " " && scalar.properties.isWhitespace {
        shown.append(
          contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      } else {
        shown.append(scalar)
      }
    }
    shown.append("\"")
    return String(shown)
  }
}
