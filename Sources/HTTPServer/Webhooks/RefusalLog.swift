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

  /// What was refused, and with which code where there are several.
  private struct Kind: Hashable {
    var event: String
    var code: String?
  }

  /// For each kind of refusal its own: a rare one is not hidden by many of another kind.
  private let windows = Mutex<[Kind: Window]>([:])
  private let clocks: any Clocks
  private let log: ServiceLog

  init(clocks: any Clocks, log: ServiceLog) {
    self.clocks = clocks
    self.log = log
  }

  /// How often something was refused.
  var counts: [RefusalCount] {
    windows.withLock { windows in
      windows.map { RefusalCount(name: $0.key.event, code: $0.key.code, count: $0.value.count) }
    }
  }

  /// Counts a refusal, and writes it into the log while it is among the first `most` of its minute.
  ///
  /// - Parameter reason: The code that was answered, of an event that has several; one of few that there are.
  func record(
    _ code: String, _ level: LogLevel, _ words: String, reason: String? = nil,
    most: Int = Limits.loggedRefusals
  ) {
    let kind = Kind(event: code, code: reason)
    let now = clocks.boot()
    let leftOut = windows.withLock { windows -> Int? in
      var window = windows[kind] ?? Window()
      window.count += 1
      defer { windows[kind] = window }
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

/// How often something was refused since the start.
public struct RefusalCount: Hashable, Sendable {
  /// The name of the log's event.
  public var name: String
  /// The code that was answered, of an event that has several.
  public var code: String?
  /// How often.
  public var count: Int
}
