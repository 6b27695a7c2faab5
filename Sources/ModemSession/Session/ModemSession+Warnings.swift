import AT
import Time

/// What goes into the log, and what a modem complains of by itself.
extension ModemSession {
  mutating func log(
    _ name: String, _ level: ModemLogEntry.Level, _ words: String,
    _ fields: [ModemLogEntry.Field] = []
  ) {
    effects.append(
      .event(.log(ModemLogEntry(name: name, level: level, words: words, fields: fields))))
  }

  /// Tells it, and the same again only after a time: a supply that dips says so with every text.
  mutating func warn(_ trouble: ModemTrouble, _ line: String, at now: BootInstant) {
    warnings = warnings.filter { now - $0.value < Limits.sameWarningAfter }
    guard warnings[line] == nil, warnings.count < Limits.traceReasons else { return }
    warnings[line] = now
    let advice =
      switch trouble {
      case .supply: "look at its power supply and its cable"
      case .temperature: "look at where it stands"
      case .powerDown: "it switches itself off"
      }
    log(
      "modem_warns", .warning, "the modem says \"\(line.prefix(80))\"; \(advice)",
      [ModemLogEntry.Field("kind", .text(trouble.rawValue))])
  }
}
