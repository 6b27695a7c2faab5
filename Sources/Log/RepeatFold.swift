import Events
import Text
import Time

/// Equal warnings in a row, for people: the first is shown, and how often it came again once something else
/// happens, or after a while. Nothing is folded in JSON.
public struct RepeatFold {
  /// A run of equal warnings is told of after so long, though it goes on.
  private static let toldAfter: Duration = .seconds(600)

  private struct Run {
    var record: LogRecord
    var since: WallTime
    var count = 0
  }

  private var run: Run?

  /// Nothing was shown yet.
  public init() {}

  /// What is to be shown now: how often the last one came again, and the record itself unless it is the same.
  public mutating func take(_ record: LogRecord) -> [LogRecord] {
    guard record.level >= .warning else {
      defer { run = nil }
      return end() + [record]
    }
    guard var same = run, RepeatFold.isSame(same.record, record) else {
      defer { run = Run(record: record, since: record.time) }
      return end() + [record]
    }
    same.count += 1
    same.record.time = record.time
    same.record.next = record.next
    same.record.waiting = record.waiting
    run = same
    guard record.time - same.since >= RepeatFold.toldAfter else { return [] }
    defer { run = Run(record: record, since: record.time) }
    return end()
  }

  /// How often the last one came again that was not shown.
  public mutating func end() -> [LogRecord] {
    guard let run, run.count > 0 else { return [] }
    self.run = nil
    var summary = run.record
    let seconds = max(1, (run.record.time - run.since).wholeSeconds)
    let span = seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
    summary.words =
      "\(run.count) time\(run.count == 1 ? "" : "s") more in \(span): \(run.record.words)"
    return [summary]
  }

  /// Whether two records say the same of the same.
  private static func isSame(_ one: LogRecord, _ other: LogRecord) -> Bool {
    one.name == other.name && one.level == other.level && one.subject == other.subject
      && one.words == other.words && one.fields["plate"] == other.fields["plate"]
      && one.fields["modem"] == other.fields["modem"]
  }
}
