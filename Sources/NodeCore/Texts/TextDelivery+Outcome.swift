import GSM
import Mutants
import Passages
import Time

extension TextDelivery {
  /// Takes the outcome of a text: what it means for the passage, and how long the modem is left
  /// alone.
  mutating func finished(
    _ id: TextID, _ outcome: TextOutcome, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard let index = modems.firstIndex(where: { $0.flight?.id == id }),
      let flight = modems[index].flight
    else {
      finishedLate(id, outcome, at: now, &effects)
      return
    }
    let other = flight.due.flatMap { $0.recipient == .centre ? nil : $0 }
    let outcome = other.map { weighForOther(outcome, $0) } ?? modems[index].weigh(outcome)
    modems[index].flight = nil
    lookAtAll()
    if case .notSent = outcome {
      modems[index].budget.refund(chargedAt: flight.since, parts: flight.parts)
      modems[index].budgetUntil = nil
    }
    noteSilence(after: outcome, of: flight, at: now)
    let pause =
      other == nil
      ? pause(after: outcome, of: flight, modem: index)
      : pauseForOther(after: outcome, modem: index)
    if let pause {
      modems[index].holdUntil = now + pause.duration
      modems[index].holdSince = modems[index].holdSince ?? now
      modems[index].needsOperator = pause.needsOperator
      modems[index].holdCause = HoldCause(outcome, needsOperator: pause.needsOperator)
      modems[index].holdReason =
        words(for: outcome) + (pause.needsOperator ? advice(for: outcome) : "")
    }
    let rests: NodeFact?
    if let other {
      rests = restOfOther(after: outcome, to: flight.to, other.recipient, at: now)
    } else {
      rests = rest(after: outcome, of: flight, at: now)
    }
    let consequence = consequence(of: outcome, for: flight, pause: pause, at: now)
    effects.append(.write(.outcome(id, outcome, consequence)))
    report(
      outcome, of: TextAbout(flight, by: ModemID(index)), consequence,
      isForCentre: other == nil, &effects)
    if let pause {
      modems[index].toldHoldSince = modems[index].toldHoldSince ?? now
      let hold = NodeFact.sendingHeld(
        ModemID(index), until: now + pause.duration,
        reason: words(for: outcome) + (pause.needsOperator ? advice(for: outcome) : ""),
        needsOperator: pause.needsOperator)
      effects.append(.report(hold))
    }
    if let rests { effects.append(.report(rests)) }
    noteCredit(outcome, of: flight, modem: index, at: now, &effects)
    if let requestID = flight.requestID {
      effects.append(.manualFinished(requestID: requestID, outcome))
    }
  }

  /// An outcome that came after it was given up: what is now known replaces "unknown". It changes
  /// no pause, since the modem has long been tried again.
  private mutating func finishedLate(
    _ id: TextID, _ outcome: TextOutcome, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    switch outcome {
    case .unknown:
      return
    case .accepted(let references):
      effects.append(.write(.outcome(id, outcome, .texted)))
      effects.append(.report(.textAccepted(TextAbout(id), references: references)))
    case .refused(let refusal):
      let consequence: TextConsequence =
        refusal.kind == .done
        ? .texted : .againAfterRefusal(at: now + Backoff.extraWait(refusals: Limits.attempts))
      effects.append(.write(.outcome(id, outcome, consequence)))
      effects.append(.report(.textRefused(TextAbout(id), refusal, next: nil)))
    case .notSent(let reason):
      effects.append(.write(.outcome(id, outcome, .againAfterRefusal(at: now))))
      effects.append(.report(.textNotSent(TextAbout(id), reason: reason, next: now)))
    }
    lookAtAll()
  }

  private mutating func pause(
    after outcome: TextOutcome, of flight: InFlightText, modem index: Int
  ) -> Backoff.Pause? {
    switch outcome {
    case .accepted:
      modems[index].backoff.accepted()
      modems[index].refusedNumbers = []
      modems[index].startClean()
      return nil
    case .refused(let refusal) where refusal.kind == .destination:
      modems[index].refusedNumbers.insert(flight.to)
      return modems[index].backoff.refusedByNumbers(modems[index].refusedNumbers.count)
    case .refused(let refusal):
      // What an operator typed may be refused for what it is; the passages find out for themselves.
      if flight.due == nil, refusal.kind != .alert, refusal.kind != .storage { return nil }
      return modems[index].backoff.refused(refusal.kind)
    case .notSent:
      return modems[index].backoff.notSent()
    case .unknown:
      return modems[index].backoff.unknown()
    }
  }

