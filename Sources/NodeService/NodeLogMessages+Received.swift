import Events
import GSM
import NodeCore
import Time

extension NodeLogMessages {
  /// The event of something received.
  func event(
    received entry: InboxEntry, textID: Int64?, resolved: Bool, rule: SettlingRule? = nil
  ) -> Event {
    switch entry.content {
    case .statusReport(let report):
      guard let textID else {
        return make(
          "report_unmatched", .notice,
          "status report for reference \(report.reference) fits no text of ours so far")
      }
      return event(report, textID: textID, resolved: resolved, rule: rule)
    case .text where entry.messageClass == 0:
      return make(
        "text_received", .notice,
        "a text for the display (class 0) came in and is kept in the inbox")
    case .text:
      return make("text_received", .notice, "a text came in and is kept in the inbox")
    case .part(_, _, let place):
      return make(
        "text_part_received", .info,
        "part \(place.part) of \(place.total) of a long text came in; the others are awaited")
    case .data:
      return make("data_received", .notice, "a message of data came in and is kept in the inbox")
    case .indication(_, let text):
      let words = text == nil ? "it says nothing else" : "its text is kept in the inbox"
      return make(
        "indication_received", .info, "the network says that a message waits elsewhere; \(words)")
    case .undecodable(let reason):
      return make(
        "text_undecodable", .warning, "a message came in that cannot be read (\(reason)); kept")
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
      "text \(text.textID), of which nobody knew whether it left, never did: the references of its"
        + " modem run on without a gap from \(text.before) before it to \(text.after) after it; what it"
        + " was for is due again", text: text.textID)
  }

  /// The event of reports that fitted no text of ours.
  func reportsGivenUp(_ count: Int) -> Event {
    make(
      "reports_given_up", .info,
      "\(count) status report\(count == 1 ? "" : "s") fitted no text of ours for a day and"
        + " \(count == 1 ? "is" : "are") not looked at again; another program or telephone may use the"
        + " card")
  }

  /// The event of a long text of which all parts are there.
  func wholeText(parts: Int) -> Event {
    make("text_received", .notice, "a text of \(parts) parts is whole and kept in the inbox")
  }

  /// The event of parts whose others never came.
  func partsGivenUp(_ count: Int) -> Event {
    make(
      "text_parts_missing", .warning,
      "\(count) parts of long texts are left without the others; the inbox has what there is")
  }

  /// The event of a text of whose end the network said nothing.
  func withoutReport(_ textID: Int64, after limit: Duration) -> Event {
    make(
      "text_expired", .notice,
      "no final report on text \(textID) within \(limit.wholeSeconds / 3_600) h: whether it arrived"
        + " is not known", text: textID)
  }

  private func event(
    _ report: StatusReport, textID: Int64, resolved: Bool, rule: SettlingRule?
  ) -> Event {
    let before =
      resolved ? "text \(textID), of which nobody knew whether it left," : "text \(textID)"
    let settled = rule.map { "; settled by \($0.words)" } ?? ""
    switch report.delivery {
    case .delivered:
      return make("text_delivered", .info, "\(before) was delivered\(settled)", text: textID)
    case .trying:
      return make(
        "text_delayed", .notice,
        "\(before) is not delivered yet, the network keeps trying\(settled)", text: textID)
    case .failed, .expired:
      let why = report.delivery == .expired ? "its time ran out" : "status \(report.status)"
      return make(
        "text_undelivered", .error,
        "\(before) was not delivered (\(why)); its passage stays in the queue, and queue retry sends"
          + " it again\(settled)", text: textID)
    }
  }
}
