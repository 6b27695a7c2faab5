import AT
import Events
import GSM
import ModemMakers
import Time

/// Making a modem ready, step by step, and learning what it says of itself.
extension ModemSession {
  mutating func setUp(_ step: SetupStep, form: Int, tries: Int, at now: BootInstant) {
    var (step, form) = (step, form)
    while true {
      // Nothing is done with another's modem, and its PIN is not tried.
      if step == .makerSettings, form == 0, leavesOther(at: now) { return }
      let forms = isWanted(step) ? step.forms(configuration, maker.profile) : []
      if forms.indices.contains(form) {
        phase = .setup(step, form: form, tries: tries)
        open(forms[form], for: nil, at: now)
        return
      }
      guard let next = step.next else {
        isSetUp(at: now)
        return
      }
      (step, form) = (next, 0)
    }
  }

  /// Whether a step has something to do, by what the steps before it found.
  private func isWanted(_ step: SetupStep) -> Bool {
    switch step {
    // These follow from the answer before them alone.
    case .functionOn, .enterPIN, .iccid, .pinAttempts, .messageMode: false
    case .setServiceCentre: configuration.smsc != nil && configuration.smsc != status.smsc
    default: !isLeftOut(step)
    }
  }

  /// Whether the modem does without a step, as it was silent every time.
  func isLeftOut(_ step: SetupStep) -> Bool {
    setup.leavesOut(step)
  }

  /// A step was not answered.
  private mutating func wasSilent(_ step: SetupStep, _ command: String, at now: BootInstant) {
    let reason = "the modem did not answer \(command)"
    if setup.wasSilent(step) {
      take(.resynchronise, "\(reason) again; it is set up without that", at: now)
    } else {
      trouble(reason, at: now)
    }
  }

  /// Closes the port of a modem that is not the one that is wanted, or of which that is not known.
  private mutating func leavesOther(at now: BootInstant) -> Bool {
    guard let wanted = configuration.imei, status.imei != wanted else { return false }
    // No trouble of this modem's: it is only not ours.
    effects.append(.close)
    close(otherModem(wanted), at: now)
    return true
  }

  mutating func setupAnswered(
    _ answer: ATAnswer, _ step: SetupStep, form: Int, tries: Int, at now: BootInstant
  ) {
    setup.answered(step)
    if step == .echoOff { start.setUpBegins() }
    noteHabit(answer)
    switch answer.ending {
    case .timedOut:
      wasSilent(step, ModemSession.name(of: answer.command), at: now)
      return
    case .ok, .failed: break
    }
    if step == .simState || step == .enterPIN {
      simAnswered(answer, step, tries: tries, at: now)
      return
    }
    switch step {
    case .function where needsFunctionOn(answer):
      openForms(of: .functionOn, form: 0, at: now)
      return
    case .makerSettings:
      if case .failed = answer.ending, let other = maker.profile.instead[answer.command.text] {
        open(ATCommand(other, timeout: configuration.timeouts.command), for: nil, at: now)
        return
      }
      setUp(.makerSettings, form: form + 1, tries: 0, at: now)
      return
    case .iccid, .pinAttempts:
      simToldOfItself(answer, step, form: form, at: now)
      return
    case .messageMode:
      toldMode(answer, at: now)
      return
    default: break
    }
    guard case .failed(let result) = answer.ending else {
      learn(step, answer, at: now)
      if step == .serialNumber, SerialNumbers.imei(in: answer) == nil {
        setUp(step, form: form + 1, tries: 0, at: now)
        return
      }
      goOn(after: step, at: now)
      return
    }
    // The SIM is not there yet for some seconds after it was switched on.
    let error = ModemError(finalResult: result, family: maker.errors)
    if error?.isSIMBusy == true, tries < Limits.setupRetries {
      phase = .pausing(step, tries: tries + 1, until: now + .seconds(2))
    } else if step.forms(configuration, maker.profile).indices.contains(form + 1) {
      setUp(step, form: form + 1, tries: tries, at: now)
    } else {
      switch step.importance {
      case .optional:
        if mayPass(at: now) {
          // Another modem than the one that is wanted is known by its number alone.
          if step == .serialNumber, configuration.imei != nil {
            return waitForStart(step, tries, at: now)
          }
          if SetupStep.missed.contains(step) { start.leftSomethingOut = true }
        }
        goOn(after: step, at: now)
      case .required where mayPass(at: now): waitForStart(step, tries, at: now)
      case .required where step == .pduMode: refusesPDUMode(result, at: now)
      case .required(let reason): setupFailed("\(reason): \(result)", at: now)
      }
    }
  }

  /// A modem that starts takes later what it refuses now.
  private mutating func waitForStart(_ step: SetupStep, _ tries: Int, at now: BootInstant) {
    start.wasWaitedFor = true
    if step == .pduMode { setup.refusedPDUModeAtStart(at: now) }
    phase = .pausing(step, tries: tries + 1, until: now + Limits.startingPause)
  }

  /// That another modem is here than the one with this number, and what helps.
  private func otherModem(_ wanted: String) -> String {
    "the modem at \(status.port) is not the one with IMEI \(wanted)"
      + (status.imei.map { ": it has \($0)" } ?? ": it does not tell its own")
      + "; plug in the one that is meant, or correct modem.identity"
      + (status.imei.map { " (imei=\($0))" } ?? "")
  }

