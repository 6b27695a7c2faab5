import AT
import Events
import GSM
import ModemMakers
import Time

/// What is done about a modem that fails.
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
    if !answers { storage.forgive(at: now) }
    let step = ladder.step(answers: answers, at: now)
    keepTrace(of: kind ?? reason, reason, at: now)
    take(step, reason, at: now)
  }

  /// Has what was said kept: the same once more tells nothing new, and would push out what was kept of
  /// the first time.
  private mutating func keepTrace(of kind: String, _ reason: String, at now: BootInstant) {
    if traces.isNews(kind, for: Limits.sameTraceAfter, at: now) {
      effects.append(.keepTrace(reason: reason))
    }
  }

  /// Takes a step, whatever led to it.
  mutating func take(_ step: RecoveryStep, _ reason: String, at now: BootInstant) {
    log(
      "modem_recovering", .warning, "\(reason); \(step.words)",
      [EventField("step", .text(step.name)), EventField("reason", .text(reason))])
    status.lastError = reason
    giveUpOpen(reason)
    access.interrupted()
    dialogue.reset()
    ladder.note(step, at: now)
    switch step {
    case .resynchronise:
      // The line is left alone first, so that a late answer is not taken for another's.
      effects.append(.write([0x1B]))
      firstAnswer.mayBeLate = true
      settle(.seconds(1), at: now)
    case .restart:
      start.noteRestart(at: now)
      status.starts += 1
      phase = .restarting
      open(
        ATCommand(maker.profile.restart ?? "AT+CFUN=1,1", timeout: configuration.timeouts.restart),
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
    log(
      "modem_reset", .notice, "the reset is over: \(words)", [EventField("result", .text(words))])
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
    if sending.isOpen { return "refused: a text is being sent; try again in a moment" }
    take(step, "an operator asked for it", at: now)
    return nil
  }

  /// What starts the modem anew now; nil when nothing may.
  func stepToStartAnew(prefersPower: Bool = false, at now: BootInstant) -> RecoveryStep? {
    let power = [RecoveryStep.resetUSB, .powerCycle]
    let steps = prefersPower ? power.reversed() + [.restart] : [.restart] + power
    return ladder.first(of: steps, at: now)
  }

  /// What refusals in a row tell of the modem.
  mutating func remedy(_ error: ModemError, for text: OutgoingText?, at now: BootInstant) {
    if sendTroubles.isInDoubt(after: error) {
      log(
        "modem_texts_in_doubt", .warning,
        "three texts in a row ended with \(error), which tells nothing; is there credit"
          + " on the SIM, and may it send texts?", [EventField("error", .text(error.description))])
    }
    let remedy = sendTroubles.refused(error)
    let cure = sendTroubles.cure(
      after: error, for: text, isRegistered: isRegistered, isHandled: remedy != nil, at: now)
    switch remedy {
    case nil: apply(cure, after: error, at: now)
    case .setUpAgain: needsSetup = true
    case .otherDomain: changeDomain(error)
    case .otherAccess(let orRestart):
      if !leaveAccess(error), orRestart { restartForRefusals(error, at: now) }
    case .restart: restartForRefusals(error, at: now)
    }
  }

  /// Every text is refused with one code, whatever it says.
  private mutating func apply(
    _ cure: SendTroubles.Cure?, after error: ModemError, at now: BootInstant
  ) {
    guard let cure else { return }
    let words =
      "the modem refuses every text with \(error.shortName), also to a number that took texts before"
    let step = cure == .restart ? stepToStartAnew(at: now) : nil
    log(
      "modem_refuses_all", .warning,
      "\(words); "
        + (step == nil
          ? "it is set up again" : "setting it up again did not help, so it is restarted"),
      [
        EventField("error", .text(error.description)),
        EventField("step", .text(step?.name ?? "set_up")),
      ])
    if let step { take(step, words, at: now) } else { needsSetup = true }
  }

  private mutating func restartForRefusals(_ error: ModemError, at now: BootInstant) {
    guard let step = ladder.first(of: [.restart], at: now) else {
      needsSetup = true
      return
    }
    take(step, "the modem refuses one text after the other (\(error))", at: now)
  }
}
