import Events
import GSM
import NodeCore
import Time

// What befalls a text on its way, with its modem, its number and the how-manieth it is.
extension NodeLogMessages {
  func heartbeatBegun(_ id: TextID, silence: Duration) -> Event {
    make(
      "heartbeat_begun", .info,
      "nothing has left for \(silence.wholeSeconds / 60) min; text \(id) tells that this post lives",
      text: id, fields: [EventField("after_seconds", .integer(silence.wholeSeconds))])
  }

  func intended(_ text: TextAbout) -> Event {
    let modem = text.modem.map { name($0) } ?? "a modem"
    return make("text_begun", .debug, "\(name(text)) goes to \(modem)", text)
  }

  func accepted(_ text: TextAbout, references: [UInt8], waiting: Int?) -> Event {
    let list = references.map { String($0) }.joined(separator: ", ")
    let named = references.isEmpty ? "" : " with reference \(list)"
    return make(
      "text_accepted", .info, "\(name(text)) accepted by the network\(named)", text,
      waiting: waiting,
      fields: [EventField("references", .integers(references.map { Int64($0) }))])
  }

  func refused(_ text: TextAbout, _ refusal: Refusal, next: BootInstant?, waiting: Int?) -> Event {
    make(
      "text_refused", .warning,
      "\(refusal.code) \(refusal.words)\(whom(text).map { " (\($0))" } ?? "")", text, next: next,
      waiting: waiting,
      fields: [
        EventField("code", .text(refusal.code)), NodeLogMessages.reason(refusal.words),
        EventField("error_class", .text(refusal.kind.rawValue)),
      ])
  }

  func unknown(_ text: TextAbout, reason: String, next: BootInstant?, waiting: Int?) -> Event {
    let after = next == nil ? "; not sent again" : ""
    return make(
      "text_unknown", .warning, "\(name(text)) may have left (\(reason))\(after)", text,
      next: next, waiting: waiting, fields: [NodeLogMessages.reason(reason)])
  }

  func held(
    _ modem: ModemID, until: BootInstant, reason: String, needsOperator: Bool
  ) -> Event {
    let help = needsOperator ? "; look at the modem, its card or its account" : ""
    return make(
      "sending_held", needsOperator ? .error : .warning,
      "\(name(modem)): sending paused: \(reason)\(help)", modem: modem, next: until,
      fields: [
        NodeLogMessages.reason(reason), EventField("needs_operator", .flag(needsOperator)),
      ])
  }

  func gatewayRests(
    _ index: Int, _ number: String, until: BootInstant, reason: String
  ) -> Event {
    let count = settings.rules.gateways.count
    let others = count > 1 ? "the next of \(count) numbers takes its place" : "no other is named"
    return make(
      "gateway_rests", .warning,
      "gateway number \(index + 1) is left alone after \(reason); \(others)", next: until,
      fields: [
        EventField("to", .phone(number)), EventField("gateway", .integer(Int64(index + 1))),
        NodeLogMessages.reason(reason),
      ])
  }

  func recipientRests(
    _ recipient: TextRecipient, _ number: String, until: BootInstant, reason: String
  ) -> Event {
    var fields = [EventField("to", .phone(number)), NodeLogMessages.reason(reason)]
    if let place = place(of: recipient) {
      fields.append(EventField("recipient", .integer(Int64(place))))
    }
    return make(
      "recipient_rests", .warning,
      "\(words(for: recipient)) is left alone after \(reason); all other texts go on", next: until,
      fields: fields)
  }

  /// A text as the log calls it: with whom it is for, where that is not the centre.
  func name(_ text: TextAbout) -> String {
    "text \(text.id)\(whom(text).map { " \($0)" } ?? "")"
  }

  /// Whom a text of a passage is for, where that is not the centre.
  private func whom(_ text: TextAbout) -> String? {
    guard let recipient = text.recipient, recipient != .centre else { return nil }
    return "to \(words(for: recipient))"
  }

  /// A recipient in words, without its number.
  private func words(for recipient: TextRecipient) -> String {
    switch recipient {
    case .centre: "central"
    case .opposite: "the opposite post"
    case .number: place(of: recipient).map { "recipient \($0)" } ?? "a recipient of before"
    }
  }

  /// The place of a further number in the configuration, counted from 1.
  private func place(of recipient: TextRecipient) -> Int? {
    guard case .number(let number) = recipient else { return nil }
    return settings.rules.recipients.firstIndex(of: number).map { $0 + 1 }
  }

  func make(
    _ name: String, _ level: LogLevel, _ words: String, _ text: TextAbout,
    next: BootInstant? = nil, waiting: Int? = nil, fields: [EventField] = []
  ) -> Event {
    var event = make(
      name, level, words, client: text.client, text: text.id, modem: text.modem, next: next,
      waiting: waiting, fields: fields)
    if settings.rules.modems.count > 1 { event.subject = event.modem }
    event["to"] = text.to.map { .phone($0) }
    event["attempt"] = text.attempt.map { .integer(Int64($0)) }
    return event
  }
}