  private mutating func goOn(after step: SetupStep, at now: BootInstant) {
    if let next = step.next {
      setUp(next, form: 0, tries: 0, at: now)
    } else {
      isSetUp(at: now)
    }
  }

  private mutating func setupFailed(_ reason: String, at now: BootInstant) {
    trouble(reason, at: now)
  }

  /// Opens one form of a step that is not reached by going on.
  mutating func openForms(of step: SetupStep, form: Int, at now: BootInstant) {
    let forms = step.forms(configuration, maker.profile)
    guard forms.indices.contains(form) else { return }
    phase = .setup(step, form: form, tries: 0)
    open(forms[form], for: nil, at: now)
  }

  private mutating func isSetUp(at now: BootInstant) {
    phase = .idle
    port.calm()
    status.lastError = nil
    sending.isSetUp()
    checks.restart(isRegistered: isRegistered, configuration, at: now)
    storage.isSetUp(at: now)
    start.isSetUp(at: now)
    let name = [status.manufacturer, status.model].compactMap { $0 }.joined(separator: " ")
    log(
      "modem_set_up", .notice,
      "modem \(name.isEmpty ? "of unknown make" : name) at \(status.port):"
        + (isRegistered ? " ready" : " waiting for the network"),
      [
        EventField("port", .text(status.port)), EventField("model", .text(name)),
        EventField("registered", .flag(isRegistered)),
      ])
  }

  private func needsFunctionOn(_ answer: ATAnswer) -> Bool {
    guard answer.ending == .ok, let mode = answer.value.flatMap({ Parameters($0).integer(0) })
    else { return false }
    return mode != 1
  }

  // MARK: Learning

  /// Takes over what an answer says.
  mutating func learn(_ step: SetupStep, _ answer: ATAnswer, at now: BootInstant) {
    guard answer.ending == .ok else { return }
    switch step {
    case .manufacturer:
      status.manufacturer = answer.text
      maker.errors = makers.recognise(manufacturer: answer.text, model: nil).errors
    case .model:
      status.model = answer.text
      maker = makers.recognise(manufacturer: status.manufacturer, model: answer.text)
      status.profile = maker.profile.name
      dialogue.pause = maker.profile.commandPause
      ussd.packs = maker.profile.packsUSSD
      if maker.profile.restart == nil {
        ladder.available.remove(.restart)
      } else {
        ladder.available.insert(.restart)
      }
    case .revision: status.revision = answer.text
    case .serialNumber:
      status.imei = SerialNumbers.imei(in: answer) ?? status.imei
      habits.belong(to: status.imei)
    case .pduMode: setup.tookPDUMode()
    case .subscriber: status.imsi = SerialNumbers.imsi(in: answer)
    case .storage:
      let name = Parameters(answer.command.text.dropFirst("AT+CPMS=".count)).text(0) ?? "SM"
      storage.settled(
        in: name, use: answer.value.flatMap { StorageUse(answer: $0) },
        all: maker.profile.storages.filter { $0 != "MT" })
    case .storages:
      storage.found(answer.value.map { StorageNames.readable(in: $0) } ?? [])
    case .indications:
      let mode = Parameters(answer.command.text.dropFirst("AT+CNMI=".count)).integer(3)
      if mode == 2 { storage.keepsReports() }
    case .indicators:
      dialogue.indicators = answer.value.map { IndicatorNames.ordered(in: $0) } ?? []
    case .serviceCentre:
      status.smsc = answer.value.flatMap { Parameters($0).text(0) }.flatMap {
        $0.isEmpty ? nil : $0
      }
    case .setServiceCentre: status.smsc = configuration.smsc
    case .circuitSwitched: learnRegistration(.circuitSwitched, answer, at: now)
    case .packetSwitched: learnRegistration(.packetSwitched, answer, at: now)
    case .evolved: learnRegistration(.evolved, answer, at: now)
    case .timeUpdateModes:
      if let mode = maker.profile.localTimeMode, answer.value.map({ offers($0, mode) }) == true {
        maker.profile.timeUpdates.insert("AT+CTZU=\(mode)", at: 0)
      }
    case .signal:
      status.signalDBm = answer.value.flatMap { SignalQuality(answer: $0)?.decibelMilliwatts }
    case .network:
      let fields = answer.value.map { Parameters($0) }
      status.operatorName = fields?.text(2)
      learnAccess(fields?.integer(3))
    case .clock:
      if let time = answer.value.flatMap({ NetworkTime(clock: $0) }) {
        checks.clockIsSet(at: now)
        tell(.networkTime(time))
      }
    default: break
    }
  }

  /// Whether a list of values such as `(0,1,3)` or `(0-3)` has a number.
  private func offers(_ values: Substring, _ number: Int) -> Bool {
    values.split { "(), ".contains($0) }.contains { part in
      let bounds = part.split(separator: "-").compactMap { Int($0) }
      guard let first = bounds.first, let last = bounds.last else { return false }
      return first <= number && number <= last
    }
  }

  private mutating func learnRegistration(
    _ domain: RegistrationDomain, _ answer: ATAnswer, at now: BootInstant
  ) {
    guard let registration = answer.value.flatMap({ Registration(answer: $0) }) else { return }
    take(registration, in: domain, isTold: false, at: now)
  }
}
