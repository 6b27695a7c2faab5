import Events
import NodeCore
import Passages
import Time

/// Turns what happened into words for the people who read the log (what, why, and what comes next) and
/// into facts for machines: codes, references, modems, times and reasons stand in fields of their own.
///
/// With plate and next step the words fit into two lines of 80 columns.
struct NodeLogMessages {
  let settings: NodeMachine.Settings
  let moment: Moment

  func event(for fact: NodeFact, waiting: Int?) -> Event {
    switch fact {
    case .started(let facts): started(facts)
    case .connectivityChanged(let state): connectivity(state)
    case .modemReady(let modem):
      make("modem_ready", .notice, "\(name(modem)) can send", modem: modem)
    case .modemNotReady(let modem, let reason):
      make(
        "modem_not_ready", .warning, "\(name(modem)) cannot send: \(reason)", modem: modem,
        fields: [NodeLogMessages.reason(reason)])
    case .heartbeatBegun(let id, let silence): heartbeatBegun(id, silence: silence)
    case .textIntended(let text): intended(text)
    case .textAccepted(let text, let references):
      accepted(text, references: references, waiting: waiting)
    case .textRefused(let text, let refusal, let next):
      refused(text, refusal, next: next, waiting: waiting)
    case .textNotSent(let text, let reason, let next):
      make(
        "text_not_sent", .warning, "\(name(text)) was not sent: \(reason)", text, next: next,
        waiting: waiting, fields: [NodeLogMessages.reason(reason)])
    case .textUnknown(let text, let reason, let next):
      unknown(text, reason: reason, next: next, waiting: waiting)
    case .passageParked(let client, let reason):
      make(
        "passage_parked", .error,
        "passage on hold: \(reason); queue show has it, queue retry sends it again",
        client: client, fields: [NodeLogMessages.reason(reason)])
    case .passageOutdated(let client, let age):
      make(
        "passage_outdated", .warning,
        "passage is \(age.wholeSeconds / 3_600) h old and not texted any more; the server still gets"
          + " it, and queue retry texts it", client: client,
        fields: [EventField("age_seconds", .integer(age.wholeSeconds))])
    case .sendingHeld(let modem, let until, let reason, let needsOperator):
      held(modem, until: until, reason: reason, needsOperator: needsOperator)
    case .sendingResumed(let modem, let after):
      make(
        "sending_resumed", .notice,
        "\(name(modem)): sending goes on after a pause of \(after.wholeSeconds) s", modem: modem,
        fields: [EventField("after_seconds", .integer(after.wholeSeconds))])
    case .gatewayRests(let index, let number, let until, let reason):
      gatewayRests(index, number, until: until, reason: reason)
    case .recipientRests(let recipient, let number, let until, let reason):
      recipientRests(recipient, number, until: until, reason: reason)
    case .noCreditSuspected(let modem, let reason):
      make(
        "modem_no_credit_suspected", .error,
        "\(name(modem)) is refused as one without credit is (\(reason)): top up the SIM; `checkpost"
          + " modem ussd` asks its balance", modem: modem, fields: [NodeLogMessages.reason(reason)])
    case .budgetsSet(let rules): budgets(rules)
    case .budgetNearlyUsed(let modem, let use):
      make(
        "budget_nearly_used", .warning,
        "\(use.used) of \(use.limit) texts that \(name(modem)) may send in any \(use.window.words)"
          + " are used, \(use.remaining) remain", modem: modem, waiting: waiting,
        fields: NodeLogMessages.fields(use))
    case .budgetExhausted(let modem, let use, let until):
      make(
        "budget_exhausted", .warning,
        "\(name(modem)): \(use.window.rawValue) budget used (\(use.used) of \(use.limit))",
        modem: modem, next: until.nanoseconds == .max ? nil : until, nextWords: "next text",
        waiting: waiting, fields: NodeLogMessages.fields(use))
    case .uploaded(let kind, let client, let isNew): uploaded(kind, client, isNew: isNew)
    case .uploadMissed(let kind, let client, let reason, let attempt, let next):
      missed(kind, client, reason, attempt: attempt, next: next)
    case .uploadFailed(let kind, let client, let reason, let isPermanent):
      failed(kind, client, reason, isPermanent: isPermanent)
    case .conflictFound(let client, let resolution): conflict(client, resolution)
    case .syncStarted(let waiting): syncStarted(waiting: waiting)
    case .syncProgress(let done, let total): syncProgress(done: done, total: total)
    case .syncFinished(let count, let took): syncFinished(count, took: took)
    case .signedIn(let byPassword, let isNew): signedIn(byPassword: byPassword, isNew: isNew)
    case .signInFailed(let reason, let isRefresh, let next):
      signInFailed(reason, isRefresh: isRefresh, next: next)
    case .credentialRefused(let reason): credentialRefused(reason)
    case .directoryLearned(let directory): learned(directory)
    case .directoryFault(let fault): directoryFault(fault)
    case .storageFailed(let reason, let until):
      make(
        "storage_failed", .error, "\(reason) Nothing is texted", next: until,
        fields: [NodeLogMessages.reason(reason)])
    case .storageWorks(let after):
      make(
        "storage_works", .notice,
        "the database can be written again, after \(after.wholeSeconds) s; texting goes on",
        fields: [EventField("after_seconds", .integer(after.wholeSeconds))])
    case .manualTextWaits(let text, let reason):
      make(
        "manual_text_waits", .info, "an operator's text waits for a modem: \(reason)",
        modem: text.modem, fields: NodeLogMessages.fields(text, reason))
    case .manualTextWithdrawn(let text):
      make(
        "manual_text_withdrawn", .notice, "an operator withdrew a text; it was not sent",
        modem: text.modem, fields: NodeLogMessages.fields(text, nil))
    case .manualTextRefused(let text, let reason):
      make(
        "manual_text_refused", .warning, "an operator's text was not taken: \(reason)",
        modem: text.modem, fields: NodeLogMessages.fields(text, reason))
    }
  }