  /// What the outcome means for the number that the text went to; the fact to tell when it is to rest.
  private mutating func rest(
    after outcome: TextOutcome, of flight: InFlightText, at now: BootInstant
  ) -> NodeFact? {
    guard let place = rules.gateways.firstIndex(of: flight.to) else { return nil }
    var state = gateways[flight.to] ?? GatewayState()
    var until: BootInstant?
    switch outcome {
    case .accepted:
      gateways[flight.to] = nil
      return nil
    case .refused(let refusal):
      switch refusal.kind {
      case .destination: until = state.refused(words(for: outcome), at: now)
      case .soon, .later:
        until = state.missed(
          words(for: outcome), hasOther: rules.gateways.count > 1, at: now)
      case .alert, .permanent, .storage, .done: return nil
      }
    case .notSent, .unknown: return nil
    }
    gateways[flight.to] = state
    return until.map {
      .gatewayRests(
        index: place, number: flight.to, until: $0, reason: words(for: outcome))
    }
  }

  /// Looks whether the refusals of a SIM are those of one without credit.
  private mutating func noteCredit(
    _ outcome: TextOutcome, of flight: InFlightText, modem index: Int, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    switch outcome {
    case .accepted:
      modems[index].credit.accepted(to: flight.to)
    case .refused(let refusal):
      // A number that refuses is no empty account; the centre's texts tell of one.
      guard flight.due.map({ $0.recipient == .centre }) ?? true else { return }
      if modems[index].credit.refused(refusal, to: flight.to, at: now) {
        effects.append(
          .report(.noCreditSuspected(ModemID(index), reason: words(for: outcome))))
      }
    case .notSent, .unknown: break
    }
  }

  private func consequence(
    of outcome: TextOutcome, for flight: InFlightText, pause: Backoff.Pause?, at now: BootInstant
  ) -> TextConsequence {
    let due = flight.due
    let isForCentre = due.map { $0.recipient == .centre } ?? true
    let free =
      isForCentre ? freeAgain(at: now) : max(modemFree(at: now), freeAgain(for: flight.to, at: now))
    switch outcome {
    case .accepted:
      return .texted
    case .refused(let refusal):
      if refusal.kind == .done {
        return .texted
      }
      if refusal.kind == .permanent, pause == nil {
        return .parked(reason: words(for: outcome))
      }
      let refusals = (due?.refusals ?? 0) + 1
      return .againAfterRefusal(
        at: isForCentre ? free + Backoff.extraWait(refusals: refusals) : free)
    case .notSent:
      return .againAfterRefusal(at: free)
    case .unknown:
      if (due?.textAttempts ?? 0) + 1 >= rules.textsAllowed,
        !Mutant.unknownTextIsSentAgain.isActive
      {
        return .leftUnknown
      }
      return .againAfterUnknown(at: max(free, flight.since + rules.unknownSpacing))
    }
  }

  /// When the first modem and the first number may be tried again. Where there is another of both,
  /// that is now: one that fails keeps no passage waiting.
  private func freeAgain(at now: BootInstant) -> BootInstant {
    max(modemFree(at: now), gatewayFree(at: now) ?? now)
  }

  private func modemFree(at now: BootInstant) -> BootInstant {
    let awake = modems.contains(where: \.canSend) ? modems.filter(\.canSend) : modems
    return awake.map { max($0.holdUntil ?? now, now) }.min() ?? now
  }

  private func report(
    _ outcome: TextOutcome, of text: TextAbout, _ consequence: TextConsequence,
    isForCentre: Bool, _ effects: inout [NodeEffect]
  ) {
    let next = text.client == nil ? nil : consequence.next
    switch outcome {
    case .accepted(let references):
      effects.append(.report(.textAccepted(text, references: references)))
    case .refused(let refusal):
      effects.append(.report(.textRefused(text, refusal, next: next)))
    case .notSent(let reason):
      effects.append(.report(.textNotSent(text, reason: reason, next: next)))
    case .unknown(let reason):
      effects.append(.report(.textUnknown(text, reason: reason, next: next)))
    }
    if case .parked(let reason) = consequence, let client = text.client, isForCentre {
      effects.append(.report(.passageParked(client, reason: reason)))
    }
  }

  private func advice(for outcome: TextOutcome) -> String {
    guard case .refused(let refusal) = outcome, let advice = refusal.advice else { return "" }
    return "; \(advice)"
  }

  func words(for outcome: TextOutcome) -> String {
    switch outcome {
    case .accepted: "accepted"
    case .refused(let refusal): "\(refusal.code) \(refusal.words)"
    case .notSent(let reason): "not sent: \(reason)"
    case .unknown(let reason): "outcome unknown: \(reason)"
    }
  }
}

extension TextConsequence {
  /// When the passage is due again; nil when it never is.
  var next: BootInstant? {
    switch self {
    case .againAfterRefusal(let at), .againAfterUnknown(let at): at
    case .texted, .leftUnknown, .parked: nil
    }
  }
}
