import AT
import GSM
import Timing

/// The port and the first answer: opening, probing, recovering, closing.
extension ModemSession {
  mutating func start() {
    guard phase == .ended, !isStopping else { return }
    phase = .opening
    effects.append(.open)
  }

  mutating func opened(at now: BootInstant) {
    guard phase == .opening else { return }
    forgetModem()
    log("modem_port_open", .info, "port \(configuration.port) is open")
    // What an earlier program left half written is ended; an escape alone does nothing.
    effects.append(.write([0x1B]))
    probe(0, at: now)
  }

  mutating func openFailed(_ reason: String, at now: BootInstant) {
    guard phase == .opening else { return }
    close(reason, at: now)
  }

  /// Looks for the port sooner than it would have been looked for; at most a few times a second.
  mutating func portChanged(at now: BootInstant) {
    guard case .closed(let openAt) = phase else { return }
    phase = .closed(openAt: min(openAt, now + Limits.portSettles))
  }

  /// The port went away by itself.
  mutating func lost(_ reason: String, at now: BootInstant) {
    switch phase {
    case .ended, .closed: return
    default: break
    }
    effects.append(.close)
    giveUpOpen("\(reason)")
    close(reason, at: now)
  }

  /// Ends what is open and asks the modem for a sign of life; the line is left alone first, so that a
  /// late answer is not taken for another's.
  mutating func recover(_ reason: String, at now: BootInstant) {
    switch phase {
    case .ended, .closed, .opening: return
    default: break
    }
    log("modem_recovering", .warning, "\(reason); asking it for a sign of life")
    status.lastError = reason
    giveUpOpen(reason)
    dialogue.reset()
    effects.append(.write([0x1B]))
    phase = .settling(until: now + .seconds(1))
  }

  mutating func probe(_ tries: Int, at now: BootInstant) {
    phase = .probing(tries)
    open(ATCommand("AT", timeout: configuration.timeouts.command), for: nil, at: now)
  }

  mutating func probed(_ answer: ATAnswer, _ tries: Int, at now: BootInstant) {
    switch answer.ending {
    case .ok:
      setUp(.echoOff, form: 0, tries: 0, at: now)
    case .failed where tries + 1 < Limits.probes:
      probe(tries + 1, at: now)
    case .timedOut where tries + 1 < Limits.probes:
      effects.append(.write([0x1B]))
      probe(tries + 1, at: now)
    case .failed, .timedOut:
      effects.append(.close)
      close(
        "the modem at \(configuration.port) does not answer AT; is this its AT port, and is it on?",
        at: now)
    }
  }

  /// Waits to open the port again, longer each time.
  mutating func close(_ reason: String, at now: BootInstant) {
    dialogue.reset()
    purpose = nil
    if isStopping {
      end()
      return
    }
    var pause = configuration.reopenFirst
    for _ in 0..<min(failures, 16) where pause < configuration.reopenMost { pause = pause * 2 }
    pause = min(pause, configuration.reopenMost)
    failures += 1
    if status.lastError != reason {
      log("modem_port_closed", .warning, reason)
    }
    forgetModem()
    status.lastError = reason
    refuseTexts(reason)
    refuseCommands(reason)
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
    dialogue.reset()
    phase = .ended
    status.lastError = nil
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
    let (state, error) = (status.state, status.lastError)
    status = ModemStatus(state: state, port: configuration.port, lastError: error)
    registrations = [:]
    currentStorage = nil
    reads = []
    deletes = []
    unconfirmed = [:]
    checks = []
    needsSetup = false
  }
}
