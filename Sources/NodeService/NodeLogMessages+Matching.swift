import Events
import NodeCore
import Time

// What rangers are warned of on the spot.
extension NodeLogMessages {
  /// The event of a warning.
  func event(for alert: TravelAlert) -> Event {
    let name =
      switch alert.kind {
      case .speeding: "speeding_found"
      case .overstay: "overstay_found"
      case .overdue: "vehicle_overdue"
      }
    return of(alert, name, .warning, alert.words)
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

  /// The event of a warning that no longer counts.
  func withdrawn(_ alert: TravelAlert) -> Event {
    of(
      alert, "alert_withdrawn", .notice,
      "the passage was corrected: the warning of \(alert.kind.rawValue) no longer counts")
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
}
