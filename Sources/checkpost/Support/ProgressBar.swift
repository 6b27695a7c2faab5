import EventLoop
import Glibc
import Time

/// How far long work has come, on standard error when that is a terminal; nothing otherwise.
///
/// `recording   [###########.............]  46 %  230 of 500  0:03 left`
struct ProgressBar {
  private static let redrawEvery: Duration = .milliseconds(100)
  private let label: String
  private let total: Int
  private let isShown: Bool
  private let clocks: any Clocks
  private let begun: BootInstant
  private var lastDrawn: BootInstant?

  /// A bar for `total` steps of what `label` says.
  init(_ label: String, total: Int, isQuiet: Bool = false, clocks: any Clocks = SystemClocks()) {
    self.label = label
    self.total = total
    self.clocks = clocks
    isShown = !isQuiet && Terminal.isTerminal(STDERR_FILENO)
    begun = clocks.boot()
  }

  /// Shows that `done` steps are done; draws at most ten times a second.
  mutating func show(_ done: Int) {
    guard isShown else { return }
    let now = clocks.boot()
    if let lastDrawn, now - lastDrawn < ProgressBar.redrawEvery, done < total { return }
    lastDrawn = now
    let line = ProgressBar.line(
      label, done: done, total: total, elapsed: now - begun,
      columns: Terminal.columns(STDERR_FILENO))
    draw("\r\(line)\u{1B}[K")
  }

  /// Takes the bar away, so that the results stand alone.
  func finish() {
    if isShown {
      draw("\r\u{1B}[K")
    }
  }

  /// The bar as text of at most `columns` - 1 columns.
  static func line(_ label: String, done: Int, total: Int, elapsed: Duration, columns: Int)
    -> String
  {
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    var tail = "  \(padded(Int(share * 100), 3)) %  \(done) of \(total)"
    if done > 0, done < total {
      let left = Double(elapsed.wholeMilliseconds) * Double(total - done) / Double(done) / 1_000
      tail += "  \(minutes(Int(left.rounded(.up)))) left"
    }
    let head = "\(label)  "
    let room = columns - 1 - head.count - tail.count - 2
    guard room >= 5 else { return String((head + tail).prefix(max(0, columns - 1))) }
    let filled = Int(share * Double(min(room, 40)))
    let empty = min(room, 40) - filled
    return head + "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: empty) + "]" + tail
  }

  private static func minutes(_ seconds: Int) -> String {
    "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
  }

  private static func padded(_ number: Int, _ columns: Int) -> String {
    let text = String(number)
    return String(repeating: " ", count: max(0, columns - text.count)) + text
  }

  private func draw(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
