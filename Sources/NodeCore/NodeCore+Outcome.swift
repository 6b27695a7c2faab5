import Passages
import Timing

extension NodeCore {
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
    modems[index].flight = nil
    needsLook = true
    if case .notSent = outcome {
      budget.refund(chargedAt: flight.since)
    }
    let pause = pause(after: outcome, modem: index)
    if let pause {
      modems[index].holdUntil = now + pause.duration
    }
    let consequence = consequence(of: outcome, for: flight, pause: pause, at: now)
    effects.append(.write(.outcome(id, outcome, consequence)))
    report(outcome, of: flight, consequence, &effects)
    if let pause {
      let hold = NodeFact.sendingHeld(
        ModemID(index), until: now + pause.duration, reason: words(for: outcome),
        needsOperator: pause.needsOperator)
      effects.append(.report(hold))
    }
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
      effects.append(.report(.textAccepted(id, nil, references: references)))
    case .refused(let refusal):
      let consequence: TextConsequence =
        refusal.kind == .done
        ? .texted : .againAfterRefusal(at: now + Streak.extraWait(refusals: Limits.attempts))
      effects.append(.write(.outcome(id, outcome, consequence)))
      effects.append(.report(.textRefused(id, nil, refusal, next: nil)))
    case .notSent(let reason):
      effects.append(.write(.outcome(id, outcome, .againAfterRefusal(at: now))))
      effects.append(.report(.textNotSent(id, nil, reason: reason, next: now)))
    }
    needsLook = true
  }

  private mutating func pause(after outcome: TextOutcome, modem index: Int) -> Streak.Pause? {
    switch outcome {
    case .accepted:
      modems[index].streak.accepted()
      modems[index].holdUntil = nil
      return nil
    case .refused(let refusal):
      return modems[index].streak.refused(refusal.kind)
    case .notSent:
      return modems[index].streak.notSent()
    case .unknown:
      return modems[index].streak.unknown()
    }
  }

  private func consequence(
    of outcome: TextOutcome, for flight: Flight, pause: Streak.Pause?, at now: BootInstant
  ) -> TextConsequence {
    let freeAgain = now + (pause?.duration ?? .zero)
    let due = flight.due
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
      return .againAfterRefusal(at: freeAgain + Streak.extraWait(refusals: refusals))
    case .notSent:
      return .againAfterRefusal(at: freeAgain)
    case .unknown:
      if (due?.airings ?? 0) + 1 >= rules.textsAllowed {
        return .leftUnknown
      }
      return .againAfterUnknown(at: max(freeAgain, flight.since + rules.unknownSpacing))
    }
  }

  private func report(
    _ outcome: TextOutcome, of flight: Flight, _ consequence: TextConsequence,
    _ effects: inout [NodeEffect]
  ) {
    let client = flight.due?.clientID
    let next = client == nil ? nil : consequence.next
    switch outcome {
    case .accepted(let references):
      effects.append(.report(.textAccepted(flight.id, client, references: references)))
    case .refused(let refusal):
      effects.append(.report(.textRefused(flight.id, client, refusal, next: next)))
    case .notSent(let reason):
      effects.append(.report(.textNotSent(flight.id, client, reason: reason, next: next)))
    case .unknown(let reason):
      effects.append(.report(.textUnknown(flight.id, client, reason: reason, next: next)))
    }
    if case .parked(let reason) = consequence, let client {
      effects.append(.report(.passageParked(client, reason: reason)))
    }
  }

  private func words(for outcome: TextOutcome) -> String {
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
