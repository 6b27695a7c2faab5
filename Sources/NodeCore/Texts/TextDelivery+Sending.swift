import Mutants
import Passages
import Time

extension TextDelivery {
  /// Starts what may start now: an operator's text, or the search for a passage that is due.
  mutating func text(at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard !outbox.isChoosing, !untaken.isChoosing, !isStopping, !isHeldByStorage(at: now) else {
      return
    }
    sendManualTexts(at: now, &effects)
    choosePassage(at: now, &effects)
    lookForHeartbeat(at: now, &effects)
  }

  private mutating func choosePassage(at now: BootInstant, _ effects: inout [NodeEffect]) {
    let isOpen = mayTextPassages(at: now)
    guard isOpen || mayTextUntaken, modems.contains(where: { $0.isIdle(at: now) }) else { return }
    guard (isOpen ? outbox : untaken).isTime(at: now), hasBudget(at: now, &effects),
      gatewayFree(at: now).map({ $0 <= now }) == true
    else { return }
    if isOpen {
      outbox.ask()
      effects.append(.chooseDue)
    } else if let untakenAfter {
      untaken.ask()
      effects.append(.chooseUntaken(for: untakenAfter))
    }
  }

  /// Whether passages that the server does not take, each by itself, may leave while it takes others.
  var mayTextUntaken: Bool { !rules.gateways.isEmpty && untakenAfter != nil }

  /// Takes the store's choice, looks at it once more with the rule itself, and sends it.
  mutating func chosen(
    _ answer: DueAnswer, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let isUntaken = untaken.take(answer)
    guard outbox.take(answer) || isUntaken, let due = answer.text else { return }
    if due.recipient != .centre { return chosenForOther(due, at: now, &effects) }
    guard mayTextPassages(at: now) || isUntaken && mayTextUntaken,
      let recipient = gateway(for: due, at: now),
      let modem = best(idleModems(at: now), for: recipient, at: now)
    else {
      lookAtAll()
      return
    }
    // The most urgent of those that are due stands first, so that nothing behind it may leave either. One
    // that was recorded meanwhile may be urgent, and is due after that pause.
    if let quietUntil, quietUntil > now, !due.isUrgent {
      let next = max(rules.due(since: now), now + Limits.quietLookAtLeast)
      outbox.rest(until: min(quietUntil, next))
      untaken.rest(until: min(quietUntil, next))
      return
    }
    switch verdict(on: due, at: now) {
    case .goes:
      lookAtAll()
      let intent = TextIntent(
        id: takeTextID(), queueID: due.queueID, modem: modem, to: recipient, body: due.body,
        modemName: name(of: modem), worthFor: rules.worth(atAge: due.age(at: now)))
      begin(intent, due: due, requestID: nil, at: now, &effects)
    case .waits(let until):
      effects.append(.write(.putOff(queueID: due.queueID, until: until)))
      lookBehind(at: now)
    case .outdated(let age):
      lookBehind(at: now)
      effects.append(.write(.outdated(queueID: due.queueID)))
      effects.append(.report(.passageOutdated(due.clientID, age: age)))
    case .aside(let reason):
      lookBehind(at: now)
      effects.append(.write(.park(queueID: due.queueID, recipient: .centre, reason: reason)))
      effects.append(.report(.passageParked(due.clientID, reason: reason)))
    case .never:
      // The limit may have been lowered since it became due.
      effects.append(.write(.putOff(queueID: due.queueID, until: nil)))
      lookBehind(at: now)
    }
  }

  private mutating func lookBehind(at now: BootInstant) {
    outbox.lookBehind(at: now)
    untaken.lookBehind(at: now)
  }

  /// Writes a text down, charges its modem's budget, and hands it to the modem.
  mutating func begin(
    _ intent: TextIntent, due: DueText?, requestID: Int64?, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    let index = intent.modem.index
    var intent = intent
    intent.isToKnownNumber = modems[index].credit.hasReached(intent.to)
    if !Mutant.budgetIsNotCharged.isActive {
      modems[index].budget.charge(at: now, parts: intent.parts)
    }
    let flight = InFlightText(
      id: intent.id, since: now, due: due, requestID: requestID, to: intent.to,
      parts: intent.parts, isHeartbeat: intent.isHeartbeat)
    modems[index].flight = flight
    heartbeat.textBegun(at: now)
    if !Mutant.textWithoutIntent.isActive { effects.append(.write(.intent(intent))) }
    effects.append(.report(.textIntended(TextAbout(flight, by: intent.modem))))
    // One that is used up is told of as that.
    for use in modems[index].budget.nearlyUsed(at: now) where use.remaining > 0 {
      effects.append(.report(.budgetNearlyUsed(intent.modem, use)))
    }
    effects.append(.send(intent))
  }

