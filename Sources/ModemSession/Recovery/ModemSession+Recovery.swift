import AT
import GSM
import ModemMakers
import Time

/// What is done about a modem that fails, and how its first answer is sought.
extension ModemSession {
  /// Something failed: the next step of the ladder is taken, and told with its reason.
  ///
  /// - Parameters:
  ///   - kind: What failed, where the reason says more than that.
  ///   - answers: Whether the modem answers at all.
  mutating func trouble(
    _ reason: String, kind: String? = nil, answers: Bool = true, at now: BootInstant
  ) {
    switch phase {
    case .ended, .closed, .opening, .resetting: return
    default: break
    }
    if !answers { forgiveLists(at: now) }
    let step = ladder.step(answers: answers, at: now)
    keepTrace(of: kind ?? reason, reason, at: now)
    take(step, reason, at: now)
  }

  /// Has what was said kept: the same once more tells nothing new, and would push out what was kept of
  /// the first time.
  private mutating func keepTrace(of kind: String, _ reason: String, at now: BootInstant) {
    traces = traces.filter { now - $0.value < Limits.sameTraceAfter }
    guard traces[kind] == nil, traces.count < Limits.traceReasons else { return }
    traces[kind] = now
    effects.append(.keepTrace(reason: reason))
  }

  /// Takes a step, whatever led to it.
  mutating func take(_ step: RecoveryStep, _ reason: String, at now: BootInstant) {
    log(
      "modem_recovering", .warning, "\(reason); \(step.words)",
      [ModemLogEntry.Field("step", .text(step.name))])
    status.lastError = reason
    giveUpOpen(reason)
    access.interrupted()
    dialogue.reset()
    ladder.note(step, at: now)
    switch step {
    case .resynchronise:
      // The line is left alone first, so that a late answer is not taken for another's.
      effects.append(.write([0x1B]))
      mayBeLate = true
      settle(.seconds(1), at: now)
    case .restart:
      start.noteRestart(at: now)
      status.starts += 1
      phase = .restarting
      open(
        ATCommand(profile.restart ?? "AT+CFUN=1,1", timeout: configuration.timeouts.restart),
        for: nil, at: now)
    case .reopen:
      effects.append(.close)
      close(reason, at: now)
    case .resetUSB, .powerCycle:
      effects.append(.close)
      close(reason, at: now)
      if case .closed = phase {
        phase = .resetting(until: now + Limits.resetTakes)
        effects.append(.reset(step))
      }
    }
  }

  /// What was done from outside is over; the port is looked for.
  mutating func resetFinished(_ words: String, at now: BootInstant) {
    guard case .resetting = phase else { return }
    log("modem_reset", .notice, "the reset is over: \(words)")
    start.noteRestart(at: now)
    phase = .closed(openAt: now + configuration.reopenFirst)
  }

  /// What starts this modem anew with the least harm: by its own command where it has one and
  /// listens, else from outside, and where nothing else is left by its port.
  var bestReset: RecoveryStep {
    let listens =
      switch phase {
      case .idle, .locked, .setup, .pausing, .claiming: true
      default: false
      }
    let steps: [RecoveryStep] = (listens ? [.restart] : []) + [.resetUSB, .powerCycle]
    return steps.first { ladder.available.contains($0) } ?? .reopen
  }

  /// An operator wants the modem to start anew, by this step.
  mutating func reset(_ step: RecoveryStep, at now: BootInstant) -> String? {
    guard ladder.available.contains(step) else {
      return step == .restart
        ? "refused: restarting this modem by command does more harm than good; leave out --step"
        : "refused: this service has no \(step.name); see modem.usb_reset and modem.power_command"
    }
    switch phase {
    case .ended, .opening, .resetting, .restarting: return "refused: \(status.state.words)"
    case .closed where step.needsAnswers: return "refused: the port is closed"
    default: break
    }
    if sending != nil { return "refused: a text is being sent; try again in a moment" }
    take(step, "an operator asked for it", at: now)
    return nil
  }

  /// Leaves the line alone for a time.
  mutating func settle(_ time: Duration, at now: BootInstant) {
    dialogue.reset()
    purpose = nil
    phase = .settling(until: now + time)
  }

  // MARK: The first answer

  mutating func probe(_ tries: Int, at now: BootInstant) {
    phase = .probing(tries)
    // One that was told to give no results (V.250 6.2.5) is silent whatever else it is asked.
    open(
      ATCommand(tries == 1 ? "ATQ0" : "AT", timeout: Limits.probeTimeout(tries)), for: nil, at: now)
  }

