import Time

// The opposite post gets each passage as a text when there is no line, so that it can match on the spot.
// The store offers such a text only when none to the centre is due, and it leaves the budget a reserve: a
// passage reaches the centre first. When the server has the passage, the text is cancelled with the
// centre's: the opposite post pulls it from there, and one that cannot has lost a warning, not a passage.
extension TextDelivery {
  /// Looks once more at a passage for the opposite post, and sends it.
  mutating func chosenForOpposite(
    _ due: DueText, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard let number = rules.oppositeNumber else {
      return putOff(due, until: nil, at: now, &effects)
    }
    let idle = modems.indices.filter { modems[$0].isIdle(at: now) }
    guard mayTextPassages(at: now), !idle.isEmpty else { return outbox.look() }
    if let quietUntil, quietUntil > now {
      return putOff(due, until: quietUntil, at: now, &effects)
    }
    let age = due.age(at: now)
    guard age < min(rules.worthFor, Limits.oppositeWithin) else {
      return putOff(due, until: nil, at: now, &effects)
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
        modemName: name(of: modem), worthFor: Limits.oppositeWithin - age)
      intent.recipient = .opposite
      begin(intent, due: due, requestID: nil, at: now, &effects)
    case .waits(let until): putOff(due, until: until, at: now, &effects)
    case .outdated, .aside, .never: putOff(due, until: nil, at: now, &effects)
    }
  }

  private mutating func putOff(
    _ due: DueText, until: BootInstant?, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    effects.append(.write(.oppositePutOff(queueID: due.queueID, until: until)))
    outbox.lookBehind(at: now)
  }
}
