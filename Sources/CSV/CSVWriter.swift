/// Writes CSV (RFC 4180) for people who open it in a spreadsheet.
///
/// A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a return for a formula,
/// quoted or not, and what a stranger wrote would be reckoned out on the operator's machine (CWE-1236).
/// Such a cell gets a `'` before it, by which spreadsheets mean text; ``CSVReader`` takes it away again,
/// so that what was written is read back as it was.
public enum CSVWriter {
  /// A record without its line end. Line ends within a field become spaces: ``CSVReader`` reads none.
  public static func line(_ fields: [String]) -> String {
    fields.map(cell).joined(separator: ",")
  }

  private static func cell(_ field: String) -> String {
    let hasLineEnds = field.utf8.contains { $0 == 0x0A || $0 == 0x0D }
    let text = FormulaGuard.guarded(hasLineEnds ? onOneLine(field) : field)
    return needsQuotes(text.utf8) ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  private static func onOneLine(_ field: String) -> String {
    String(field.map { $0 == "\n" || $0 == "\r" || $0 == "\r\n" ? " " : $0 })
  }

  /// Whether a field would be read otherwise without quotes: for a comma or a quote, for blanks at its
  /// ends, and for what begins a comment.
  private static func needsQuotes(_ text: String.UTF8View) -> Bool {
    func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    return text.contains { $0 == 0x2C || $0 == 0x22 } || isBlank(text.first) || isBlank(text.last)
      || text.first == 0x23
  }
}

/// The mark before a cell that a spreadsheet would reckon out.
enum FormulaGuard {
  private static let mark = UInt8(ascii: "'")

  /// The field, with a mark before it where it needs one. Also where it has marks already, so that
  /// taking one away gives back every text.
  static func guarded(_ field: String) -> String {
    isFormula(field.utf8[...]) ? "'" + field : field
  }

  /// The field without the mark that ``guarded(_:)`` put there.
  static func unguarded(_ field: [UInt8]) -> ArraySlice<UInt8> {
    field.first == mark && isFormula(field.dropFirst()) ? field.dropFirst() : field[...]
  }

  /// Whether a field begins like a formula, behind blanks and marks.
  private static func isFormula(_ field: some Collection<UInt8>) -> Bool {
    for (index, byte) in zip(field.indices, field) {
      switch byte {
      case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
        0x09, 0x0D:
        return true
      case mark, 0x20: continue
      // ＋, －, ＝ and ＠ (U+FF0B, FF0D, FF1D, FF20), which some spreadsheets take for the narrow ones.
      case 0xEF:
        let scalar = Array(field[index...].prefix(3))
        return [[0xEF, 0xBC, 0x8B], [0xEF, 0xBC, 0x8D], [0xEF, 0xBC, 0x9D], [0xEF, 0xBC, 0xA0]]
          .contains(scalar)
      default: return false
      }
    }
    return false
  }
}
