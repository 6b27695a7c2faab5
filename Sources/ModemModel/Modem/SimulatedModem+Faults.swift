public import Timing

/// What goes wrong on request, and what a person does to a modem.
extension SimulatedModem {
  /// Lets something go wrong, from now on.
  public mutating func inject(_ fault: ModemFault, at now: BootInstant) -> [ModemEffect] {
    let never = SimulatedModem.never
    switch fault {
    case .mute(let duration): muteUntil = duration.map { now + $0 } ?? never
    case .refuse(let code, let times):
      refusals += Array(repeating: code, count: min(times, Limits.refusals - refusals.count))
    case .loseAnswer, .lateAnswer, .falseError: answerFault = fault
    case .noPrompt: withholdsPrompt = true
    case .unregistered(let duration): unregisteredUntil = duration.map { now + $0 } ?? never
    case .denied: isDenied = true
    case .simBusy(let duration): simBusyUntil = now + duration
    case .silentReception: isReceptionSilent = true
    case .storageFull: isStorageFull = true
    case .slow(let duration): slowness = duration
    case .trickle: tricklesBytes = true
    case .shortPrompt: promptTail = ""
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
    isStorageFull = false
    slowness = .zero
    tricklesBytes = false
    promptTail = settings.profile.promptTail
  }

  /// Restarts the modem: its settings are forgotten, the SIM asks for its PIN again. Messages, tries
  /// and whatever goes wrong stay.
  mutating func restart(saying final: String? = nil, at now: BootInstant) {
    var fresh = SimulatedModem(settings: settings, at: now)
    fresh.storages = storages
    fresh.nextReference = nextReference
    fresh.serviceCentre = serviceCentre
    fresh.credit = credit
    fresh.clock = clock
    fresh.pin = pin
    fresh.pinTries = pinTries
    fresh.pukTries = pukTries
    fresh.asksPIN = asksPIN
    fresh.isUnlocked = !asksPIN && pinTries > 0
    fresh.isCovered = isCovered
    fresh.muteUntil = muteUntil
    fresh.refusals = refusals
    fresh.unregisteredUntil = unregisteredUntil
    fresh.isDenied = isDenied
    fresh.simBusyUntil = simBusyUntil
    fresh.isReceptionSilent = isReceptionSilent
    fresh.isNoisy = isNoisy
    fresh.isStorageFull = isStorageFull
    fresh.slowness = slowness
    fresh.tricklesBytes = tricklesBytes
    fresh.promptTail = promptTail
    fresh.effects = effects
    if acknowledgeBy != nil { fresh.effects.append(.acknowledged(false)) }
    let answer = final.map { framed($0) }
    self = fresh
    if let answer { put(answer, at: now) }
    for line in settings.profile.bootLines {
      tell(line == "+CPIN: READY" ? cardLine(now) : line, at: now)
    }
    if simError(now) == nil { tellReady(at: now) }
  }

  /// What the maker's firmware says once the SIM can be used.
  mutating func tellReady(at now: BootInstant) {
    for line in settings.profile.readyLines { tell(line, at: max(now, busyUntil)) }
  }

  /// What the firmware says of the SIM when it starts.
  private func cardLine(_ now: BootInstant) -> String {
    settings.hasSIM ? "+CPIN: \(pinState)" : "+CPIN: NOT INSERTED"
  }
}
