/// What redraws a page on a terminal in place: each line is written over the one before and its rest
/// cleared, so that nothing flickers and what follows the page goes.
struct WatchedScreen {
  private let descriptor: Int32

  /// The screen of a terminal; nil where there is none.
  init?(_ descriptor: Int32) {
    guard Terminal.isTerminal(descriptor) else { return nil }
    self.descriptor = descriptor
  }

  /// Clears it, and hides the cursor.
  var begin: String { "\u{1B}[?25l\u{1B}[H\u{1B}[2J" }

  /// Shows the cursor again; the last page stays.
  var end: String { "\u{1B}[?25h" }

  /// One page, cut where the terminal ends.
  func frame(of lines: [ShownText]) -> String {
    WatchedScreen.frame(of: lines, rows: Terminal.rows(descriptor))
  }

  /// One page on so many rows: the last of them stays free for the cursor.
  static func frame(of lines: [ShownText], rows: Int) -> String {
    let shown = lines.prefix(max(1, rows - 1)).map { $0.text + "\u{1B}[K\r\n" }
    return "\u{1B}[H" + shown.joined() + "\u{1B}[J"
  }
}