  func make(
    _ name: String, _ level: LogLevel, _ words: String,
    client: ClientID? = nil, text: Int64? = nil, modem: ModemID? = nil, next: BootInstant? = nil,
    nextWords: String = "next try", waiting: Int? = nil, fields: [EventField] = []
  ) -> Event {
    // The wall clock when the node's clock will show `next`, as far as it can be told now.
    let step = next.map { NextStep(nextWords, at: moment.wall + ($0 - moment.boot)) }
    var event = Event(
      name, level, at: moment.wall, words: words, next: step, waiting: waiting, fields: fields)
    event.clientID = client
    event.textID = text
    event.modem = modem.map { settings.rules.name(of: $0) }
    return event
  }

  /// A modem as the log calls it: by its name where there are several.
  func name(_ modem: ModemID) -> String {
    let modems = settings.rules.modems
    guard modems.count > 1, modems.indices.contains(modem.index) else { return "\(modem)" }
    return "modem \(modems[modem.index].name)"
  }

  /// Why it happened, in words, for machines.
  static func reason(_ words: String) -> EventField { EventField("reason", .text(words)) }

  private static func fields(_ use: BudgetUse) -> [EventField] {
    [
      EventField("window", .text(use.window.rawValue)),
      EventField("used", .integer(Int64(use.used))),
      EventField("limit", .integer(Int64(use.limit))),
    ]
  }

  private static func fields(_ text: ManualText, _ reason: String?) -> [EventField] {
    (text.id == 0 ? [] : [EventField("text_id", .integer(text.id))])
      + [EventField("to", .phone(text.to))] + (reason.map { [NodeLogMessages.reason($0)] } ?? [])
  }
}

