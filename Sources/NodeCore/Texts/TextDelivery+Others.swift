import GSM
import Time

// Others than the centre get each passage as a text too, while there is no line: the opposite post, which
// matches on the spot, and the further numbers of the settings. Each has deliveries of its own. The store
// offers one only when none to the centre is due, and it leaves the budget a reserve: a passage reaches the
// centre first. When the server has the passage, these texts are cancelled with the centre's: who reads them
// has the server too, and one that has not lost a word of a passage, not the passage.
//
// What fails with such a number is held against that number alone, which rests. No modem pauses for it, or a
// telephone that is switched off would keep passages from the centre.

/// What the core knows of a number besides the centre's.
struct RecipientState: Hashable, Sendable {
  /// It is left alone until then.
  private(set) var restUntil = BootInstant.zero
  /// Texts to it in a row that were not taken.
  private(set) var failures = 0

  private static let pauses: [Int64] = [60, 300, 900, 3_600, 21_600]

  /// A text to it failed: it rests, longer each time.
  mutating func failed(at now: BootInstant) -> BootInstant {
    failures += 1
    let pauses = RecipientState.pauses
    restUntil = now + .seconds(pauses[min(failures, pauses.count) - 1])
    return restUntil
  }
}

extension TextDelivery {
  /// Looks once more at a passage for somebody besides the centre, and sends it.
  mutating func chosenForOther(
    _ due: DueText, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard let number = rules.number(of: due.recipient) else {
      return putOff(due, until: nil, at: now, &effects)
    }
    let idle = modems.indices.filter { modems[$0].isIdle(at: now) }
    guard mayTextPassages(at: now), !idle.isEmpty else { return outbox.look() }
    guard due.refusals < Limits.refusalsByRecipient else {
      effects.append(
        .write(
          .park(
            queueID: due.queueID, recipient: due.recipient,
            reason: "refused \(due.refusals) times")))
      return outbox.lookBehind(at: now)
    }
    if let quietUntil, quietUntil > now {
      return putOff(due, until: quietUntil, at: now, &effects)
    }
    let worth = rules.worth(to: due.recipient) - due.age(at: now)
    guard worth > .zero else {
      effects.append(.write(.outdated(queueID: due.queueID, recipient: due.recipient)))
      return outbox.lookBehind(at: now)
    }
    if let rest = recipients[number]?.restUntil, rest > now {
      return putOff(due, until: rest, at: now, &effects)
    }
    let parts = 1 + Limits.heartbeatReserve
    let solvent = idle.filter { modems[$0].budget.exhausted(at: now, parts: parts) == nil }
    guard let modem = best(solvent, for: number, at: now) else {
      let opens = idle.compactMap { modems[$0].budget.exhausted(at: now, parts: parts)?.until }
      let next = opens.min().flatMap { $0.nanoseconds == .max ? nil : $0 }
      return putOff(due, until: next, at: now, &effects)
    }
    switch verdict(on: due, at: now) {
    case .goes:
      outbox.look()
      var intent = TextIntent(
        id: takeTextID(), queueID: due.queueID, modem: modem, to: number, body: due.body,
        modemName: name(of: modem), worthFor: max(worth, Limits.shortestValidity))
      intent.recipient = due.recipient
      begin(intent, due: due, requestID: nil, at: now, &effects)
    case .waits(let until): putOff(due, until: until, at: now, &effects)
    case .aside(let reason):
      effects.append(
        .write(.park(queueID: due.queueID, recipient: due.recipient, reason: reason)))
      outbox.lookBehind(at: now)
    case .outdated, .never: putOff(due, until: nil, at: now, &effects)
    }
  }

  private mutating func putOff(
    _ due: DueText, until: BootInstant?, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    effects.append(
      .write(.putOff(queueID: due.queueID, recipient: due.recipient, until: until)))
    outbox.lookBehind(at: now)
  }

  /// The outcome as it counts for such a text: a refusal that passes soon the first times is called so.
  /// The modem's own count of them is of the centre's texts.
  func weighForOther(_ outcome: TextOutcome, _ due: DueText) -> TextOutcome {
    guard case .refused(var refusal) = outcome, due.refusals < refusal.triesFirst else {
      return outcome
    }
    refusal.kind = .soon
    return .refused(refusal)
  }

  /// The pause of a modem after such a text. That it is not accepted says nothing of the next one to the
  /// centre; a modem that did not even send it, or said nothing, may need a moment.
  mutating func pauseForOther(after outcome: TextOutcome, modem index: Int) -> Backoff.Pause? {
    var fresh = Backoff()
    switch outcome {
    case .accepted:
      modems[index].startClean()
      return nil
    case .refused: return nil
    case .notSent: return modems[index].backoff.notSent()
    case .unknown: return fresh.unknown()
    }
  }

  /// What the outcome means for the number it went to; the fact to tell when it rests.
  mutating func restOfOther(
    after outcome: TextOutcome, to number: String, _ recipient: TextRecipient, at now: BootInstant
  ) -> NodeFact? {
    let reason: String
    var isNumbers = false
    switch outcome {
    case .accepted:
      recipients[number] = nil
      return nil
    case .notSent: return nil
    case .refused(let refusal):
      guard refusal.kind != .done else {
        recipients[number] = nil
        return nil
      }
      (reason, isNumbers) = (words(for: outcome), refusal.kind == .destination)
    case .unknown: reason = words(for: outcome)
    }
    var state = recipients[number] ?? RecipientState()
    let until = state.failed(at: now)
    recipients[number] = state
    // One failure says little, unless the network says that it is the number.
    guard isNumbers || state.failures > 1 else { return nil }
    return .recipientRests(recipient, number: number, until: until, reason: reason)
  }

  /// When the next text to such a number may go, after one that failed.
  func freeAgain(for number: String, at now: BootInstant) -> BootInstant {
    max(recipients[number]?.restUntil ?? now, now)
  }
}
