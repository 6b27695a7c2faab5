import Events
import Glibc
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
  /// How far the reader's clock is ahead of UTC at a moment, in minutes.
  private let offset: @Sendable (WallTime) -> Int

  /// Lines in the time zone that `offset` tells of; by default that of this machine.
  public init(
    isColoured: Bool, offset: @escaping @Sendable (WallTime) -> Int = LocalTime.offsetMinutes
  ) {
    self.isColoured = isColoured
    self.offset = offset
  }

  /// The record as one line, without the end of the line. Whoever wrote the record, nothing in the line
  /// but its own colours is obeyed by a terminal.
  public func text(_ record: LogRecord) -> String {
    var tail = [ForeignText.shown(record.words)]
    if let next = record.next {
      tail.append(
        "\(ForeignText.shown(next.words)) \(clock(next.at, seenFrom: record.time))")
    }
    if let waiting = record.waiting {
      tail.append("\(waiting) waiting")
    }
    let about = [record.subject ?? "", record.fields["plate"]?.text ?? ""]
      .filter { !$0.isEmpty }.map(ForeignText.shown).joined(separator: " ")
    let name = ForeignText.padded(ForeignText.shown(record.name), to: LogLine.nameColumns)
    return paint(time(record.time), .dim) + "  " + paint(name, colour(record.level)) + "  "
      + ForeignText.padded(about, to: LogLine.subjectColumns) + "  " + tail.joined(separator: ", ")
  }

  /// The heading of a day's lines, for a log that spans several: `2026-11-21`.
  public func day(_ time: WallTime) -> String {
    String(local(time).prefix(10))
  }

  private func time(_ time: WallTime) -> String {
    String(local(time).dropFirst(11).prefix(8))
  }

  /// The time of a step: with the date when it is not the day of the event.
  private func clock(_ moment: WallTime, seenFrom event: WallTime) -> String {
    day(moment) == day(event) ? time(moment) : "\(day(moment)) \(time(moment))"
  }

  private func local(_ time: WallTime) -> String {
    WallTime(epochSeconds: time.epochSeconds).rfc3339(offsetMinutes: offset(time))
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

/// The time zone of this machine.
public enum LocalTime {
  /// How far the zone's clock is ahead of UTC at a moment, in minutes.
  public static func offsetMinutes(at time: WallTime) -> Int {
    var seconds = time_t(time.epochSeconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return 0 }
    return Int(parts.tm_gmtoff) / 60
  }
}
