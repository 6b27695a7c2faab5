import Doctor
import Text

extension Finding {
  /// Columns that its mark and its label take; on a phone the rest stands further to the left.
  private static let indent = 24

  /// The finding as lines for people, none of them wider than the terminal.
  func lines(colour: Bool, columns: Int) -> [ShownText] {
    let mark =
      switch state {
      case .good: Colour.good.paint("ok  ", if: colour)
      case .warning: Colour.warning.paint("warn", if: colour)
      case .bad: Colour.bad.paint("BAD ", if: colour)
      case .skipped: Colour.faint.paint("--  ", if: colour)
      }
    let padded = label + String(repeating: " ", count: max(1, 18 - label.count))
    let indent = columns < 72 ? 6 : Finding.indent
    let space = String(repeating: " ", count: indent)
    let which = modem.map { "\($0): " } ?? ""
    let told = WrappedText.lines(
      ForeignText.shown(which + words), columns: columns, first: 6 + ForeignText.width(padded),
      indent: indent)
    var lines: [ShownText] = []
    for (index, line) in told.enumerated() {
      lines.append(index == 0 ? "\(mark)  \(padded)\(line)" : "\(space)\(line)")
    }
    guard let remedy else { return lines }
    let advice = WrappedText.lines(
      ForeignText.shown(remedy), columns: columns, first: indent + 2, indent: indent + 2)
    for (index, line) in advice.enumerated() {
      lines.append(index == 0 ? "\(space)→ \(line)" : "\(space)  \(line)")
    }
    return lines
  }
}
