import ArgumentParser
import Control
import EventLoop
import Log
import PassageFiles
import Time

/// A time that an option names, in the forms that all commands take.
enum TimeOption {
  /// What is accepted, for the help of a command.
  static let forms =
    "2026-11-21T14:00:00Z, 2026-11-21 (midnight here), 14:00 (today), 90m (ago), or seconds since 1970"

  /// The help of an option: what it is for, and what is accepted.
  static func help(_ words: String) -> ArgumentHelp {
    ArgumentHelp("\(words): \(forms).", valueName: "time")
  }

  /// Reads the time; nil where the option is not there.
  ///
  /// - Throws: That it is none.
  static func read(
    _ text: String?, _ option: String, now: WallTime = SystemClocks().wall()
  ) throws(CommandFailure) -> WallTime? {
    guard let text else { return nil }
    return try moment(text, option, now: now)
  }

  /// Reads the time.
  ///
  /// - Throws: That it is none.
  static func moment(
    _ text: String, _ option: String, now: WallTime = SystemClocks().wall()
  ) throws(CommandFailure) -> WallTime {
    if let time = TimeText.parse(text) ?? MomentText.parse(text, now: now) { return time }
    guard Int64(text) == nil else {
      throw CommandFailure(.usage, "\(option) \(text): \(TimeText.problem(with: text))")
    }
    throw CommandFailure(.usage, "\(option) \(text): is no time; write \(forms)")
  }

  /// The time in a form that rows of files have too; the text itself where it has one, or is no time, of which a
  /// row says what is wrong.
  static func ofRow(_ text: String, now: WallTime) -> String {
    guard TimeText.parse(text) == nil else { return text }
    return MomentText.parse(text, now: now)?.rfc3339 ?? text
  }

  /// Reads both ends of a time.
  ///
  /// - Throws: That one is none, or that there is nothing between them.
  static func range(
    since: String?, until: String?
  ) throws(CommandFailure) -> (since: WallTime?, until: WallTime?) {
    let range = (since: try read(since, "--since"), until: try read(until, "--until"))
    if let since = range.since, let until = range.until, until <= since {
      throw CommandFailure(.usage, "--until has to be later than --since")
    }
    return range
  }
}

extension LocalClock {
  /// A moment in a column of times of several days: `2026-11-21 14:02:11`; nothing where there is none.
  func cell(_ time: WallTime?) -> String { time.map { full($0) } ?? "" }
}