  /// What the rule says about one passage.
  enum Verdict: Hashable, Sendable {
    case goes
    case waits(until: BootInstant)
    case outdated(age: Duration)
    case aside(reason: String)
    case never
  }

  /// The rule, for one passage, while connectivity lets passages leave.
  func verdict(on due: DueText, at now: BootInstant) -> Verdict {
    let mayGo = due.textAttempts < rules.textsAllowed || Mutant.unknownTextIsSentAgain.isActive
    guard !due.isTexted, mayGo else { return .never }
    switch due.status {
    case .synced, .inFlight: return .never
    // What the server does not take is tried there again, too, until a text is worth its price.
    case .failed, .pending:
      if now - due.since <= rules.fallbackAfter, !Mutant.textsYoungPassages.isActive {
        return .waits(until: rules.due(since: due.since))
      }
    }
    let age = due.age(at: now)
    if age >= rules.worthFor {
      return .outdated(age: due.isAskedFor ? now - due.since : age)
    }
    if .zero - age > rules.worthFor {
      let hours = (.zero - age).wholeSeconds / 3_600
      return .aside(
        reason:
          "its time is \(hours) h ahead of the mobile network's: the clock that dated it was wrong")
    }
    if age < .zero { return .waits(until: now - age) }
    if due.textAttempts > 0, let last = due.lastTextAt, now - last < rules.unknownSpacing {
      return .waits(until: last + rules.unknownSpacing)
    }
    return .goes
  }

  /// When texting passages has something to do by the passing of time alone.
  var passagesDeadline: BootInstant? {
    guard !isStopping, !rules.gateways.isEmpty else { return nil }
    // Those that the server does not take go before the others may.
    let single = mayTextUntaken ? untaken.deadline : nil
    let all = opens.flatMap { opens in outbox.deadline.map { max($0, opens) } }
    guard let due = earlier(single, all) else { return nil }
    // Modems that are busy or cannot send change by an event, not by time.
    let free = modems.filter { $0.canSend && $0.flight == nil }.map { modem in
      max(modem.holdUntil ?? .zero, modem.budgetUntil ?? .zero)
    }
    guard let modemFree = free.min(), let gatewayFree = gatewayFree(at: .zero) else { return nil }
    return max(modemFree, gatewayFree, due, heldUntil ?? .zero)
  }

  /// What people call a modem.
  func name(of modem: ModemID) -> String {
    rules.modems.indices.contains(modem.index) ? rules.modems[modem.index].name : "\(modem)"
  }

  /// The best of some modems for a number: one that is not failing before one that is, then one of
  /// the number's network, then the one with the most left of its day.
  func best(_ indices: [Int], for number: String, at now: BootInstant) -> ModemID? {
    func fit(_ index: Int) -> Int {
      rules.modems.indices.contains(index) ? rules.modems[index].fit(number) : 0
    }
    func remaining(_ index: Int) -> Int {
      modems[index].budget.use(of: .day, at: now).remaining
    }
    let best = indices.max { left, right in
      let (worse, better) = (modems[left].backoff.total, modems[right].backoff.total)
      if worse != better { return worse > better }
      if fit(left) != fit(right) { return fit(left) < fit(right) }
      if remaining(left) != remaining(right) { return remaining(left) < remaining(right) }
      return left > right
    }
    return best.map { ModemID($0) }
  }

  mutating func takeTextID() -> TextID {
    defer { nextTextID += 1 }
    return nextTextID
  }

  func mayTextPassages(at now: BootInstant) -> Bool {
    !rules.gateways.isEmpty && opens.map { $0 <= now } == true
  }

  /// From when on connectivity lets passages leave; nil while it does not.
  var opens: BootInstant? {
    switch gate {
    case .open: .zero
    case .opens(let at): at
    case .closed: nil
    }
  }

  private func isHeldByStorage(at now: BootInstant) -> Bool {
    heldUntil.map { $0 > now } ?? false
  }

  /// Modems that may be handed a text now.
  func idleModems(at now: BootInstant) -> [Int] {
    modems.indices.filter {
      modems[$0].isIdle(at: now) && modems[$0].budget.exhausted(at: now) == nil
    }
  }

  /// Whether one of the idle modems may send; those that may not are reported, once for each time that
  /// their budget opens at.
  private mutating func hasBudget(
    at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> Bool {
    var found = false
    for index in modems.indices where modems[index].isIdle(at: now) {
      guard let (window, until) = modems[index].budget.exhausted(at: now) else {
        modems[index].budgetUntil = nil
        found = true
        continue
      }
      if modems[index].budgetUntil != until {
        modems[index].budgetUntil = until
        effects.append(
          .report(
            .budgetExhausted(
              ModemID(index), modems[index].budget.use(of: window, at: now), until: until)))
      }
    }
    return found
  }
}
