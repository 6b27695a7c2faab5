import Time

/// What can be done about a modem that fails, from the mildest to the harshest.
public enum RecoveryStep: Int, CaseIterable, Hashable, Sendable {
  /// An escape, a second of silence, `AT`, and every setting again.
  case resynchronise
  /// `AT+CFUN=1,1`, or what the maker has for it: the modem starts anew.
  case restart
  /// The port is closed and opened again.
  case reopen
  /// The kernel takes the USB device off the bus and puts it back (`authorized` in sysfs).
  case resetUSB
  /// The operator's own command switches the modem's power off and on.
  case powerCycle

  /// A stable name for the log: `reset_usb`.
  public var name: String {
    switch self {
    case .resynchronise: "resynchronise"
    case .restart: "restart"
    case .reopen: "reopen"
    case .resetUSB: "reset_usb"
    case .powerCycle: "power_cycle"
    }
  }

  /// The step of that name.
  public init?(name: String) {
    guard let step = RecoveryStep.allCases.first(where: { $0.name == name }) else { return nil }
    self = step
  }

  /// What is being done, for a sentence.
  public var words: String {
    switch self {
    case .resynchronise: "asking it for a sign of life and setting it up again"
    case .restart: "restarting the modem (AT+CFUN=1,1)"
    case .reopen: "closing the port and opening it again"
    case .resetUSB: "taking the modem off the USB bus and putting it back"
    case .powerCycle: "switching its power off and on (modem.power_command)"
    }
  }

  /// Whether the modem must answer for it.
  var needsAnswers: Bool { self == .resynchronise || self == .restart }

  /// Time from one use to the next, at least. A modem that is reset all the time never registers,
  /// and some lose their firmware's mind, or come back as a CD-ROM.
  var spacing: Duration {
    switch self {
    case .resynchronise, .reopen: .zero
    case .restart: Limits.restartSpacing
    case .resetUSB: Limits.resetSpacing
    case .powerCycle: Limits.powerSpacing
    }
  }
}

/// Chooses what is done about a modem that fails: each step once, the mildest first, none more often
/// than it may be, and none of the harsh ones while the modem has only just arrived.
struct RecoveryLadder: Sendable {
  /// The steps that this machine and this modem have.
  var available: Set<RecoveryStep> = [.resynchronise, .restart, .reopen]
  private var next = 0
  private var lastTrouble: BootInstant?
  private var used: [RecoveryStep: BootInstant] = [:]
  private var arrived: BootInstant?

  /// A modem arrived: a new port begins with a clean score.
  mutating func arrive(at now: BootInstant) {
    arrived = now
    next = 0
    lastTrouble = nil
  }

  /// The step for a trouble that comes now. After a time without any the first step is the mildest
  /// again.
  ///
  /// - Parameter answers: Whether the modem answers at all.
  mutating func step(answers: Bool, at now: BootInstant) -> RecoveryStep {
    if let last = lastTrouble, now - last >= Limits.calm { next = 0 }
    lastTrouble = now
    let step = RecoveryStep.allCases.first { step in
      step.rawValue >= next && available.contains(step) && (answers || !step.needsAnswers)
        && isAllowed(step, at: now)
    }
    // Everything was tried; what costs nothing is tried again.
    let chosen = step ?? (answers ? .resynchronise : .reopen)
    next = chosen.rawValue + 1
    used[chosen] = now
    return chosen
  }

  /// Whether a step may be taken now, as far as its rate goes.
  func isAllowed(_ step: RecoveryStep, at now: BootInstant) -> Bool {
    guard step.spacing > .zero else { return true }
    if let arrived, now - arrived < Limits.resetAfterArrival { return false }
    guard let last = used[step] else { return true }
    return now - last >= step.spacing
  }

  /// The first of these steps that there is and that may be taken now; nil when none may.
  func first(of steps: [RecoveryStep], at now: BootInstant) -> RecoveryStep? {
    steps.first { available.contains($0) && isAllowed($0, at: now) }
  }

  /// Notes a step that was taken for another reason than a trouble.
  mutating func note(_ step: RecoveryStep, at now: BootInstant) {
    used[step] = now
  }
}
