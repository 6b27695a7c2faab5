import AT
import GSM
import Timing

/// Making a modem ready, step by step, and learning what it says of itself.
extension ModemSession {
  mutating func setUp(_ step: SetupStep, form: Int, tries: Int, at now: BootInstant) {
    var step = step
    while true {
      let forms = isWanted(step) ? step.forms(configuration) : []
      if forms.indices.contains(form) {
        phase = .setup(step, form: form, tries: tries)
        open(forms[form], for: nil, at: now)
        return
      }
      guard let next = step.next else {
        isSetUp(at: now)
        return
      }
      step = next
    }
  }

  /// Whether a step has something to do, by what the steps before it found.
  private func isWanted(_ step: SetupStep) -> Bool {
    switch step {
    // These two follow from the answer before them alone.
    case .functionOn, .enterPIN: false
    case .setServiceCentre: configuration.smsc != nil && configuration.smsc != status.smsc
    default: true
    }
  }

  mutating func setupAnswered(
    _ answer: ATAnswer, _ step: SetupStep, form: Int, tries: Int, at now: BootInstant
  ) {
    switch answer.ending {
    case .timedOut:
      failures += 1
      recover("the modem did not answer \(ModemSession.name(of: answer.command))", at: now)
      return
    case .ok, .failed: break
    }
    if step == .simState || step == .enterPIN {
      simAnswered(answer, step, tries: tries, at: now)
      return
    }
    if step == .function, needsFunctionOn(answer) {
      phase = .setup(.functionOn, form: 0, tries: 0)
      open(SetupStep.functionOn.forms(configuration)[0], for: nil, at: now)
      return
    }
    guard case .failed(let result) = answer.ending else {
      learn(step, answer)
      goOn(after: step, at: now)
      return
    }
    // The SIM is not there yet for some seconds after it was switched on.
    let error = ModemError(finalResult: result, family: family)
    if error?.isSIMBusy == true, tries < Limits.setupRetries {
      phase = .pausing(step, tries: tries + 1, until: now + .seconds(2))
    } else if step.forms(configuration).indices.contains(form + 1) {
      setUp(step, form: form + 1, tries: tries, at: now)
    } else {
      switch step.importance {
      case .optional: goOn(after: step, at: now)
      case .required(let reason): setupFailed("\(reason): \(result)", at: now)
      }
    }
  }

  private mutating func goOn(after step: SetupStep, at now: BootInstant) {
    if let next = step.next {
      setUp(next, form: 0, tries: 0, at: now)
    } else {
      isSetUp(at: now)
    }
  }

  private mutating func setupFailed(_ reason: String, at now: BootInstant) {
    effects.append(.close)
    close(reason, at: now)
  }

  private mutating func isSetUp(at now: BootInstant) {
    phase = .idle
    failures = 0
    status.lastError = nil
    checks = []
    nextCheck = now + (isRegistered ? configuration.checkInterval : configuration.searchInterval)
    nextRegistrationCheck = now + configuration.checkInterval * 5
    nextSweep = now + configuration.sweepInterval
    isSweepDue = true
    let name = [status.manufacturer, status.model].compactMap { $0 }.joined(separator: " ")
    log(
      "modem_ready", .notice,
      "modem \(name.isEmpty ? "of unknown make" : name) at \(configuration.port):"
        + (isRegistered ? " ready" : " waiting for the network"))
  }

  // MARK: SIM

  private mutating func simAnswered(
    _ answer: ATAnswer, _ step: SetupStep, tries: Int, at now: BootInstant
  ) {
    if case .failed(let result) = answer.ending {
      let error = ModemError(finalResult: result, family: family)
      if step == .enterPIN {
        lock(
          "the SIM refused the PIN of the configuration (\(result)); correct modem.pin_file",
          at: now)
      } else if error?.isSIMBusy == true, tries < Limits.setupRetries {
        phase = .pausing(.simState, tries: tries + 1, until: now + .seconds(2))
      } else if error?.isSIMMissing == true {
        lock("there is no SIM in the modem; put one in", at: now)
      } else {
        lock("the modem does not tell the state of its SIM (\(result))", at: now)
      }
      return
    }
    if step == .enterPIN {
      // It takes the SIM a moment to be there.
      phase = .pausing(.simState, tries: tries + 1, until: now + .seconds(1))
      return
    }
    let state = (answer.value.map { $0.filter { $0 != "\"" } } ?? "").trimmingBlanks
    switch state {
    case "READY":
      setUp(.subscriber, form: 0, tries: 0, at: now)
    case "SIM PIN":
      enterPIN(at: now)
    case "NOT READY" where tries < Limits.setupRetries:
      phase = .pausing(.simState, tries: tries + 1, until: now + .seconds(2))
    case "SIM PUK", "SIM PUK2":
      lock(
        "the SIM wants its PUK; unlock it in a telephone, no code is tried from here", at: now)
    default:
      lock("the SIM wants \(state.isEmpty ? "something unknown" : state)", at: now)
    }
  }

