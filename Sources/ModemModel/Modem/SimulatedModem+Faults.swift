import SeededRandom
public import Time

/// What goes wrong on request, and what a person does to a modem.
extension SimulatedModem {
  /// Lets something go wrong, from now on.
  public mutating func inject(_ fault: ModemFault, at now: BootInstant) -> [ModemEffect] {
    effects = []
    let before = begin(fault, at: now)
    return before + advance(to: now)
  }

  /// Its plug was pulled and is back: it starts, and what only power heals is healed.
  public mutating func powerCycled(at now: BootInstant) -> [ModemEffect] {
    effects = []
    faults.isDead = false
    faults.hearsStill = nil
    faults.restartsAt = nil
    restart(at: now)
    let before = takeEffects()
    return before + advance(to: now)
  }

  private mutating func takeEffects() -> [ModemEffect] {
    defer { effects = [] }
    return effects
  }

  private mutating func begin(_ fault: ModemFault, at now: BootInstant) -> [ModemEffect] {
    switch fault {
    case .mute, .deafAfter, .needsPower, .slow, .trickle, .noise, .echo, .nulBytes, .hugeLine,
      .badText, .garbage, .errorWords, .bareErrors, .swappedErrors, .restart, .brownOut, .unplug,
      .endlessEcho, .withoutResult:
      beginOnLine(fault, at: now)
    case .quietRestart, .lateMessages, .lateStart: beginAtStart(fault, at: now)
    case .simBusy, .simRemoved, .simInserted, .pinTries, .handsetLock, .unregistered, .denied,
      .roaming, .epsOnly, .noServiceCentre, .lateServiceCentre:
      beginInNetwork(fault, at: now)
    case .refuse, .refuseNumber, .numberBusy, .credit, .loseAnswer, .lateAnswer, .falseError,
      .reportFirst, .slowNetwork, .noPrompt, .latePrompt, .shortPrompt, .promptLine, .promptEcho:
      beginInSending(fault, at: now)
    case .silentReception, .forgetIndication, .loseIndication, .lateIndication, .wrongStorage,
      .indicationElsewhere, .doubleReport, .wrongReference, .unreadableReport, .storageFull,
      .storageLimit, .muteList, .storageWithoutOK, .storagesTogether, .storedInModem, .refuseList,
      .slowList, .textMode, .leftovers, .tellsFull, .refuseDeletion:
      beginInReceiving(fault)
    case .healed: heal(at: now)
    }
    return takeEffects()
  }

