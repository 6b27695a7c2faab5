import GSM
import ModemSession
import NodeCore
import Storage
import Time

extension NodeRound {
  /// Takes what a modem's driver says.
  mutating func take(_ event: ModemEvent, from modem: ModemID) throws(StorageError) {
    switch event {
    case .status(let status):
      if state.modemStatus.indices.contains(modem.index) {
        let before = state.modemStatus[modem.index]
        if let before, before.starts != status.starts { state.restarted.insert(modem) }
        state.modemStatus[modem.index] = status
      }
      if status.state.isAway {
        state.away.insert(modem)
      } else if status.canSend, state.away.remove(modem) != nil {
        try tell(.modemReturned(modem))
      }
      if status.canSend, state.restarted.remove(modem) != nil {
        try tell(.modemRestarted(modem))
      }
      let reason = status.lastError ?? status.state.words
      try tell(.modemChanged(modem, canSend: status.canSend, reason: reason))
    case .sendOutcome(let id, let outcome):
      try tell(.textFinished(id, TextOutcome(outcome)))
      // A report may have come before the outcome that it belongs to.
      let words = NodeLogMessages(settings: settings, moment: moment)
      let matches = try transaction.matchReports(ofTextBy: name(of: modem), at: moment)
      for match in matches { try log(words.event(match)) }
      if case .accepted = outcome {
        try closeTextsThatNeverLeft(by: modem, amongAll: matches.contains { $0.resolved })
      }
    case .received(let inbound):
      try keep(inbound, from: modem)
    case .networkTime(let time):
      try compare(time)
    case .commandFinished, .ussdFinished, .trace, .accessChanged, .log:
      // Answers to commands and the driver's own log go to whoever asked for them, not to the node.
      break
    }
  }

  /// Says once when this machine's clock is off, and once when it is right again. It is not set from
  /// here: that is for the system and its owner.
  private mutating func compare(_ time: NetworkTime) throws(StorageError) {
    state.clockVote.take(time, at: moment.boot)
    guard let comparison = state.clockVote.comparison(of: moment.wall, at: moment.boot) else {
      return
    }
    if comparison.source == .network { try verify(by: nil) }
    let words = NodeLogMessages(settings: settings, moment: moment)
    switch comparison.verdict {
    case .ahead, .behind:
      guard !state.isClockOff else { return }
      state.isClockOff = true
      try log(words.clockIsOff(comparison))
    case .agrees:
      guard state.isClockOff else { return }
      state.isClockOff = false
      try log(words.clockIsRight(comparison))
    case .unknown: break
    }
  }

  /// Keeps what a modem received. The modem may delete it once this round is on disk, and not
  /// before, since the request stands among the outputs.
  private mutating func keep(
    _ inbound: InboundPDU, from modem: ModemID
  ) throws(StorageError) {
    let entry = InboxEntry(inbound.pdu, modem: name(of: modem))
    let outcome = try transaction.keep(entry, at: moment)
    put(.modem(modem, .confirmStored(token: inbound.token)))
    guard case .kept(let textID, let resolved) = outcome else { return }
    let words = NodeLogMessages(settings: settings, moment: moment)
    var rule: SettlingRule?
    if resolved, let textID { rule = try transaction.settlingRule(of: textID) }
    try log(words.event(received: entry, textID: textID, resolved: resolved, rule: rule))
    if case .text(let sender, let text) = entry.content { try take(text: text, from: sender) }
    if resolved { try closeTextsThatNeverLeft(by: modem, amongAll: true) }
    if case .part(_, _, let place) = entry.content,
      let parts = try transaction.completeParts(place),
      let whole = ReceivedPDU.joined(
        parts.map { $0 == inbound.hex ? inbound.pdu : ReceivedPDU(hex: $0) })
    {
      try transaction.join(place, text: whole.textOrOctets)
      try log(words.wholeText(parts: place.total))
    }
  }

  /// What is known of one text may leave no room for another: then that one never left, and what it was
  /// for is due again.
  private mutating func closeTextsThatNeverLeft(
    by modem: ModemID, amongAll: Bool
  ) throws(StorageError) {
    let free = try transaction.textsThatNeverLeft(
      by: name(of: modem), amongAll: amongAll, at: moment)
    guard !free.isEmpty else { return }
    let words = NodeLogMessages(settings: settings, moment: moment)
    for text in free { try log(words.neverLeft(text)) }
    try tell(.woke)
  }

  /// What is looked for every few minutes: texts without a final report, parts without the others,
  /// and messages beyond those that are kept.
  mutating func sweep() throws(StorageError) {
    let words = NodeLogMessages(settings: settings, moment: moment)
    let limit = (settings.validity ?? Limits.networksValidity) + Limits.reportMargin
    let sweep = try transaction.sweep(
      reportsWithin: limit, asksForReports: settings.requestStatusReports, at: moment)
    for id in sweep.expired { try log(words.withoutReport(id, after: limit)) }
    let (reports, parts) = (sweep.reportsGivenUp.count, sweep.partsGivenUp.count)
    if reports > 0 { try log(words.reportsGivenUp(reports)) }
    if parts > 0 { try log(words.partsGivenUp(parts)) }
  }

  private func name(of modem: ModemID) -> String {
    let modems = settings.rules.modems
    return modems.indices.contains(modem.index) ? modems[modem.index].name : "\(modem)"
  }
}

extension TextOutcome {
  /// The driver's outcome in the core's terms: what can be done about a refusal instead of its code.
  init(_ outcome: SendOutcome) {
    switch outcome {
    case .accepted(let references):
      self = .accepted(references: references)
    case .refused(let error) where error.isOutcomeUnknown:
      self = .unknown(reason: error.description)
    case .refused(let error):
      var refusal = Refusal(
        code: error.shortName, words: error.words, kind: error.errorClass,
        mayMeanNoCredit: error.mayMeanNoCredit,
        advice: error.advice, triesFirst: error.triesFirst)
      refusal.adviceByHand = error.adviceByHand
      self = .refused(refusal)
    case .notSent(let reason):
      self = .notSent(reason: reason)
    case .unknown(let reason):
      self = .unknown(reason: reason)
    }
  }
}