  /// Tries the configured PIN, once: three wrong ones block the card.
  private mutating func enterPIN(at now: BootInstant) {
    guard configuration.pin != nil else {
      lock("the SIM wants its PIN; set modem.pin_file, or switch the PIN off", at: now)
      return
    }
    guard !pinTried else {
      lock("the SIM wants its PIN again, and the configured one was tried once", at: now)
      return
    }
    pinTried = true
    phase = .setup(.enterPIN, form: 0, tries: 0)
    open(SetupStep.enterPIN.forms(configuration)[0], for: nil, at: now)
  }

  private mutating func lock(_ reason: String, at now: BootInstant) {
    if status.lastError != reason {
      log("sim_locked", .error, reason)
    }
    status.lastError = reason
    refuseTexts(reason)
    phase = .locked(until: now + configuration.checkInterval)
  }

  private func needsFunctionOn(_ answer: ATAnswer) -> Bool {
    guard answer.ending == .ok, let mode = answer.value.flatMap({ Parameters($0).integer(0) })
    else { return false }
    return mode != 1
  }

  // MARK: Learning

  /// Takes over what an answer says.
  mutating func learn(_ step: SetupStep, _ answer: ATAnswer) {
    guard answer.ending == .ok else { return }
    switch step {
    case .manufacturer:
      status.manufacturer = answer.text
      family = VendorFamily(manufacturer: answer.text ?? "")
    case .model: status.model = answer.text
    case .revision: status.revision = answer.text
    case .serialNumber: status.imei = answer.text
    case .subscriber: status.imsi = answer.text
    case .storage:
      learnStorage(answer)
      homeStorage = Parameters(answer.command.text.dropFirst("AT+CPMS=".count)).text(0) ?? "SM"
      currentStorage = homeStorage
    case .serviceCentre:
      status.smsc = answer.value.flatMap { Parameters($0).text(0) }.flatMap {
        $0.isEmpty ? nil : $0
      }
    case .setServiceCentre: status.smsc = configuration.smsc
    case .circuitSwitched: learnRegistration(.circuitSwitched, answer)
    case .packetSwitched: learnRegistration(.packetSwitched, answer)
    case .evolved: learnRegistration(.evolved, answer)
    case .signal:
      status.signalDBm = answer.value.flatMap { SignalQuality(answer: $0)?.decibelMilliwatts }
    case .network:
      status.operatorName = answer.value.flatMap { Parameters($0).text(2) }
    default: break
    }
  }

  private mutating func learnRegistration(_ domain: RegistrationDomain, _ answer: ATAnswer) {
    guard let registration = answer.value.flatMap({ Registration(answer: $0) }) else { return }
    take(registration, in: domain)
  }

  mutating func take(_ registration: Registration, in domain: RegistrationDomain) {
    let was = isRegistered
    registrations[domain] = registration
    guard was != isRegistered, phase == .idle else { return }
    if isRegistered {
      log("modem_registered", .notice, "the network let the modem in (\(registration.words))")
    } else {
      log(
        "modem_unregistered", .warning,
        "the modem lost the network (\(registration.words)); texts wait")
    }
  }

  mutating func learnStorage(_ answer: ATAnswer) {
    guard let use = answer.value.flatMap({ StorageUse(answer: $0) }) else { return }
    status.storageUsed = use.used
    status.storageSize = use.size
  }
}

extension ModemError {
  /// Not yet, but soon: SIM busy, SMS service or SIM not there yet (3GPP TS 27.007 9.2).
  fileprivate var isSIMBusy: Bool {
    switch (kind, code) {
    case (.cme, 14), (.cms, 314), (.cms, 300), (.cme, 515): true
    default: false
    }
  }

  fileprivate var isSIMMissing: Bool {
    switch (kind, code) {
    case (.cme, 10), (.cme, 13), (.cms, 310), (.cms, 313): true
    default: false
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
