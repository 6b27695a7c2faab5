/// Why a text is no plate.
public enum PlateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing in it that makes a plate.
  case empty
  /// Fewer than two letters and digits remain; the count.
  case tooShort(Int)
  /// More than twenty letters and digits remain, or more bytes than are looked at; the count.
  case tooLong(Int)
  /// A character that stands for no letter or digit of a plate. It is shown and never dropped: a
  /// dropped letter makes another vehicle.
  case unmapped(character: Unicode.Scalar, position: Int)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .empty:
      "the plate is empty; write its letters and digits, such as BA 1 PA 1234"
    case .tooShort(let count):
      "the plate has \(count) letters and digits; a plate has 2 at least"
    case .tooLong(let count):
      "the plate is too long: \(count), where 20 letters and digits are the most"
    case .unmapped(let character, let position):
      "the plate has \(PlateError.shown(character)) as character \(position), which stands for no"
        + " letter or digit; write it in Latin or Devanagari letters"
    }
  }

  /// The character with its code point, so that one that cannot be seen can be looked up.
  private static func shown(_ character: Unicode.Scalar) -> String {
    let code = String(character.value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: max(0, 4 - code.utf8.count)) + code
    switch character.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .nonspacingMark, .spacingMark,
      .enclosingMark:
      return name
    default:
      return "'\(character)' (\(name))"
    }
  }
}
