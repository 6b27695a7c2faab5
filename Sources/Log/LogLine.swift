public import EventLoop
import Events
import JSON
import Text
public import Time

/// Writes a record as people read it: one aligned line, words before codes, the next step and its
/// time at the end.
///
/// `14:02:11  text_refused          BNP-A #17             CMS 38 network out of order, next try 14:03:20, 3 waiting`
public struct LogLine: Sendable {
  /// Columns of the name and of the subject; longer ones push the rest to the right. The subject is a
  /// post of up to five letters, a keyed mask (`plate#1f9c03aa`), or both.
  static let nameColumns = 20
  static let subjectColumns = 20

  /// Whether levels have colours.
  public var isColoured: Bool
  /// The reader's clock.
  private let clock: LocalClock

  /// Lines with the times of a clock; by default that of this machine's zone.
  public init(isColoured: Bool, clock: LocalClock = .ofThisMachine) {
    self.isColoured = isColoured
    self.clock = clock
  }

  /// The record as one line, without the end of the line. Whoever wrote the record, nothing in the line
  /// but its own colours is obeyed by a terminal.
  public func text(_ record: LogRecord) -> String {
    var tail = [ForeignText.shown(record.words)]
    if let next = record.next {
      tail.append(
        "\(ForeignText.shown(next.words)) \(clock.text(next.at, seenFrom: record.time))")
    }
    if let waiting = record.waiting {
      tail.append("\(waiting) waiting")
    }
    let about = [record.subject ?? "", record.fields["plate"]?.text ?? ""]
      .filter { !$0.isEmpty }.map(ForeignText.shown).joined(separator: " ")
    let name = ForeignText.padded(ForeignText.shown(record.name), to: LogLine.nameColumns)
    return paint(clock.time(record.time), .dim) + "  " + paint(name, colour(record.level)) + "  "
      + ForeignText.padded(about, to: LogLine.subjectColumns) + "  " + tail.joined(separator: ", ")
  }

  private enum Paint: String {
    case none = ""
    case dim = "2"
    case green = "32"
    case yellow = "33"
    case red = "31"
    case cyan = "36"
  }

  private func colour(_ level: LogLevel) -> Paint {
    switch level {
    case .debug: .dim
    case .info: .green
    case .notice: .cyan
    case .warning: .yellow
    case .error: .red
    }
  }

  private func paint(_ text: String, _ paint: Paint) -> String {
    isColoured && paint != .none ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }
}
