import Events
import NodeCore
import Time

// What rangers are warned of on the spot.
extension NodeLogMessages {
  /// The event of a warning.
  func event(for alert: TravelAlert) -> Event {
    switch alert.kind {
    case .speeding:
      of(
        alert, "speeding_found", .warning,
        "speeding: \(alert.segment) in \(minutes(alert.seconds)), at least"
          + " \(minutes(alert.limitSeconds)) are needed\(speed(alert))\(doubt(alert))")
    case .overstay:
      of(
        alert, "overstay_found", .warning,
        "overstay: \(minutes(alert.seconds)) for \(alert.segment), at most"
          + " \(minutes(alert.limitSeconds)) are expected\(doubt(alert))")
    case .overdue:
      of(
        alert, "vehicle_overdue", .warning,
        "a vehicle that came in at \(alert.entry.checkpost ?? "the opposite post")"
          + " \(minutes(alert.seconds)) ago has not been seen here; at most"
          + " \(minutes(alert.limitSeconds)) are expected\(doubt(alert))")
    }
  }

  /// The event of a vehicle that is waited for no longer.
  func ended(_ alert: TravelAlert) -> Event {
    let why =
      switch alert.ending {
      case .seen: "was seen"
      case .settled: "is accounted for on the server"
      case .expired, nil: "was not seen within the time that a travel can take; it is let go of"
      }
    return of(alert, "overdue_ended", .notice, "the vehicle that was overdue \(why)")
  }

  private func of(
    _ alert: TravelAlert, _ name: String, _ level: LogLevel, _ words: String
  ) -> Event {
    var fields = [
      EventField("travel_seconds", .integer(alert.seconds)),
      EventField("limit_seconds", .integer(alert.limitSeconds)),
      EventField("entry_at", .text(alert.entry.recordedAt.rfc3339)),
      EventField("entry_from", .text(alert.entry.origin.rawValue)),
    ]
    if let exit = alert.exit {
      fields.append(EventField("exit_at", .text(exit.recordedAt.rfc3339)))
      fields.append(EventField("exit_from", .text(exit.origin.rawValue)))
    }
    if let speed = alert.kilometresPerHour {
      fields.append(EventField("speed_kmh", .integer(Int64(speed.rounded()))))
    }
    fields.append(EventField("sure", .flag(alert.isSure)))
    if let ending = alert.ending { fields.append(EventField("ending", .text(ending.rawValue))) }
    var event = make(
      name, level, words, client: alert.exit?.clientID ?? alert.entry.clientID, fields: fields)
    event.plate = alert.plate
    return event
  }

  private func minutes(_ seconds: Int64) -> String {
    seconds < 600 ? "\(seconds) s" : "\(seconds / 60) min"
  }

  private func speed(_ alert: TravelAlert) -> String {
    alert.kilometresPerHour.map { " (\(Int($0.rounded())) km/h)" } ?? ""
  }

  private func doubt(_ alert: TravelAlert) -> String {
    if alert.isSure { return "" }
    return alert.doubtSeconds == nil
      ? "; nobody compared the clocks of the posts" : "; the clocks may be too far apart for that"
  }
}
