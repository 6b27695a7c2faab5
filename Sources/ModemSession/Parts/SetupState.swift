import Time

/// What the modem did without when it was set up, and why it is set up again.
struct SetupState: Hashable, Sendable {
  /// Steps that were not answered, and how often.
  private var unanswered: [SetupStep: Int] = [:]
  /// When a setup was last made because the modem echoes.
  private var echoSetup: BootInstant?
  /// Whether it echoed the last command of the setup although it was told not to.
  private var echoesAnyway = false
  /// Whether it echoed the command of the setup that is open.
  private var wasEchoed = false
  /// Since when it has refused PDU mode.
  private var pduRefusedSince: BootInstant?
  /// What it is called for that: it cannot be used.
  var unfitReason: String?

  /// Another modem may be there. What was refused before is counted on.
  mutating func forgetModem() {
    let since = pduRefusedSince
    self = SetupState()
    pduRefusedSince = since
  }

  /// Whether the modem does without a step, as it was silent every time.
  func leavesOut(_ step: SetupStep) -> Bool {
    unanswered[step, default: 0] >= Limits.unansweredStep
  }

  /// A step was not answered; whether the modem does without it from now on. A modem that works otherwise
  /// must not fail for one that it can do without.
  mutating func wasSilent(_ step: SetupStep) -> Bool {
    guard case .optional = step.importance, step != .enterPIN else { return false }
    unanswered[step, default: 0] += 1
    return leavesOut(step)
  }

  // MARK: Echo

  /// A command of the setup was answered: how it was with the last command is how it stays.
  mutating func answered(_ step: SetupStep) {
    echoesAnyway = step != .echoOff && wasEchoed
    wasEchoed = false
  }

  /// A command of the setup came back.
  mutating func heardEchoInSetup() { wasEchoed = true }

  /// Another command came back: the modem has forgotten its settings, unless it cannot leave it. Whether it
  /// is set up again.
  mutating func heardEcho(at now: BootInstant) -> Bool {
    guard !echoesAnyway, echoSetup.map({ now - $0 >= Limits.echoSetups }) ?? true else {
      return false
    }
    echoSetup = now
    return true
  }

  // MARK: PDU mode

  /// PDU mode was refused, and not because the modem starts; whether it is asked whether it has it at all.
  /// One that lost its mind is helped as in any trouble first: it goes by time, not by quick answers.
  mutating func refusedPDUMode(at now: BootInstant) -> Bool {
    let since = pduRefusedSince ?? now
    pduRefusedSince = since
    return now - since >= Limits.unfitAfter
  }

  /// A modem that starts refused PDU mode.
  mutating func refusedPDUModeAtStart(at now: BootInstant) {
    pduRefusedSince = pduRefusedSince ?? now
  }

  /// It took PDU mode.
  mutating func tookPDUMode() {
    pduRefusedSince = nil
    unfitReason = nil
  }
}
