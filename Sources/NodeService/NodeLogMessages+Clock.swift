import Events
import ModemSession
import NodeCore
import Passages
import Time

extension NodeLogMessages {
  /// The event of a clock that shows another time than the network's.
  func clockIsOff(_ comparison: ClockComparison) -> Event {
    make(
      "clock_off", .warning,
      "\(comparison.words); passages get wrong times until it is set (timedatectl)",
      fields: NodeLogMessages.fields(comparison))
  }

  /// The event of a clock that is right again.
  func clockIsRight(_ comparison: ClockComparison) -> Event {
    make(
      "clock_right", .notice, "this machine's clock agrees with the network's time",
      fields: NodeLogMessages.fields(comparison))
  }

  /// The event of a clock that is so many seconds ahead of the server's, or behind it.
  func clockIsOff(by ahead: Int64, from time: WallTime) -> Event {
    make(
      "clock_off", .warning,
      "this machine's clock is \(ClockComparison.span(.seconds(abs(ahead))))"
        + " \(ahead > 0 ? "ahead of" : "behind") the server's; passages get wrong times until it is"
        + " set (timedatectl)",
      fields: [
        EventField("verdict", .text(ahead > 0 ? "ahead" : "behind")),
        EventField("server_time", .text(time.rfc3339)),
        EventField("ahead_seconds", .integer(ahead)),
      ])
  }

  /// The event of a clock that agrees with the server's again.
  func clockAgrees(_ time: WallTime) -> Event {
    make(
      "clock_right", .notice, "this machine's clock agrees with the server's",
      fields: [
        EventField("verdict", .text("agrees")), EventField("server_time", .text(time.rfc3339)),
      ])
  }

  /// The event of a clock that shows a time before the newest moment that the store has seen, or was never set.
  func clockIsWrong(by behind: Duration) -> Event {
    make(
      "clock_wrong", .warning,
      (moment.wall < Passage.earliest
        ? "this machine's clock has not been set"
        : "this machine's clock is at least \(ClockComparison.span(behind)) behind what was recorded before")
        + "; passages get their times when it is set (timedatectl), or the network or the server tells",
      fields: [EventField("ahead_seconds", .integer(-behind.wholeSeconds))])
  }

  /// The event of a clock that was set while the machine ran, and of whoever vouches for what it shows now;
  /// `none` where nobody does.
  func clockWasSet(by step: Duration, _ mended: ClockMending, as source: ClockSource) -> Event {
    let off = step < .zero ? .zero - step : step
    let way = step < .zero ? "back" : "forward"
    return make(
      "clock_set", mended.flagged > 0 || source == .none ? .warning : .notice,
      "this machine's clock was set \(way) by \(ClockComparison.span(off))"
        + (source == .none
          ? "; the time is in doubt until a time service, the server or the mobile network confirms it"
          : NodeLogMessages.words(mended)),
      fields: [
        EventField("step_seconds", .integer(step.wholeSeconds)),
        EventField("clock_source", .text(source.rawValue)),
      ] + NodeLogMessages.fields(mended))
  }

  /// The event of times that were read from a clock that was wrong, as somebody told meanwhile.
  func timesMended(_ mended: ClockMending, by source: ClockSource) -> Event {
    make(
      "times_mended", mended.flagged > 0 ? .warning : .notice,
      "this machine's clock was wrong, as is known from \(source.words)"
        + NodeLogMessages.words(mended),
      fields: [EventField("clock_source", .text(source.rawValue))]
        + NodeLogMessages.fields(mended))
  }

  private static func words(_ mended: ClockMending) -> String {
    func passages(_ count: Int) -> String { "\(count) passage\(count == 1 ? "" : "s")" }
    var words = ""
    if mended.mended > 0 { words += "; \(passages(mended.mended)) got the right time" }
    if mended.flagged > 0 {
      words += "; \(passages(mended.flagged)) left with a wrong one before that"
    }
    return words
  }

  private static func fields(_ mended: ClockMending) -> [EventField] {
    [
      EventField("mended", .integer(Int64(mended.mended))),
      EventField("flagged", .integer(Int64(mended.flagged))),
    ]
  }

  private static func fields(_ comparison: ClockComparison) -> [EventField] {
    let ahead: Int64? =
      switch comparison.verdict {
      case .ahead(let duration): duration.wholeSeconds
      case .behind(let duration): -duration.wholeSeconds
      case .agrees, .unknown: nil
      }
    return [
      EventField("verdict", .text(comparison.verdict.name)),
      EventField("network_time", .text(comparison.time.rfc3339)),
    ] + (ahead.map { [EventField("ahead_seconds", .integer($0))] } ?? [])
  }
}
