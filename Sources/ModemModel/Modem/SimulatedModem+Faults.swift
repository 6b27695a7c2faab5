public import Timing

/// What goes wrong on request, and what a person does to a modem.
extension SimulatedModem {
  /// Lets something go wrong, from now on.
  public mutating func inject(_ fault: ModemFault, at now: BootInstant) -> [ModemEffect] {
    let never = BootInstant(nanoseconds: .max)
    switch fault {
    case .mute(let duration): muteUntil = duration.map { now + $0 } ?? never
    case .refuse(let code, let times): refusals += Array(repeating: code, count: min(times, 1_000))
    case .loseAnswer, .lateAnswer, .falseError: answerFault = fault
    case .noPrompt: withholdsPrompt = true
    case .unregistered(let duration): unregisteredUntil = duration.map { now + $0 } ?? never
    case .denied: isDenied = true
    case .simBusy(let duration): simBusyUntil = now + duration
    case .silentReception: isReceptionSilent = true
    case .restart: restart(at: now)
    case .echo: echoes = true
    case .noise: isNoisy = true
    case .healed: heal()
    }
    return advance(to: now)
  }

  /// Says something by itself, as the maker's firmware does.
  public mutating func tell(unsolicited text: String, at now: BootInstant) -> [ModemEffect] {
    if !isMute(now) { tell(text, at: now) }
    return advance(to: now)
  }

  private mutating func heal() {
    muteUntil = nil
    refusals = []
    answerFault = nil
    withholdsPrompt = false
    unregisteredUntil = nil
    isDenied = false
    simBusyUntil = nil
    isReceptionSilent = false
    isNoisy = false
  }

  /// Restarts the modem: its settings are forgotten, the SIM asks for its PIN again.
  mutating func restart(at now: BootInstant) {
    let fresh = SimulatedModem(settings: settings, at: now)
    input = .command
    line = []
    waitingInput = []
    pending = []
    busyUntil = now
    isAwaitingNetwork = false
    asked = nil
    echoes = true
    isVerbose = true
    isQuiet = false
    errorLevel = 0
    isTextMode = false
    characterSet = fresh.characterSet
    messageService = 0
    indication = fresh.indication
    registrationReports = [:]
    function = 1
    showsTextHeaders = false
    textParameters = fresh.textParameters
    isUnlocked = settings.pin == nil
    readStorage = "SM"
    writeStorage = "SM"
    receiveStorage = "SM"
    registeredFrom = fresh.registeredFrom
    lastRegistration = nil
    for line in settings.profile.bootLines { tell(line, at: now) }
  }
}