// What concerns the node as a whole.
extension NodeLogMessages {
  private func started(_ facts: StartFacts) -> Event {
    var words = "node started"
    if facts.inFlight > 0 {
      words += ", \(facts.inFlight) being sent before the last end now pending"
    }
    if facts.intents > 0 {
      words += ", \(facts.intents) texts with unknown outcome from before the last end"
    }
    return make(
      "node_started", .info, words,
      fields: [
        EventField("in_flight", .integer(Int64(facts.inFlight))),
        EventField("unknown_texts", .integer(Int64(facts.intents))),
      ])
  }

  private func connectivity(_ state: ConnectivityState) -> Event {
    switch state {
    case .unknown:
      return make("connectivity_unknown", .debug, "asking the server whether it is there")
    case .online:
      return make("online", .info, "the server answers; passages go to it, and nothing is texted")
    case .impaired(let impairment):
      let wait =
        settings.rules.textsWhenServerDown
        ? settings.rules.offlineFor : settings.rules.serverDownAfter
      return make(
        "impaired", .notice,
        "the server is there and takes nothing: \(impairment.words);"
          + " \(texted(after: wait))",
        fields: [
          NodeLogMessages.reason(impairment.words),
          EventField("impairment", .text(impairment.name)),
        ])
    case .offline(let reason):
      let wait = settings.rules.hasServer ? settings.rules.offlineFor : .zero
      return make(
        "offline", .notice, "no connectivity: \(reason.words); \(texted(after: wait))",
        fields: [
          NodeLogMessages.reason(reason.words), EventField("outage", .text(reason.name)),
        ])
    }
  }

  /// What is texted when connectivity has been absent for so long.
  private func texted(after wait: Duration) -> String {
    guard !settings.rules.gateways.isEmpty else { return "and no number to text to is configured" }
    let words = "passages older than \(words(settings.rules.fallbackAfter)) are texted"
    return wait == .zero ? words : words + " if that lasts \(self.words(wait))"
  }

  private func words(_ duration: Duration) -> String {
    let seconds = duration.wholeSeconds
    return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
  }

  /// What the budgets allow at most, in one sentence.
  private func budgets(_ rules: NodeRules) -> Event {
    let modems = max(1, rules.modems.count)
    let words =
      "at most \(rules.limit(of: .minute)) texts a minute, \(rules.limit(of: .hour)) an hour,"
      + " \(rules.limit(of: .day)) a day, \(rules.limit(of: .month)) in 30 days for each of"
      + " \(modems) modem\(modems == 1 ? "" : "s"); worst case in any 24 hours \(rules.worstDay)"
    let limits = BudgetWindow.allCases.map {
      EventField("per_\($0.rawValue)", .integer(Int64(rules.limit(of: $0))))
    }
    return make(
      "budget", .info, words,
      fields: limits + [EventField("worst_day", .integer(Int64(rules.worstDay)))])
  }
}

extension NodeRules {
  /// What machines know a modem by: its name, which does not change with the order of the modems.
  func name(of modem: ModemID) -> String {
    modems.indices.contains(modem.index) ? modems[modem.index].name : NodeModem().name
  }
}

extension NodeFact {
  /// Whether the words of this fact say how many passages wait.
  var tellsWaiting: Bool {
    switch self {
    case .textAccepted, .textRefused, .textNotSent, .textUnknown, .budgetExhausted,
      .budgetNearlyUsed:
      true
    case .started, .connectivityChanged, .modemReady, .modemNotReady, .heartbeatBegun,
      .textIntended, .passageParked,
      .passageOutdated, .sendingHeld, .sendingResumed, .gatewayRests, .recipientRests,
      .noCreditSuspected,
      .budgetsSet, .uploaded, .uploadMissed, .uploadFailed, .conflictFound, .syncStarted,
      .syncProgress, .syncFinished, .signedIn, .signInFailed, .credentialRefused,
      .directoryLearned, .directoryFault, .storageFailed, .storageWorks, .manualTextWaits,
      .manualTextWithdrawn,
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
