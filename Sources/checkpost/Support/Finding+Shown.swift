import Doctor

extension Finding {
  /// The finding as lines for people.
  func lines(colour: Bool) -> [ShownText] {
    let mark =
      switch state {
      case .good: Colour.good.paint("ok  ", if: colour)
      case .warning: Colour.warning.paint("warn", if: colour)
      case .bad: Colour.bad.paint("BAD ", if: colour)
      case .skipped: Colour.faint.paint("--  ", if: colour)
      }
    let padded = label + String(repeating: " ", count: max(1, 18 - label.count))
    let which = modem.map { "\($0): " } ?? ""
    let first: ShownText = "\(mark)  \(padded)\(which)\(words)"
    guard let remedy else { return [first] }
    return [first, "\(String(repeating: " ", count: 24))→ \(remedy)"]
  }
}
