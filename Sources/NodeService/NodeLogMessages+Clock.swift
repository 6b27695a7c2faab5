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
