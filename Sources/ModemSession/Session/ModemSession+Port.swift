import AT
import Events
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
    if port.opened() { ladder.arrive(at: now) }
    forgetModem()
    start.noteOpening(at: now)
    // A program before us may have gone while the modem had something to answer.
    firstAnswer.mayBeLate = true
    status.port = path
    tell(supply.returned(at: now))
    log("modem_port_open", .info, "port \(path) is open", [EventField("port", .text(path))])
    // What an earlier program left half written is ended; an escape alone does nothing.
    effects.append(.write([0x1B]))
    probe(0, at: now)
  }

  mutating func openFailed(_ reason: String, _ failure: OpenFailure, at now: BootInstant) {
    guard phase == .opening else { return }
    if let step = ladder.first(of: port.failed(failure, at: now), at: now) {
      take(step, reason, at: now)
      return
    }
    close(reason, isAway: failure == .absent, at: now)
    if failure == .absent, case .closed(let openAt) = phase {
      // Nothing has failed: there is nothing to fail. Whoever has no watch over the name looks often.
      port.calm()
      phase = .closed(openAt: min(openAt, now + Limits.absentPause))
    }
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
      if sending.isOpen { supply.sent(at: now) }
      supply.lost(at: now)
    }
    effects.append(.close)
    port.lost()
    sim.forgetClaim()
    firstAnswer.mayAwaitText = false
    giveUpOpen("\(reason)")
    close(reason, isAway: true, at: now)
  }

  /// Waits to open the port again, longer each time.
  ///
  /// - Parameter isAway: Whether the port is not there.
  mutating func close(_ reason: String, isAway: Bool = false, at now: BootInstant) {
    dialogue.reset()
    purpose = nil
    if isStopping {
      end()
      return
    }
    let pause = port.pause(configuration, at: now)
    tellClosed(reason, isAway: isAway, at: now)
    forgetModem()
    status.lastError = reason
    interruptText(reason, payloadLeft: false)
    refuseTexts(reason)
    refuseCommands(reason)
    refuseUSSD(reason)
    settings = []
    phase = .closed(openAt: now + pause)
  }

  private mutating func tellClosed(_ reason: String, isAway: Bool, at now: BootInstant) {
    if status.lastError == nil { port.forgetTold() }
    let isKnown = status.lastError == reason
    let fields = [EventField("port", .text(status.port)), EventField("reason", .text(reason))]
    switch port.news(reason, isAway: isAway, isKnown: isKnown, at: now) {
    case nil: break
    case .closed: log("modem_port_closed", .warning, reason, fields)
    case .still(let duration):
      let minutes = duration.components.seconds / 60
      log(
        "modem_still_away", .warning,
        "not open for \(minutes / 60) h \(minutes % 60) min: \(reason)",
        fields + [EventField("away_seconds", .integer(duration.components.seconds))])
    }
  }

  /// Answers for all texts and requests to the network: none of them goes out.
  mutating func dropWork(_ reason: String) {
    interruptText(reason, payloadLeft: false)
    refuseTexts(reason)
    refuseUSSD(reason)
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

  /// Answers for the command that is open and will not be finished.
  mutating func giveUpOpen(_ reason: String) {
    if sending.isOpen {
      interruptText(reason, payloadLeft: purpose == .textPart && dialogue.payloadLeft)
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
    registration = RegistrationState()
    access.interrupted()
    setup.forgetModem()
    firstAnswer.mayBeLate = false
    maker = .unknown
    dialogue.pause = .zero
    dialogue.indicators = []
    sim.forget()
    ussd.forgetModem()
    storage.forgetModem()
    checks.clear()
    needsSetup = false
  }
}
