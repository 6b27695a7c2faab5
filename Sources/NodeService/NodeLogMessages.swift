import Events
import NodeCore
import Passages
import Time

/// Turns what happened into words for the people who read the log: what, why, and what comes next.
struct NodeLogMessages {
  let settings: NodeMachine.Settings
  let moment: Moment

  func event(for fact: NodeFact, waiting: Int?) -> Event {
    switch fact {
    case .started(let facts):
      return started(facts)
    case .connectivityChanged(let state):
      return connectivity(state)
    case .modemReady(let modem):
      return make("modem_ready", .notice, "\(name(modem)) can send")
    case .modemNotReady(let modem, let reason):
      return make("modem_not_ready", .warning, "\(name(modem)) cannot send: \(reason)")
    case .textIntended(let intent, let client):
      let words = "text \(intent.id) goes to \(name(intent.modem))"
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
      let after =
        next == nil
        ? ", not sent again by itself since it may have arrived; a report on its delivery is still"
          + " waited for" + (client == nil ? "" : ", and queue retry sends it all the same")
        : ""
      let words = "outcome of text \(id) unknown: \(reason)\(after)"
      return make(
        "text_unknown", .warning, words, client: client, text: id, next: next, waiting: waiting)
    case .passageParked(let client, let reason):
      let words = "passage set aside: \(reason); queue show has it, queue retry sends it again"
      return make("passage_parked", .error, words, client: client)
    case .sendingHeld(let modem, let until, let reason, let needsOperator):
      return held(modem, until: until, reason: reason, needsOperator: needsOperator)
    case .passageOutdated(let client, let age):
      let words =
        "passage is \(age.wholeSeconds / 3_600) h old and is not texted any more; it stays in the"
        + " queue for the server, and queue retry texts it all the same"
      return make("passage_outdated", .warning, words, client: client)
    case .gatewayRests(let index, let until, let reason):
      let count = settings.rules.gateways.count
      let others = count > 1 ? "the next of \(count) numbers takes its place" : "no other is named"
      let words = "gateway number \(index + 1) is left alone after \(reason); \(others)"
      return make("gateway_rests", .warning, words, next: until)
    case .noCreditSuspected(let modem, let reason):
      let words =
        "\(name(modem)) is refused as one without credit is (\(reason)): top up the SIM; ask its"
        + " balance by `checkpost modem ussd`"
      return make("modem_no_credit_suspected", .error, words)
    case .budgetsSet(let rules):
      return make("budget", .info, budgets(rules))
    case .budgetNearlyUsed(let modem, let use):
      let words =
        "\(use.used) of \(use.limit) texts that \(name(modem)) may send in any"
        + " \(use.window.words) are used, \(use.remaining) remain"
      return make("budget_nearly_used", .warning, words, waiting: waiting)
    case .budgetExhausted(let modem, let use, let until):
      let opens = until.nanoseconds == .max ? nil : until
      let words = "\(name(modem)): \(use.window.rawValue) budget used (\(use.used) of \(use.limit))"
      return make(
        "budget_exhausted", .warning, words, next: opens, nextWords: "next text", waiting: waiting)
    case .storageFailed(let reason, let until):
      return make("storage_failed", .error, "\(reason) Nothing is texted", next: until)
    case .storageWorks(let after):
      return make(
        "storage_works", .notice,
        "the database can be written again, after \(after.wholeSeconds) s; texting goes on")
    case .manualTextWaits(let reason):
      return make("manual_text_waits", .info, "an operator's text waits for a modem: \(reason)")
    case .manualTextWithdrawn:
      return make("manual_text_withdrawn", .notice, "an operator withdrew a text; it was not sent")
    case .manualTextRefused(_, let reason):
      return make("manual_text_refused", .warning, "text not taken: \(reason)")
    }
  }

}