  private mutating func beginOnLine(_ fault: ModemFault, at now: BootInstant) {
    switch fault {
    case .mute(let duration): faults.muteUntil = end(duration, now)
    case .deafAfter(let commands): faults.hearsStill = commands
    case .needsPower: faults.isDead = true
    case .slow(let duration): faults.slowness = duration
    case .trickle: faults.tricklesBytes = true
    case .noise: faults.isNoisy = true
    case .echo: echoes = true
    case .endlessEcho:
      echoes = true
      faults.echoesForEver = true
    case .nulBytes: faults.writesNULs = true
    case .hugeLine(let count):
      let text = Array(repeating: UInt8(0x78), count: min(count, Limits.hugeLineBytes))
      tell([UInt8]("^HUGE: ".utf8) + text, at: now)
    case .badText: tell([0x5E, 0xFF, 0xFE, 0xC3, 0x28, 0xED, 0xA0, 0x80], at: now)
    case .garbage(let count):
      faults.garbageCount += 1
      var random = SplitMix64(seed: faults.garbageCount)
      let bytes = (0..<min(count, Limits.hugeLineBytes)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      put(bytes, at: now)
    case .withoutResult: faults.answersWithoutResult = true
    case .errorWords: faults.errorsAreWords = true
    case .bareErrors: faults.errorsAreBare = true
    case .swappedErrors: faults.errorsAreSwapped = true
    case .restart: restart(at: now)
    case .brownOut(let duration): faults.browningOut = duration
    case .unplug(let duration, let renames):
      faults.unplugs = UnpluggedModem(duration: duration, renames: renames)
    default: break
    }
  }

  private mutating func beginInNetwork(_ fault: ModemFault, at now: BootInstant) {
    switch fault {
    case .simBusy(let duration): faults.simBusyUntil = now + duration
    case .simRemoved(let duration):
      faults.isSIMRemoved = true
      faults.insertedAt = duration.map { now + $0 }
      if !isMute(now) { tell("+CPIN: NOT INSERTED", at: now) }
    case .simInserted: insertSIM(at: now)
    case .pinTries(let tries):
      pinTries = tries
      if tries == 0 { isUnlocked = false }
    case .handsetLock: faults.needsHandsetCode = true
    case .unregistered(let duration): faults.unregisteredUntil = end(duration, now)
    case .denied(let duration): faults.deniedUntil = end(duration, now)
    case .roaming: faults.isRoaming = true
    case .epsOnly: faults.isRegisteredInEPSOnly = true
    case .noServiceCentre: faults.hasNoCentre = true
    case .lateServiceCentre(let duration):
      faults.centreDelay = duration
      faults.centreFrom = now + duration
    default: break
    }
  }

  private mutating func beginInSending(_ fault: ModemFault, at now: BootInstant) {
    switch fault {
    case .refuse(let code, let times):
      let room = Limits.refusals - faults.refusals.count
      faults.refusals += Array(repeating: code, count: min(times, room))
    case .refuseNumber(let number, let code): refuse(number, code, until: nil)
    case .numberBusy(let number, let duration): refuse(number, 27, until: now + duration)
    case .credit(let texts, let code):
      credit = texts
      faults.emptyAccountCode = code
    case .loseAnswer, .lateAnswer, .falseError, .reportFirst: faults.answerFault = fault
    case .slowNetwork(let duration): faults.networkDelay = duration
    case .noPrompt: faults.withholdsPrompt = true
    case .latePrompt(let duration): faults.promptLateness = duration
    case .shortPrompt: faults.promptTail = ""
    case .promptLine: faults.promptTail = "\r\n"
    case .promptEcho: faults.echoesAtPrompt = true
    default: break
    }
  }

  private mutating func beginInReceiving(_ fault: ModemFault) {
    switch fault {
    case .silentReception: faults.isReceptionSilent = true
    case .forgetIndication: indication = Indication()
    case .loseIndication(let times): faults.lostIndications = times
    case .lateIndication(let duration): faults.indicationDelay = duration
    case .wrongStorage: faults.namesWrongStorage = true
    case .indicationElsewhere: faults.indicatesElsewhere = true
    case .doubleReport: faults.reportsAreDoubled = true
    case .wrongReference: faults.reportsAreMisnumbered = true
    case .unreadableReport: faults.reportsAreUnreadable = true
    case .storageFull: faults.isStorageFull = true
    case .storageLimit(let count): faults.storageLimit = count
    case .muteList: faults.listsAreMute = true
    case .storageWithoutOK: faults.endsStoragesSilently = true
    case .storagesTogether: faults.storagesGoTogether = true
    case .storedInModem: faults.storesInModem = true
    case .refuseList(let code, let times):
      let room = Limits.refusals - faults.listRefusals.count
      faults.listRefusals += Array(repeating: code, count: min(times, room))
    case .slowList(let duration): faults.listDelay = duration
    case .tellsFull(let words): faults.fullWords = words
    case .refuseDeletion: faults.deletesNothing = true
    case .textMode: isTextMode = true
    case .leftovers(let count): leaveBehind(count)
    default: break
    }
  }

  private func end(_ duration: Duration?, _ now: BootInstant) -> BootInstant {
    duration.map { now + $0 } ?? SimulatedModem.never
  }

  private mutating func refuse(_ number: String, _ code: Int, until: BootInstant?) {
    faults.refusedNumbers.removeAll { $0.number == number }
    guard faults.refusedNumbers.count < Limits.refusals else { return }
    faults.refusedNumbers.append(
      FaultState.RefusedNumber(number: number, code: code, until: until))
  }

  private mutating func insertSIM(at now: BootInstant) {
    guard faults.isSIMRemoved else { return }
    faults.isSIMRemoved = false
    faults.insertedAt = nil
    isUnlocked = !asksPIN && pinTries > 0
    registeredFrom = now + settings.registrationDelay
    guard !isMute(now) else { return }
    tell("+CPIN: \(pinState)", at: now)
    if isUnlocked { tellReady(at: now) }
  }

  /// Ends what ends by itself.
  mutating func endFaults(_ now: BootInstant) {
    if let until = faults.deniedUntil, until <= now { faults.deniedUntil = nil }
    if let at = faults.insertedAt, at <= now { insertSIM(at: now) }
    if let at = faults.restartsAt, at <= now {
      faults.restartsAt = nil
      faults.muteUntil = nil
      restart(at: now)
    }
  }

  /// Says something by itself, as the maker's firmware does.
  public mutating func tell(unsolicited text: String, at now: BootInstant) -> [ModemEffect] {
    if !isMute(now) { tell(text, at: now) }
    return advance(to: now)
  }

  private mutating func heal(at now: BootInstant) {
    insertSIM(at: now)
    let garbage = faults.garbageCount
    if faults.emptyAccountCode != nil { credit = settings.credit }
    faults = FaultState()
    faults.garbageCount = garbage
    releaseAnswer(at: now)
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
    fresh.faults = faults
    fresh.faults.answerFault = nil
    fresh.faults.withholdsPrompt = false
    fresh.faults.promptLateness = nil
    fresh.faults.centreFrom = faults.centreDelay.map { now + $0 }
    fresh.faults.messagesFrom = faults.messagesDelay.map { now + $0 }
    fresh.faults.refusesUntil = faults.lateStart.map { now + $0.lasts }
    fresh.effects = effects
    if acknowledgeBy != nil { fresh.effects.append(.acknowledged(false)) }
    let answer = final.map { framed($0) }
    self = fresh
    if let answer { put(answer, at: now) }
    for line in settings.profile.bootLines {
      tell(line == "+CPIN: READY" ? simLine(now) : line, at: now)
    }
    if simError(now) == nil { tellReady(at: now) }
  }

  /// What the maker's firmware says once the SIM can be used.
  mutating func tellReady(at now: BootInstant) {
    let ready = max(now, busyUntil, faults.messagesFrom ?? now, faults.refusesUntil ?? now)
    for line in settings.profile.readyLines { tell(line, at: ready) }
  }

  /// What the firmware says of the SIM when it starts.
  private func simLine(_ now: BootInstant) -> String {
    hasSIM ? "+CPIN: \(pinState)" : "+CPIN: NOT INSERTED"
  }
}
