import NodeCore
import PassageStore
import Passages
import Timing

/// Turns what happened into words for the people who read the log: what, why, and what comes next.
struct NodeWords {
  let settings: NodeMachine.Settings
  let moment: Moment

  func event(for fact: NodeFact, waiting: Int?) -> NodeLogEvent {
    switch fact {
    case .started(let facts):
      return started(facts)
    case .connectivityChanged(let state):
      return connectivity(state)
    case .modemReady(let modem):
      return make("modem_ready", .notice, "\(modem) can send")
    case .modemNotReady(let modem, let reason):
      return make("modem_not_ready", .warning, "\(modem) cannot send: \(reason)")
    case .textIntended(let intent, let client):
      let words = "text \(intent.id) goes to \(intent.modem)"
      return make("text_begun", .debug, words, client: client, text: intent.id)
    case .textAccepted(let id, let client, let references):
      return accepted(id, client, references: references, waiting: waiting)
    case .textRefused(let id, let client, let refusal, let next):
      let words = "\(refusal.code) \(refusal.words)"
      return make(
        "text_refused", .warning, words, client: client, text: id, next: next, waiting: waiting)
    case .textNotSent(let id, let client, let reason, let next):
      let words = "text \(id) was not sent: \(reason)"
      return make(
        "text_not_sent", .warning, words, client: client, text: id, next: next, waiting: waiting)
    case .textUnknown(let id, let client, let reason, let next):
      let after = next == nil ? ", not sent again since it may have arrived" : ""
      let words = "outcome of text \(id) unknown: \(reason)\(after)"
      return make("text_unknown", .warning, words, client: client, text: id, next: next)
    case .passageParked(let client, let reason):
      let words = "passage set aside: \(reason); queue show has it, queue retry sends it again"
      return make("passage_parked", .error, words, client: client)
    case .sendingHeld(let modem, let until, let reason, let needsOperator):
      return held(modem, until: until, reason: reason, needsOperator: needsOperator)
    case .budgetExhausted(let window, let until):
      let opens = until.nanoseconds == .max ? nil : until
      let words = "all texts allowed in one \(window) are used"
      return make(
        "budget_exhausted", .warning, words, next: opens, nextWords: "next text", waiting: waiting)
    case .storageFailed(let reason, let until):
      return make("storage_failed", .error, "\(reason) Nothing is texted", next: until)
    case .manualTextRefused(_, let reason):
      return make("manual_text_refused", .warning, "text not taken: \(reason)")
    }
  }

  /// The event of something received.
  func event(received content: InboxEntry.Content, textID: Int64?) -> NodeLogEvent {
    switch content {
    case .statusReport(let report):
      guard let textID else {
        return make(
          "report_unmatched", .notice,
          "status report for reference \(report.reference) fits no text of ours")
      }
      switch report.delivery {
      case .delivered:
        return make("text_delivered", .info, "text \(textID) was delivered", text: textID)
      case .trying:
        return make(
          "text_delayed", .notice, "text \(textID) is not delivered yet, the network keeps trying",
          text: textID)
      case .failed:
        return make(
          "text_undelivered", .error,
          "text \(textID) was not delivered (status \(report.status)); the passage goes to the"
            + " server when there is connectivity", text: textID)
      }
    case .text:
      return make("text_received", .notice, "a text came in and is kept in the inbox")
    case .undecodable(let reason):
      return make(
        "text_undecodable", .warning, "a message came in that cannot be read (\(reason)); kept")
    }
  }
}

extension NodeWords {
  private func accepted(
    _ id: Int64, _ client: ClientID?, references: [UInt8], waiting: Int?
  ) -> NodeLogEvent {
    let list = references.map { String($0) }.joined(separator: ", ")
    let named = references.isEmpty ? "" : " with reference \(list)"
    let words = "text \(id) accepted by the network\(named)"
    return make("text_accepted", .info, words, client: client, text: id, waiting: waiting)
  }

  private func held(
    _ modem: ModemID, until: BootInstant, reason: String, needsOperator: Bool
  ) -> NodeLogEvent {
    let help = needsOperator ? "; somebody should look at the modem, its card or its account" : ""
    let words = "\(modem) pauses after \(reason)\(help)"
    return make("sending_held", needsOperator ? .error : .debug, words, next: until)
  }

  private func connectivity(_ state: ConnectivityState) -> NodeLogEvent {
    switch state {
    case .unknown:
      return make("connectivity_unknown", .debug, "asking the server whether it is there")
    case .online:
      return make("online", .info, "the server answers; passages go there, nothing is texted")
    case .offline(let reason):
      let minutes = settings.rules.fallbackAfter.wholeSeconds / 60
      let rest = settings.rules.fallbackAfter.wholeSeconds % 60
      let age = rest == 0 ? "\(minutes) min" : "\(settings.rules.fallbackAfter.wholeSeconds) s"
      let what =
        settings.rules.recipient == nil
        ? "and no number to text to is configured" : "passages older than \(age) are texted"
      return make("offline", .notice, "no connectivity: \(words(for: reason)); \(what)")
    }
  }

  private func words(for reason: OfflineReason) -> String {
    switch reason {
    case .noServer: "no server is configured"
    case .linkDown: "the network link is down"
    case .probeFailed(let reason): reason
    }
  }

  private func started(_ facts: StartFacts) -> NodeLogEvent {
    var words = "node started"
    if facts.inFlight > 0 {
      words += ", \(facts.inFlight) being sent before the last end now pending"
    }
    if facts.intents > 0 {
      words += ", \(facts.intents) texts with unknown outcome from before the last end"
    }
    return make("node_started", .info, words)
  }

  private func make(
    _ name: String, _ level: NodeLogEvent.Level, _ words: String,
    client: ClientID? = nil, text: Int64? = nil, next: BootInstant? = nil,
    nextWords: String = "next try", waiting: Int? = nil
  ) -> NodeLogEvent {
    // The wall clock when the node's clock will show `next`, as far as it can be told now.
    let step = next.map { NodeLogEvent.Next(nextWords, at: moment.wall + ($0 - moment.boot)) }
    return NodeLogEvent(
      name: name, level: level, words: words, time: moment.boot, wall: moment.wall,
      clientID: client, textID: text, next: step, waiting: waiting)
  }
}

extension NodeFact {
  /// Whether the words of this fact say how many passages wait.
  var tellsWaiting: Bool {
    switch self {
    case .textAccepted, .textRefused, .textNotSent, .budgetExhausted: true
    case .started, .connectivityChanged, .modemReady, .modemNotReady, .textIntended, .textUnknown,
      .passageParked, .sendingHeld, .storageFailed, .manualTextRefused:
      false
    }
  }
}
