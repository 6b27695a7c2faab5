import AT
import GSM
import ModemMakers
import Time

/// The port and the first answer: opening, probing, recovering, closing.
extension ModemSession {
  mutating func begin() {
    guard phase == .ended, !isStopping else { return }
    phase = .opening
    effects.append(.open)
  }

  mutating func opened(_ path: String, at now: BootInstant) {
    guard phase == .opening else { return }
    if wasAbsent { ladder.arrive(at: now) }
    wasAbsent = false
    absentSince = nil
    unopenedSince = nil
    forgetModem()
    start.noteOpening(at: now)
    // A program before us may have gone while the modem had something to answer.
    mayBeLate = true
    status.port = path
    tell(supply.returned(at: now))
    log("modem_port_open", .info, "port \(path) is open")
    // What an earlier program left half written is ended; an escape alone does nothing.
    effects.append(.write([0x1B]))
    probe(0, at: now)
  }

  mutating func openFailed(_ reason: String, _ failure: OpenFailure, at now: BootInstant) {
    guard phase == .opening else { return }
    wasAbsent = wasAbsent || failure == .absent
    absentSince = failure == .absent ? absentSince ?? now : nil
    unopenedSince = failure == .failed ? unopenedSince ?? now : nil
    if let step = stepForPort(at: now) {
      take(step, reason, at: now)
      return
    }
    close(reason, at: now)
    if failure == .absent, case .closed(let openAt) = phase {
      // Nothing has failed: there is nothing to fail. Whoever has no watch over the name looks often.
      failures = 0
      failingSince = nil
      phase = .closed(openAt: min(openAt, now + Limits.absentPause))
    }
  }

  /// What is done from outside about a port that does not open: a modem that fell off the bus comes
  /// back by its power alone, and one whose firmware hangs keeps its name.
  private func stepForPort(at now: BootInstant) -> RecoveryStep? {
    if let since = unopenedSince, now - since >= Limits.unopenedBeforeReset {
      return ladder.first(of: [.resetUSB, .powerCycle], at: now)
    }
    if let since = absentSince, now - since >= Limits.absentBeforePower {
      return ladder.first(of: [.powerCycle], at: now)
    }
    return nil
  }

  /// Looks for the port sooner than it would have been looked for; at most a few times a second.
  mutating func portChanged(at now: BootInstant) {
    guard case .closed(let openAt) = phase else { return }
    phase = .closed(openAt: min(openAt, now + Limits.portSettles))
  }

  /// The port went away by itself.
  mutating func lost(_ reason: String, at now: BootInstant) {
    switch phase {
    case .ended, .closed, .resetting: return
    default: break
    }
    switch phase {
    case .restarting, .settling: break  // it was told to
    default:
      if sending != nil { supply.sent(at: now) }
      supply.lost(at: now)
    }
    effects.append(.close)
    wasAbsent = true
    // Another card may be there when it comes back.
    card.claim = nil
    mayAwaitText = false
    failures = 0
    giveUpOpen("\(reason)")
    close(reason, at: now)
  }

  /// Waits to open the port again, longer each time.
  mutating func close(_ reason: String, at now: BootInstant) {
    dialogue.reset()
    purpose = nil
    if isStopping {
      end()
      return
    }
    let since = failingSince ?? now
    failingSince = since
    var pause = configuration.reopenFirst
    if now - since >= Limits.eager {
      for _ in 0..<min(failures, 16) where pause < configuration.reopenMost { pause = pause * 2 }
      failures += 1
    }
    pause = min(pause, configuration.reopenMost)
    if status.lastError != reason {
      log("modem_port_closed", .warning, reason)
    }
    forgetModem()
    status.lastError = reason
    interruptText(reason, payloadLeft: false)
    refuseTexts(reason)
    refuseCommands(reason)
    refuseUSSD(reason)
    settings = []
    phase = .closed(openAt: now + pause)
  }

  /// Ends the session: everything that waits is answered, and the port is closed.
  mutating func end() {
    guard phase != .ended else { return }
    switch phase {
    case .closed, .opening: break
    default: effects.append(.close)
    }
    giveUpOpen("the service is stopping")
    refuseTexts("the service is stopping")
    refuseCommands("the service is stopping")
    refuseUSSD("the service is stopping")
    dialogue.reset()
    phase = .ended
    status.lastError = nil
    // Nothing comes after the end.
    publish()
    effects.append(.stopped)
  }

  /// Answers whoever waits for the command that is open.
  func openCommandLeft() -> Bool { dialogue.payloadLeft }

  /// Answers for the command that is open and will not be finished.
  mutating func giveUpOpen(_ reason: String) {
    if sending != nil {
      interruptText(reason, payloadLeft: purpose == .textPart && openCommandLeft())
    }
    if case .operatorCommand(let id) = purpose {
      effects.append(
        .event(.commandFinished(id: id, lines: dialogue.openLines, final: "no answer: \(reason)")))
    }
    purpose = nil
  }

  /// What was known of the modem behind the port; another may be there next time.
  private mutating func forgetModem() {
    let (state, error, starts) = (status.state, status.lastError, status.starts)
    status = ModemStatus(state: state, port: configuration.port, lastError: error)
    status.starts = starts
    registrations = [:]
    access.interrupted()
    network = NetworkKnowledge()
    unfitReason = nil
    mayBeLate = false
    profile = .generic
    dialogue.pause = .zero
    errors = .standard
    card.forget()
    unansweredSteps = [:]
    echoSetup = nil
    echoesAnyway = false
    wantsPlainUSSD = false
    currentStorage = nil
    sweep.forgetForm()
    announcements.opened()
    readAlone = []
    reads = []
    deletes = []
    unconfirmed = [:]
    checks = []
    needsSetup = false
  }
}
