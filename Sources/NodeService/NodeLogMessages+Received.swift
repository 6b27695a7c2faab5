import Events
import GSM
import NodeCore
import Time

extension NodeLogMessages {
  /// The event of something received.
  func event(
    received entry: InboxEntry, textID: Int64?, resolved: Bool, rule: SettlingRule? = nil
  ) -> Event {
    var event = self.event(entry, textID: textID, resolved: resolved, rule: rule)
    event.modem = entry.modem
    if settings.rules.modems.count > 1 { event.subject = entry.modem }
    if let sender = entry.sender, !sender.isEmpty {
      // A name tells who it is, and is nobody's number.
      let isNumber = sender.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2B }
      event["from"] = isNumber ? .phone(sender) : .text(sender)
    }
    return event
  }

  private func event(
    _ entry: InboxEntry, textID: Int64?, resolved: Bool, rule: SettlingRule?
  ) -> Event {
    switch entry.content {
    case .statusReport(let report):
      guard let textID else {
        return make(
          "report_unmatched", .notice,
          "status report for reference \(report.reference) fits no text of ours so far",
          fields: NodeLogMessages.fields(report))
      }
      return event(report, textID: textID, resolved: resolved, rule: rule)
    case .text where entry.messageClass == 0:
      return make(
        "text_received", .notice,
        "a text for the display (class 0) came in and is kept in the inbox",
        fields: [EventField("message_class", .integer(0))])
    case .text:
      return make("text_received", .notice, "a text came in and is kept in the inbox")
    case .part(_, _, let place):
      return make(
        "text_part_received", .info,
        "part \(place.part) of \(place.total) of a long text came in; the others are awaited",
        fields: [
          EventField("part", .integer(Int64(place.part))),
          EventField("parts", .integer(Int64(place.total))),
        ])
    case .data:
      return make("data_received", .notice, "a message of data came in and is kept in the inbox")
    case .indication(_, let text):
      let words = text == nil ? "it says nothing else" : "its text is kept in the inbox"
      return make(
        "indication_received", .info, "the network says that a message waits elsewhere; \(words)")
    case .undecodable(let reason):
      return make(
        "text_undecodable", .warning, "a message came in that cannot be read (\(reason)); kept",
        fields: [NodeLogMessages.reason(reason)])
    }
  }

  /// The event of a report that was kept before its text had an outcome.
  func event(_ match: MatchedReport) -> Event {
    event(match.report, textID: match.textID, resolved: match.resolved, rule: match.rule)
  }

  /// The event of a text of which it has turned out that it never left.
  func neverLeft(_ text: TextThatNeverLeft) -> Event {
    make(
      "text_never_left", .notice,
      "text \(text.textID) never left: its modem's references run on from \(text.before) to"
        + " \(text.after) without a gap; it is due again", text: text.textID,
      fields: [
        EventField("reference_before", .integer(Int64(text.before))),
        EventField("reference_after", .integer(Int64(text.after))),
      ])
  }

  /// The event of reports that fitted no text of ours.
  func reportsGivenUp(_ count: Int) -> Event {
    make(
      "reports_given_up", .info,
      "\(count) status report\(count == 1 ? "" : "s") fitted no text of ours for a day; another"
        + " program or telephone may use the card",
      fields: [EventField("count", .integer(Int64(count)))])
  }

  /// The event of a long text of which all parts are there.
  func wholeText(parts: Int) -> Event {
    make(
      "text_received", .notice, "a text of \(parts) parts is whole and kept in the inbox",
      fields: [EventField("parts", .integer(Int64(parts)))])
  }

  /// The event of parts whose others never came.
  func partsGivenUp(_ count: Int) -> Event {
    make(
      "text_parts_missing", .warning,
      "\(count) part\(count == 1 ? "" : "s") of long texts \(count == 1 ? "is" : "are") left without"
        + " the others; the inbox has what there is",
      fields: [EventField("count", .integer(Int64(count)))])
  }

  /// The event of a text of whose end the network said nothing.
  func withoutReport(_ textID: Int64, after limit: Duration) -> Event {
    make(
      "text_expired", .notice,
      "no final report on text \(textID) within \(limit.wholeSeconds / 3_600) h: whether it arrived"
        + " is not known", text: textID,
      fields: [EventField("after_seconds", .integer(limit.wholeSeconds))])
  }

  private func event(
    _ report: StatusReport, textID: Int64, resolved: Bool, rule: SettlingRule?
  ) -> Event {
    let before = "text \(textID)\(resolved ? ", in doubt until now," : "")"
    let settled = rule.map { "; settled by \($0.words)" } ?? ""
    let fields = NodeLogMessages.fields(report)
    switch report.delivery {
    case .delivered:
      return make(
        "text_delivered", .info, "\(before) was delivered\(settled)", text: textID, fields: fields)
    case .trying:
      return make(
        "text_delayed", .notice,
        "\(before) is not delivered yet, the network keeps trying\(settled)", text: textID,
        fields: fields)
    case .failed, .expired:
      let why = report.delivery == .expired ? "its time ran out" : "status \(report.status)"
      // A person can ask for a text to the centre alone; who gets it beside the centre is not asked for.
      let remedy = isForCentre(report) ? "; queue retry sends it again" : ""
      return make(
        "text_undelivered", .error, "\(before) was not delivered (\(why))\(remedy)\(settled)",
        text: textID, fields: fields)
    }
  }

  private func isForCentre(_ report: StatusReport) -> Bool {
    let others = settings.rules.recipients + [settings.rules.oppositeNumber].compactMap { $0 }
    return !others.contains { phoneTail($0) == report.recipientTail }
  }

  private static func fields(_ report: StatusReport) -> [EventField] {
    [
      EventField("message_reference", .integer(Int64(report.reference))),
      EventField("delivery", .text(report.delivery.rawValue)),
      EventField("status", .integer(Int64(report.status))),
      EventField("to", .phone(report.recipient)),
    ]
  }
}

extension InboxEntry {
  /// Who sent it, as the message says; nil where it tells none.
  var sender: String? {
    switch content {
    case .text(let sender, _), .part(let sender, _, _), .data(let sender, _),
      .indication(let sender, _):
      sender
    case .statusReport, .undecodable: nil
    }
  }
}
