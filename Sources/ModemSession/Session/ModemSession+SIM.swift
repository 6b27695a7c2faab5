import AT
import Events
import GSM
import ModemMakers
import Time

/// The SIM: what its state asks of the session.
extension ModemSession {
  /// `AT+CPIN?` or `AT+CPIN=` was answered.
  mutating func simAnswered(
    _ answer: ATAnswer, _ step: SetupStep, tries: Int, at now: BootInstant
  ) {
    guard case .failed(let result) = answer.ending else {
      if step == .enterPIN {
        effects.append(sim.pinTaken())
        // It takes the SIM a moment to be there.
        apply(.askAgain(tries: tries + 1, after: .seconds(1)), at: now)
      } else {
        let state = (answer.value.map { $0.filter { $0 != "\"" } } ?? "").trimmingBlanks
        apply(
          sim.told(
            state, tries: tries, hasPIN: configuration.pin != nil,
            start: stepToStartAnew(at: now), at: now), at: now)
      }
      return
    }
    let error = ModemError(finalResult: result, family: maker.errors)
    if step == .enterPIN {
      apply(sim.pinRefused(result, error, mayPass: mayPass(at: now)), at: now)
    } else {
      if mayPass(at: now) { start.wasWaitedFor = true }
      apply(
        sim.refused(
          result, error, tries: tries, mayPass: mayPass(at: now),
          start: stepToStartAnew(at: now), at: now), at: now)
    }
  }

  /// What the SIM tells of itself before its PIN was answered.
  mutating func simToldOfItself(
    _ answer: ATAnswer, _ step: SetupStep, form: Int, at now: BootInstant
  ) {
    let lines = answer.ending == .ok ? answer.lines : []
    apply(sim.toldOfItself(lines, step, form: form), at: now)
  }

  /// The shell has noted that the PIN is about to be tried, or that it was before.
  mutating func pinClaimed(_ isGranted: Bool, at now: BootInstant) {
    guard phase == .claiming else { return }
    apply(sim.claimed(isGranted), at: now)
  }

  private mutating func apply(_ verdict: SIMState.Verdict, at now: BootInstant) {
    if let effect = verdict.pinTried { effects.append(effect) }
    apply(verdict.step, at: now)
  }

  private mutating func apply(_ step: SIMState.Step, at now: BootInstant) {
    switch step {
    case .use: setUp(.subscriber, form: 0, tries: 0, at: now)
    case .askAgain(let tries, let pause):
      phase = .pausing(.simState, tries: tries, until: now + pause)
    case .ask(let step, let form): ask(step, form: form, at: now)
    case .claimPIN:
      phase = .claiming
      effects.append(.claimPIN(iccid: sim.iccid, attemptsLeft: sim.attemptsLeft))
    case .enterPIN: openForms(of: .enterPIN, form: 0, at: now)
    case .lock(let reason): lock(reason, at: now)
    case .startAnew(let step, let reason): take(step, reason, at: now)
    }
  }

  /// Asks the SIM something before its PIN, in one of its forms; after the last form, or where it was
  /// silent before, goes on without an answer.
  private mutating func ask(_ step: SetupStep, form: Int, at now: BootInstant) {
    if !isLeftOut(step), step.forms(configuration, maker.profile).indices.contains(form) {
      openForms(of: step, form: form, at: now)
    } else if step == .iccid {
      ask(.pinAttempts, form: 0, at: now)
    } else {
      apply(sim.nextAfterAttempts, at: now)
    }
  }

  /// A modem that is not registered and does not even search was asked for its SIM.
  mutating func simChecked(_ answer: ATAnswer) {
    switch answer.ending {
    case .ok where answer.value?.contains("READY") == true: break
    case .failed(let result)
    where ModemError(finalResult: result, family: maker.errors)?.isSIMBusy == true: break
    // What is wrong, and what can be done, the setup finds out.
    case .ok, .failed: needsSetup = true
    case .timedOut: break
    }
  }

  private mutating func lock(_ reason: String, at now: BootInstant) {
    if status.lastError != reason {
      log("sim_locked", .error, reason, [EventField("reason", .text(reason))])
    }
    status.lastError = reason
    sim.lock(reason)
    setup.unfitReason = nil
    dropWork(reason)
    // A modem that starts may find its SIM in a moment.
    let pause = mayPass(at: now) ? Limits.lockedAtStart : configuration.checkInterval
    phase = .locked(until: now + min(pause, configuration.checkInterval))
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
