import Time

/// What happens to a modem in the middle of a command.
extension SimulatedModem {
  /// Whether it carries a command out at all.
  mutating func hears(_ text: String, at now: BootInstant) -> Bool {
    if let plug = faults.unplugs {
      faults.unplugs = nil
      effects.append(.unplugged(plug))
      return false
    }
    guard let left = faults.hearsStill else { return true }
    if left > 0 {
      faults.hearsStill = left - 1
      return true
    }
    // The one thing that it still carries out, without a word.
    if text.uppercased().filter({ $0 != " " }) == "AT+CFUN=1,1" {
      faults.hearsStill = nil
      restart(at: now)
    }
    return false
  }

  /// Somebody opened its port: one that went deaf hears again.
  public mutating func lineOpened() {
    if faults.hearsStill == 0 { faults.hearsStill = nil }
  }

  /// Cuts an answer in its middle when the supply is to dip, and is silent until the start.
  mutating func cutAnswer(at now: BootInstant) {
    guard let duration = faults.browningOut else { return }
    faults.browningOut = nil
    let bytes = pending.flatMap(\.bytes)
    pending = []
    if case .body = input { input = .command }
    line = []
    waitingInput = []
    effects.append(.bytes(Array(bytes.prefix(bytes.count / 2))))
    faults.muteUntil = now + duration
    faults.restartsAt = now + duration
  }

  /// Says the answer that waited for a status report.
  mutating func releaseAnswer(at now: BootInstant) {
    guard let held = heldAnswer else { return }
    heldAnswer = nil
    isAwaitingNetwork = false
    say(held.reference, at: now)
    end(.ok, at: now)
  }
}
