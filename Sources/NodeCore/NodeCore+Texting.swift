import Passages
import Timing

extension NodeCore {
  /// Starts what may start now: an operator's text, or the search for a passage that is due.
  mutating func text(at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard choosingFor == nil, !isStopping, !isHeldByStorage(at: now) else { return }
    sendManualTexts(at: now, &effects)
    guard mayTextPassages(at: now), let modem = idleModem(at: now) else { return }
    let isTime = needsLook || (nextDue.map { $0 <= now } ?? false)
    guard isTime, hasBudget(at: now, &effects) else { return }
    choosingFor = modem
    effects.append(.chooseDue)
  }

  /// Takes the store's choice, looks at it once more with the rule itself, and sends it.
  mutating func chosen(
    _ answer: DueAnswer, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard let modem = choosingFor else { return }
    choosingFor = nil
    needsLook = false
    nextDue = answer.nextDue
    guard let due = answer.text, let recipient = rules.recipient else { return }
    guard mayTextPassages(at: now), modems[modem.index].isIdle(at: now),
      budget.exhausted(at: now) == nil
    else {
      needsLook = true
      return
    }
    switch verdict(on: due, at: now) {
    case .goes:
      needsLook = true
      budget.charge(at: now)
      let intent = TextIntent(
        id: takeTextID(), queueID: due.queueID, modem: modem, to: recipient, body: due.body)
      modems[modem.index].flight = Flight(id: intent.id, since: now, due: due, requestID: nil)
      effects.append(.write(.intent(intent)))
      effects.append(.report(.textIntended(intent, due.clientID)))
      effects.append(.send(intent))
    case .waits(let until):
      nextDue = earlier(nextDue, until)
    case .never:
      break
    }
  }

  /// What the rule says about one passage.
  enum Verdict: Hashable, Sendable {
    case goes
    case waits(until: BootInstant)
    case never
  }

  /// The rule, for one passage, while there is no connectivity.
  func verdict(on due: DueText, at now: BootInstant) -> Verdict {
    guard !due.isTexted, due.airings < rules.textsAllowed else { return .never }
    switch due.status {
    case .synced, .inFlight: return .never
    case .failed: break
    case .pending:
      if now - due.since <= rules.fallbackAfter {
        return .waits(until: rules.due(since: due.since))
      }
    }
    if due.airings > 0, let last = due.lastTextAt, now - last < rules.unknownSpacing {
      return .waits(until: last + rules.unknownSpacing)
    }
    return .goes
  }

  /// When texting has something to do by the passing of time alone.
  var textingDeadline: BootInstant? {
    let passagesWait = rules.recipient != nil && (needsLook || nextDue != nil)
    guard !isStopping, choosingFor == nil, passagesWait || !manualQueue.isEmpty else {
      return nil
    }
    // Modems that are busy or cannot send change by an event, not by time.
    let holds = modems.filter { $0.canSend && $0.flight == nil }.map { $0.holdUntil ?? .zero }
    guard let modemFree = holds.min() else { return nil }
    var moment: BootInstant?
    if !manualQueue.isEmpty {
      moment = modemFree
    }
    if passagesWait, reportedConnectivity?.isOffline ?? false {
      let due = needsLook ? .zero : nextDue ?? .zero
      moment = earlier(moment, max(modemFree, due, reportedBudgetUntil ?? .zero))
    }
    return moment.map { max($0, storageHoldUntil ?? .zero) }
  }

  private mutating func sendManualTexts(at now: BootInstant, _ effects: inout [NodeEffect]) {
    while !manualQueue.isEmpty, let modem = idleModem(at: now) {
      let manual = manualQueue.removeFirst()
      budget.charge(at: now)
      let intent = TextIntent(
        id: takeTextID(), queueID: nil, modem: modem, to: manual.to, body: manual.body)
      modems[modem.index].flight = Flight(
        id: intent.id, since: now, due: nil, requestID: manual.requestID)
      effects.append(.write(.intent(intent)))
      effects.append(.report(.textIntended(intent, nil)))
      effects.append(.send(intent))
    }
  }

  private func mayTextPassages(at now: BootInstant) -> Bool {
    rules.recipient != nil && connectivity.state(at: now).isOffline
  }

  private func isHeldByStorage(at now: BootInstant) -> Bool {
    storageHoldUntil.map { $0 > now } ?? false
  }

  private func idleModem(at now: BootInstant) -> ModemID? {
    modems.firstIndex { $0.isIdle(at: now) }.map { ModemID($0) }
  }

  private mutating func hasBudget(
    at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> Bool {
    guard let (window, until) = budget.exhausted(at: now) else {
      reportedBudgetUntil = nil
      return true
    }
    if reportedBudgetUntil != until {
      reportedBudgetUntil = until
      let name = window == .day ? "day" : "minute"
      effects.append(.report(.budgetExhausted(window: name, until: until)))
    }
    return false
  }

  private mutating func takeTextID() -> TextID {
    defer { nextTextID += 1 }
    return nextTextID
  }
}
