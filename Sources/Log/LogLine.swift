public import EventLoop
import Events
import JSON
import Text
public import Time

/// Writes a record as people read it: time, level, what it is about, words before codes, the next step and
/// its time at the end.
///
/// On a terminal of 80 columns two lines at most, the second one below the words:
///
///     14:02:11 W BNP-A plate#1f9c03aa  CMS 38 network out of order, attempt 2 to ••67,
///                next try 14:03:20, 3 waiting
///
/// Where there is room for more, and in a file or a pipe, the name of the event stands before it, and what
/// it is about in a column of its own.
public struct LogLine: Sendable {
  /// Columns of the name and of the subject; longer ones push the rest to the right. The subject is a
  /// post of up to five letters, a keyed mask (`plate#1f9c03aa`), or both.
  static let nameColumns = 20
  static let subjectColumns = 20
  /// Columns that time and level take.
  static let prefixColumns = 11
  /// From so many columns on the names of events are shown.
  static let wide = 120
  /// Columns of words that a line has on a terminal of 80 columns; narrower ones get as many lines as
  /// they need for two of these.
  static let wordColumns = 80 - prefixColumns

  private let look: ConsoleLook
  /// The reader's clock.
  private let clock: LocalClock

  /// Lines with the times of a clock; by default that of this machine's zone.
  public init(_ look: ConsoleLook = ConsoleLook(), clock: LocalClock = .ofThisMachine) {
    self.look = look
    self.clock = clock
  }

  /// The record in its lines, without the end of the last one. Whoever wrote the record, nothing in it but
  /// its own colours is obeyed by a terminal.
  public func text(_ record: LogRecord) -> String {
    let columns = look.columns()
    let about = LogLine.about(record)
    let start =
      paint(clock.time(record.time), .dim) + " "
      + paint(LogLine.letter(record.level), colour(record.level)) + " "
    guard let columns, columns < LogLine.wide else {
      return start + wideText(record, about, columns)
    }
    let head = about.isEmpty ? "" : about + "  "
    let indent = LogLine.prefixColumns
    return start + fitted(record, head, columns - indent, indent)
  }

  /// The record in one sentence without its time: what it is about, what happened, and what comes next.
  public func sentence(_ record: LogRecord) -> String {
    let about = LogLine.about(record)
    return (about.isEmpty ? "" : about + "  ") + words(record, record.words)
  }

  /// A day's heading that stands above its lines.
  public func heading(_ words: String) -> String { paint("-- \(words)", .dim) }

  /// Lines with the name of the event and a column for what it is about.
  private func wideText(_ record: LogRecord, _ about: String, _ columns: Int?) -> String {
    let name = ForeignText.padded(ForeignText.shown(record.name), to: LogLine.nameColumns)
    let subject = ForeignText.padded(about, to: LogLine.subjectColumns) + "  "
    let start = paint(name, colour(record.level)) + "  "
    guard let columns else { return start + subject + words(record, record.words) }
    let indent = LogLine.prefixColumns + ForeignText.width(name) + 2
    let deeper = indent + ForeignText.width(subject)
    // A subject that is very long leaves no room beside it.
    guard columns - deeper >= LogLine.wordColumns / 2 else {
      return start + fitted(record, subject, columns - indent, indent)
    }
    return start + subject + fitted(record, "", columns - deeper, deeper)
  }

  /// Head and words in as many lines as there may be, with spaces below the beginning. What does not fit is
  /// cut from what happened, so that what helps, behind the last semicolon, and what comes next always stand
  /// there: in a line more where they need it.
  private func fitted(_ record: LogRecord, _ head: String, _ columns: Int, _ indent: Int) -> String
  {
    let isNarrow = columns < LogLine.wordColumns && columns + indent < LogLine.wide
    let most = isNarrow ? (2 * LogLine.wordColumns + columns - 1) / max(columns, 1) : 2
    var lines = LineWrap.lines(head + words(record, record.words), columns: columns)
    let (what, advice) = LogLine.halves(record.words)
    var rest = what.split(separator: " ")
    while lines.count > most, rest.count > LogLine.leastWords, rest.popLast() != nil {
      let cut = rest.joined(separator: " ") + "…" + advice
      lines = LineWrap.lines(head + words(record, cut), columns: columns)
    }
    // Without advice whatever is too long is cut, a subject too.
    let shown = advice.isEmpty ? lines.prefix(most) : lines[...]
    return shown.joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// Words of what happened that stay, whatever else has to be said.
  private static let leastWords = 3

  /// What happened, and what helps with the semicolon before it; of words without one all may be cut.
  private static func halves(_ words: String) -> (what: String, advice: String) {
    guard let sign = words.lastIndex(of: ";") else { return (words, "") }
    return (String(words[..<sign]), String(words[sign...]))
  }

  private func words(_ record: LogRecord, _ words: String) -> String {
    var parts = [ForeignText.shown(words)]
    parts += passage(record)
    // Numbers stand masked in fields of their own, and so never in the words.
    for (key, word) in [("from", "from"), ("to", "to")] {
      if let number = record.fields[key]?.text, !number.isEmpty {
        parts.append("\(word) \(ForeignText.shown(number))")
      }
    }
    if let attempt = record.fields["attempt"]?.integer, attempt > 1 {
      parts.append("attempt \(attempt)")
    }
    if let next = record.next {
      parts.append(
        "\(ForeignText.shown(next.words)) \(clock.text(next.at, seenFrom: record.time))")
    }
    if let waiting = record.waiting {
      parts.append("\(waiting) waiting")
    }
    return parts.joined(separator: ", ")
  }

  /// What central tells of a passage beside its plate: type, time, how late it came, and who wrote it down.
  private func passage(_ record: LogRecord) -> [String] {
    var parts: [String] = []
    if let type = record.fields["vehicle_type"]?.text, !type.isEmpty {
      parts.append(ForeignText.shown(type))
    }
    if let text = record.fields["recorded_at"]?.text, let at = WallTime(rfc3339: text) {
      parts.append("recorded \(clock.text(at, seenFrom: record.time))")
    }
    if let delay = record.fields["delay_seconds"]?.integer {
      parts.append(
        delay < 0
          ? "\(DurationText.format(.seconds(-delay))) ahead of central"
          : "\(DurationText.format(.seconds(delay))) later")
    }
    if let digits = record.fields["ranger_digits"]?.text {
      parts.append("ranger …\(ForeignText.shown(digits))")
    }
    return parts
  }

  private static func about(_ record: LogRecord) -> String {
    [record.subject ?? "", record.fields["plate"]?.text ?? ""]
      .filter { !$0.isEmpty }.map(ForeignText.shown).joined(separator: " ")
  }

  private static func letter(_ level: LogLevel) -> String {
    level.rawValue.prefix(1).uppercased()
  }

  private enum Paint: String {
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
    look.isColoured ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }
}
