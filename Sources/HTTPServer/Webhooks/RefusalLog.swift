import Events
import Log
import Synchronization
import Time

/// The log of requests that were refused. A flood of them fills no disk: only the first ones of each
/// minute and kind are written, and the next one after that says how many were not.
final class RefusalLog: Sendable {
  private struct Window {
    var since: BootInstant?
    var written = 0
    var leftOut = 0
    /// Of all times.
    var count = 0
  }

  /// For each kind of refusal its own: a rare one is not hidden by many of another kind.
  private let windows = Mutex<[String: Window]>([:])
  private let clocks: any Clocks
  private let log: ServiceLog

  init(clocks: any Clocks, log: ServiceLog) {
    self.clocks = clocks
    self.log = log
  }

  /// How often something was refused, by the name of its event, in the order of the names.
  var counts: [(name: String, count: Int)] {
    windows.withLock { windows in windows.map { ($0.key, $0.value.count) } }
      .sorted { $0.name < $1.name }
  }

  /// Counts a refusal, and writes it into the log while it is among the first `most` of its minute.
  func record(
    _ code: String, _ level: LogLevel, _ words: String, most: Int = Limits.loggedRefusals
  ) {
    let now = clocks.boot()
    let leftOut = windows.withLock { windows -> Int? in
      var window = windows[code] ?? Window()
      window.count += 1
      defer { windows[code] = window }
      if let since = window.since, now - since < Limits.refusalWindow {
        guard window.written < most else {
          window.leftOut += 1
          return nil
        }
        window.written += 1
        return 0
      }
      let leftOut = window.leftOut
      window = Window(since: now, written: 1, count: window.count)
      return leftOut
    }
    guard let leftOut else { return }
    let more = leftOut == 0 ? "" : " (\(leftOut) more before this one were not written)"
    log.record(Event(code, level, at: clocks.wall(), words: words + more))
  }
}