  mutating func probed(_ answer: ATAnswer, _ tries: Int, at now: BootInstant) {
    if answer.ending == .ok { mayAwaitText = false }
    switch answer.ending {
    case .ok where tries == 0 && !mayBeLate:
      setUp(.echoOff, form: 0, tries: 0, at: now)
    case .ok:
      synchronise(0, at: now)
    case .failed where tries + 1 < Limits.probes:
      probe(tries + 1, at: now)
    case .timedOut where tries + 1 < Limits.probes:
      effects.append(.write([0x1B]))
      probe(tries + 1, at: now)
    case .failed, .timedOut:
      isMute(at: now)
    }
  }

  /// Asks what a late `OK` to an earlier probe cannot be the answer to.
  private mutating func synchronise(_ tries: Int, at now: BootInstant) {
    phase = .synchronising(tries)
    open(ATCommand("AT+CMGF?", timeout: configuration.timeouts.query), for: nil, at: now)
  }

  mutating func synchronised(_ answer: ATAnswer, _ tries: Int, at now: BootInstant) {
    switch answer.ending {
    case .ok where answer.value == nil && tries + 1 < Limits.synchronisations:
      // Somebody else's: what is on its way is let go by.
      settle(.seconds(1 << min(tries, 3)), at: now)
      synchronisations = tries + 1
    case .ok, .failed:
      mayBeLate = false
      setUp(.echoOff, form: 0, tries: 0, at: now)
    case .timedOut:
      isMute(at: now)
    }
  }

  /// The time of silence is over.
  mutating func settled(at now: BootInstant) {
    dialogue.reset()
    if synchronisations > 0 {
      let tries = synchronisations
      synchronisations = 0
      synchronise(tries, at: now)
    } else {
      probe(0, at: now)
    }
  }

  private mutating func isMute(at now: BootInstant) {
    if mayAwaitText {
      // It may take all that it is asked for the text that it asked for too late, and no escape. In PDU
      // mode nothing goes out for that: what was asked is no PDU.
      mayAwaitText = false
      log(
        "modem_ending_text", .notice,
        "the modem may still wait for a text that was given up; it is ended with Ctrl-Z")
      effects.append(.write([0x1A]))
      mayBeLate = true
      settle(.seconds(1), at: now)
      return
    }
    trouble(
      "the modem at \(status.port) does not answer AT; is this its AT port, and is it on?",
      kind: "mute", answers: false, at: now)
  }

  // MARK: The network

  /// What is done about a modem that finds no network, or is not let in.
  mutating func seekNetwork(at now: BootInstant) {
    guard !isRegistered else {
      search.end()
      return
    }
    let isDenied = registrations.values.contains(.denied)
    switch search.step(isDenied: isDenied, hasSignal: status.signalDBm != nil, at: now) {
    case nil: break
    case .tellDenial:
      log(
        "modem_denied", .error,
        "the network has denied the modem for \(Limits.deniedBeforeAlarm.components.seconds / 60)"
          + " minutes; is the SIM paid for, activated and allowed to roam here?")
    case .choose:
      log("modem_choosing_network", .notice, "no network for minutes; the modem chooses one anew")
      settings.append(ATCommand("AT+COPS=0", timeout: configuration.timeouts.network))
    case .startAnew(let prefersPower):
      guard let step = stepToStartAnew(prefersPower: prefersPower, at: now) else { return }
      search.started(at: now)
      let reason =
        isDenied
        ? "the network denies the modem, which may be the modem's own memory"
        : status.signalDBm == nil
          ? "the modem hears no network" : "no network is found although there is a signal"
      take(step, reason, at: now)
    }
  }

  /// What starts the modem anew now; nil when nothing may.
  func stepToStartAnew(prefersPower: Bool = false, at now: BootInstant) -> RecoveryStep? {
    let power = [RecoveryStep.resetUSB, .powerCycle]
    let steps = prefersPower ? power.reversed() + [.restart] : [.restart] + power
    return ladder.first(of: steps, at: now)
  }

  /// What refusals in a row tell of the modem.
  mutating func remedy(_ error: ModemError, at now: BootInstant) {
    if sendTroubles.isInDoubt(after: error) {
      log(
        "modem_texts_in_doubt", .warning,
        "three texts in a row ended with \(error), which tells nothing; is there credit"
          + " on the SIM, and may it send texts?")
    }
    switch sendTroubles.refused(error) {
    case nil: break
    case .setUpAgain: needsSetup = true
    case .otherDomain: changeDomain(error)
    case .otherAccess(let orRestart):
      if !leaveAccess(error), orRestart { restartForRefusals(error, at: now) }
    case .restart: restartForRefusals(error, at: now)
    }
  }

  private mutating func restartForRefusals(_ error: ModemError, at now: BootInstant) {
    guard let step = ladder.first(of: [.restart], at: now) else {
      needsSetup = true
      return
    }
    take(step, "the modem refuses one text after the other (\(error))", at: now)
  }
}
