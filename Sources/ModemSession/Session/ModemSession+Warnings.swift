import AT
import Events
import GSM
import ModemMakers
import Time

/// What goes into the log, and what a modem complains of by itself.
extension ModemSession {
  /// Tells events, in order.
  mutating func tell(_ events: [ModemEvent]) {
    for event in events { effects.append(.event(event)) }
  }

  /// What a failed answer says; nil when it is none.
  func error(in answer: ATAnswer) -> ModemError? {
    guard case .failed(let result) = answer.ending else { return nil }
    return ModemError(finalResult: result, family: maker.errors)
  }

  /// Tells an event, if there is one.
  mutating func tell(_ event: ModemEvent?) {
    if let event { effects.append(.event(event)) }
  }

  mutating func log(
    _ name: String, _ level: LogLevel, _ words: String,
    _ fields: [EventField] = []
  ) {
    tell(.entry(name, level, words, fields))
  }

  /// Tells it, and the same again only after a time: a supply that dips says so with every text.
  mutating func warn(_ trouble: ModemTrouble, _ line: String, at now: BootInstant) {
    guard warnings.isNews(line, for: Limits.sameWarningAfter, at: now) else { return }
    let advice =
      switch trouble {
      case .supply: "look at its power supply and its cable"
      case .temperature: "look at where it stands"
      case .powerDown: "it switches itself off"
      }
    log(
      "modem_warns", .warning, "the modem says \"\(line.prefix(80))\"; \(advice)",
      [
        EventField("kind", .text(trouble.rawValue)),
        EventField("line", .text(String(line.prefix(80)))),
      ])
  }
}

extension ModemEvent {
  /// Something for the log.
  static func entry(
    _ name: String, _ level: LogLevel, _ words: String,
    _ fields: [EventField] = []
  ) -> ModemEvent {
    .log(Event(name, level, words: words, fields: fields, isForeign: true))
  }
}
