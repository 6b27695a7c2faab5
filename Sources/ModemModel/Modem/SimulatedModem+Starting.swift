import Time

/// A modem that takes its time to start, or starts without a word.
extension SimulatedModem {
  mutating func beginAtStart(_ fault: ModemFault, at now: BootInstant) {
    switch fault {
    case .lateMessages(let duration):
      faults.messagesDelay = duration
      restart(at: now)
    case .lateStart(let duration, let refusal, let commands):
      faults.lateStart = FaultState.LateStart(
        lasts: duration, refusal: refusal, commands: Set(commands.map { $0.uppercased() }))
      restart(at: now)
    case .quietRestart(let duration): restart(quietFor: duration, at: now)
    default: break
    }
  }

  /// Whether a command is one of those that are refused until messages are ready.
  func refusesYet(_ name: String, at now: BootInstant) -> Bool {
    guard let from = faults.messagesFrom, from > now else { return false }
    return ["+CMGF", "+CSMS", "+CSDH", "+CMMS", "+CSCA", "+CSMP", "+CNMI", "+CPMS", "+CNMA"]
      .contains(name) || name.hasPrefix("+CMG")
  }

  /// What a command is refused with because the modem has only just started; nil when it is not.
  func refusesAtStart(_ name: String, at now: BootInstant) -> CommandEnd? {
    guard let start = faults.lateStart, let until = faults.refusesUntil, until > now else {
      return nil
    }
    // The commands of the line itself work from the first moment.
    guard
      start.commands.isEmpty
        ? name.hasPrefix("+") && name != "+CFUN" : start.commands.contains(name)
    else { return nil }
    return switch start.refusal {
    case .plain: .error
    case .cme(let code): .cme(code)
    case .cms(let code): .cms(code)
    }
  }

  /// Restarts without its first words, and says only what it says once it is ready.
  private mutating func restart(quietFor duration: Duration, at now: BootInstant) {
    let said = effects
    restart(at: now)
    effects = said
    pending = []
    faults.muteUntil = now + duration
    lastRegistration = nil
    if simError(now) == nil { tellReady(at: now + duration) }
  }
}