extension NodeLogMessages {
  private func accepted(
    _ id: Int64, _ client: ClientID?, references: [UInt8], waiting: Int?
  ) -> Event {
    let list = references.map { String($0) }.joined(separator: ", ")
    let named = references.isEmpty ? "" : " with reference \(list)"
    let words = "text \(id) accepted by the network\(named)"
    return make("text_accepted", .info, words, client: client, text: id, waiting: waiting)
  }

  private func held(
    _ modem: ModemID, until: BootInstant, reason: String, needsOperator: Bool
  ) -> Event {
    let help = needsOperator ? "; somebody should look at the modem, its card or its account" : ""
    let words = "\(name(modem)) \(needsOperator ? "stops" : "pauses") after \(reason)\(help)"
    return make("sending_held", needsOperator ? .error : .debug, words, next: until)
  }

  /// A modem as the log calls it: by its name where there are several.
  func name(_ modem: ModemID) -> String {
    let modems = settings.rules.modems
    guard modems.count > 1, modems.indices.contains(modem.index) else { return "\(modem)" }
    return "modem \(modems[modem.index].name)"
  }

  /// What the budgets allow at most, in one sentence.
  private func budgets(_ rules: NodeRules) -> String {
    let modems = max(1, rules.modems.count)
    return "at most \(rules.limit(of: .minute)) texts a minute, \(rules.limit(of: .hour)) an hour,"
      + " \(rules.limit(of: .day)) a day, \(rules.limit(of: .month)) in 30 days for each of"
      + " \(modems) modem\(modems == 1 ? "" : "s"); worst case in any 24 hours \(rules.worstDay)"
  }

  private func connectivity(_ state: ConnectivityState) -> Event {
    switch state {
    case .unknown:
      return make("connectivity_unknown", .debug, "asking the server whether it is there")
    case .online:
      return make("online", .info, "the server answers; nothing is texted, passages wait for it")
    case .offline(let reason):
      let minutes = settings.rules.fallbackAfter.wholeSeconds / 60
      let rest = settings.rules.fallbackAfter.wholeSeconds % 60
      let age = rest == 0 ? "\(minutes) min" : "\(settings.rules.fallbackAfter.wholeSeconds) s"
      let what =
        settings.rules.gateways.isEmpty
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

  private func started(_ facts: StartFacts) -> Event {
    var words = "node started"
    if facts.inFlight > 0 {
      words += ", \(facts.inFlight) being sent before the last end now pending"
    }
    if facts.intents > 0 {
      words += ", \(facts.intents) texts with unknown outcome from before the last end"
    }
    return make("node_started", .info, words)
  }

  func make(
    _ name: String, _ level: LogLevel, _ words: String,
    client: ClientID? = nil, text: Int64? = nil, next: BootInstant? = nil,
    nextWords: String = "next try", waiting: Int? = nil
  ) -> Event {
    // The wall clock when the node's clock will show `next`, as far as it can be told now.
    let step = next.map { NextStep(nextWords, at: moment.wall + ($0 - moment.boot)) }
    var event = Event(name, level, at: moment.wall, words: words, next: step, waiting: waiting)
    event.clientID = client
    event.textID = text
    return event
  }
}

extension NodeFact {
  /// Whether the words of this fact say how many passages wait.
  var tellsWaiting: Bool {
    switch self {
    case .textAccepted, .textRefused, .textNotSent, .textUnknown, .budgetExhausted,
      .budgetNearlyUsed:
      true
    case .started, .connectivityChanged, .modemReady, .modemNotReady, .textIntended, .passageParked,
      .passageOutdated, .sendingHeld, .gatewayRests, .noCreditSuspected,
      .budgetsSet, .storageFailed, .storageWorks, .manualTextWaits, .manualTextWithdrawn,
      .manualTextRefused:
      false
    }
  }
}

extension BudgetWindow {
  /// The window in words, after "any".
  var words: String {
    switch self {
    case .minute: "minute"
    case .hour: "hour"
    case .day: "24 hours"
    case .month: "30 days"
    }
  }
}
