import Events
import ModemSession
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
