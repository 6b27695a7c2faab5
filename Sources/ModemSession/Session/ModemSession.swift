import AT
import Events
import GSM
public import ModemMakers
public import Time

/// One modem, from its port to the texts that go through it, as a value: no input or output, no
/// clock.
///
/// A shell opens the port, carries bytes and lets time pass; everything else is decided here. The
/// session never sends a text twice by itself: each ``ModemRequest/send(_:)`` is answered by one
/// outcome, of which "unknown" is one of its own, and whoever asked decides.
public struct ModemSession: Sendable {
  /// Where a session stands with its modem.
  enum Phase: Hashable, Sendable {
    /// Not started, or ended.
    case ended
    /// The port is closed, to be opened at this time.
    case closed(openAt: BootInstant)
    /// The shell is opening the port.
    case opening
    /// The line is left alone until this time, so that what is late comes and goes.
    case settling(until: BootInstant)
    /// The modem is asked for a first answer; how often it was asked.
    case probing(Int)
    /// The modem answered after it had not: an answer is sought that can be no late one.
    case synchronising(Int)
    /// The modem was told to start anew.
    case restarting
    /// The modem is being reset from outside, until this time at most.
    case resetting(until: BootInstant)
    /// The shell notes that the PIN is about to be tried.
    case claiming
    /// A step of the setup is waiting for its answer: which of its forms, and how often.
    case setup(SetupStep, form: Int, tries: Int)
    /// A step of the setup is tried again at this time.
    case pausing(SetupStep, tries: Int, until: BootInstant)
    /// The SIM wants a code that is not ours to try; looked at again at this time.
    case locked(until: BootInstant)
    /// All is set up.
    case idle
  }

  /// Whose the open command is, beside those of probing and setup.
  enum Purpose: Hashable, Sendable {
    case textPart
    case select(String)
    case list
    case read(StorageState.Place)
    case delete(StorageState.Place)
    case check(SetupStep)
    case operatorCommand(id: Int64)
    /// A setting that matters to nobody who waits.
    case setting
    case domain(ServiceDomain.Act)
    case ussd
  }

  /// What the operator settled.
  public let configuration: ModemConfiguration
  /// The makers whose modems are known.
  let makers: MakerList
  /// Everything known of the modem.
  public internal(set) var status: ModemStatus

  var dialogue: ATDialogue
  var phase = Phase.ended
  var purpose: Purpose?
  var effects: [SessionEffect] = []
  var published: ModemStatus?
  var isStopping = false
  /// Until when the outcome of a text is waited for at the end.
  var stopBy: BootInstant?

  // The parts, each with what is valid in it.

  /// The port while it is not open.
  var port = PortState()
  /// How the first answer is sought.
  var firstAnswer = FirstAnswer()
  /// What the modem turned out to be.
  var maker = MakerList.Recognition.unknown
  /// What it did without when it was set up.
  var setup = SetupState()
  /// When it started last.
  var start = ModemStart()
  /// What it leaves out of its answers.
  var habits = ModemHabits()
  /// The SIM and its PIN.
  var sim = SIMState()
  /// Whether the network has the modem.
  var registration = RegistrationState()
  /// Texts on their way out.
  var sending: SendingState
  /// The messages in the modem.
  var storage: StorageState
  /// Requests to the network.
  var ussd = USSDState()
  /// What is looked at from time to time.
  var checks = CheckPlan()

  // What is done about a modem that fails.

  /// The steps, the mildest first.
  var ladder = RecoveryLadder()
  /// What refusals of texts in a row tell.
  var sendTroubles = SendTroubles()
  /// A network that is not found.
  var search = NetworkSearch()
  /// What the modem's restarts and its words say of its supply.
  var supply = SupplyWatch()
  /// Another access technology, where texts are refused on this one.
  var access: AccessFallback
  /// By which domain texts go, where the modem's usual one failed.
  var domain = ServiceDomain()
  /// Failures of which a trace was kept.
  var traces = ToldOnce()
  /// Complaints of the modem.
  var warnings = ToldOnce()

  // What waits for the line.

  /// Settings that are to be made before anything else.
  var settings: [ATCommand] = []
  /// Commands of operators.
  var commands: [OperatorCommand] = []
  /// Whether every setting is made again.
  var needsSetup = false
  /// Whether housekeeping goes before the next text, so that neither starves the other.
  var housekeepingFirst = false

  /// A session that has not started.
  ///
  /// - Parameters:
  ///   - seed: where the references of long messages begin, so that two runs differ.
  ///   - makers: the makers whose modems are known.
  public init(
    configuration: ModemConfiguration, seed: UInt16 = 0, makers: MakerList = .known
  ) {
    self.configuration = configuration
    self.makers = makers
    dialogue = ATDialogue(lines: makers.lines)
    status = ModemStatus(port: configuration.port)
    sending = SendingState(configuration, seed: seed)
    storage = StorageState(configuration)
    access = AccessFallback(configuration.accessNote)
    ladder.available.formUnion(configuration.resets)
  }

  /// Takes what happened, and returns what is to be done, in order.
  public mutating func handle(_ input: SessionInput, at now: BootInstant) -> [SessionEffect] {
    effects = []
    switch input {
    case .start: begin()
    case .opened(let path): opened(path, at: now)
    case .openFailed(let reason, let failure): openFailed(reason, failure, at: now)
    case .received(let bytes): received(bytes, at: now)
    case .closed(let reason): lost(reason, at: now)
    case .portChanged: portChanged(at: now)
    case .request(let request): take(request, at: now)
    case .pinClaimed(let isGranted): pinClaimed(isGranted, at: now)
    case .resetFinished(let words): resetFinished(words, at: now)
    case .timePassed: break
    }
    passTime(at: now)
    proceed(at: now)
    publish()
    defer { effects = [] }
    return effects
  }

  /// When ``SessionInput/timePassed`` is due if nothing else happens; nil when never.
  public var deadline: BootInstant? {
    let own: BootInstant? =
      switch phase {
      case .ended, .opening, .probing, .synchronising, .restarting, .setup, .claiming: nil
      case .closed(let time), .settling(let time), .pausing(_, _, let time), .resetting(let time):
        time
      // An operator's command is let end first.
      case .locked(let time): dialogue.deadline == nil ? time : nil
      case .idle: dialogue.deadline == nil ? idleDeadline : nil
      }
    let end = phase == .ended ? nil : stopBy
    return [own, dialogue.deadline, end].compactMap { $0 }.min()
  }

  private var idleDeadline: BootInstant {
    let house = min(checks.next, storage.deadline, registration.nextLook ?? checks.next)
    var next = sending.isOpen || sending.isWaiting ? min(house, sending.notBefore) : house
    if let redo = start.redoAt { next = min(next, redo) }
    return ussd.wakes.map { min(next, $0) } ?? next
  }

  /// Whether a text is on its way to the modem.
  public var isSending: Bool { sending.isOpen }

  // MARK: Time

  private mutating func passTime(at now: BootInstant) {
    if let event = dialogue.expire(at: now) { handle(event, at: now) }
    switch phase {
    case .closed(let openAt) where openAt <= now && !isStopping:
      phase = .opening
      effects.append(.open)
    case .settling(let until) where until <= now:
      settled(at: now)
    case .pausing(let step, let tries, let until) where until <= now:
      setUp(step, form: 0, tries: tries, at: now)
    case .locked(let until) where until <= now && dialogue.openCommand == nil:
      probe(0, at: now)
    case .resetting(let until) where until <= now:
      resetFinished("it did not end in time", at: now)
    case .idle:
      expireUSSD(at: now)
      if checks.next <= now { dueChecks(at: now) }
      lookForNetwork(at: now)
      storage.resume(at: now)
      checkAnnouncements(at: now)
      guard phase == .idle else { return }
      storage.passTime(at: now)
      setLeftOut(at: now)
    default: break
    }
  }

  // MARK: Bytes

  private mutating func received(_ bytes: [UInt8], at now: BootInstant) {
    switch phase {
    case .ended, .closed, .opening: return
    case .settling: return  // drained
    default: break
    }
    for event in dialogue.receive(bytes, at: now) { handle(event, at: now) }
  }

  mutating func handle(_ event: ATEvent, at now: BootInstant) {
    switch event {
    case .write(let bytes):
      effects.append(.write(bytes))
      if purpose == .textPart { sending.left(at: now) }
    case .finished(let answer): finished(answer, at: now)
    case .unsolicited(let result): heard(result, at: now)
    case .echoed: heardEcho(at: now)
    case .stray: break
    case .overlong:
      log("modem_line_too_long", .warning, "a line of the modem was too long and was dropped")
    }
  }

  private mutating func finished(_ answer: ATAnswer, at now: BootInstant) {
    switch phase {
    case .probing(let tries): probed(answer, tries, at: now)
    case .synchronising(let tries): synchronised(answer, tries, at: now)
    case .restarting: settle(Limits.restartTakes, at: now)
    case .setup(let step, let form, let tries):
      setupAnswered(answer, step, form: form, tries: tries, at: now)
    case .idle, .locked:
      guard let purpose else { return }
      self.purpose = nil
      noteHabit(answer)
      answered(answer, purpose, at: now)
    default: break
    }
  }

  private mutating func answered(_ answer: ATAnswer, _ purpose: Purpose, at now: BootInstant) {
    switch purpose {
    case .textPart: partAnswered(answer, at: now)
    case .select(let storage): selected(storage, answer, at: now)
    case .list: listed(answer, at: now)
    case .read(let place): didRead(place, answer, at: now)
    case .delete(let place): tell(storage.deleted(place, answer))
    case .check(.simState): simChecked(answer)
    case .check(let step): learn(step, answer, at: now)
    case .operatorCommand(let id): operatorAnswered(id, answer)
    case .setting: settingAnswered(answer, at: now)
    case .domain(let act): domainAnswered(act, answer)
    case .ussd: ussdAnswered(answer)
    }
    guard answer.ending == .timedOut else { return }
    let reason = "the modem did not answer \(ModemSession.name(of: answer.command))"
    if case .operatorCommand = purpose {
      // Whoever typed it chose how long it may take: no reason to do anything harsh.
      take(.resynchronise, "\(reason) in the time that was given for it", at: now)
    } else if purpose == .list, !answer.lines.isEmpty {
      // It was answering, and what came is kept: the rest is asked for again.
      take(.resynchronise, "\(reason) to its end", at: now)
    } else {
      trouble(reason, at: now)
    }
  }

  // MARK: What goes next

  /// Opens the next command when the line is free.
  private mutating func proceed(at now: BootInstant) {
    if isStopping, !sending.isOpen || stopBy.map({ $0 <= now }) ?? false {
      if !putsDomainBack(at: now) { end() }
      return
    }
    guard dialogue.openCommand == nil else { return }
    if case .locked = phase, nextOperatorCommand(at: now) { return }
    guard phase == .idle else { return }
    if needsSetup {
      needsSetup = false
      setUp(.echoOff, form: 0, tries: 0, at: now)
      return
    }
    if openDomain(at: now) { return }
    if !settings.isEmpty {
      open(settings.removeFirst(), for: .setting, at: now)
    } else if !sending.isOpen, ask(registration.doubtfulQuestion(at: now), at: now) {
      return
    } else if sending.isOpen, sending.notBefore <= now {
      sendPart(at: now)
    } else if sending.isOpen {
      return
    } else if housekeepingFirst,
      keepHouse(at: now) || nextOperatorCommand(at: now) || nextUSSD(at: now)
    {
      housekeepingFirst = false
    } else if sendNext(at: now) {
      housekeepingFirst = true
    } else {
      housekeepingFirst = false
      _ = nextOperatorCommand(at: now) || nextUSSD(at: now) || keepHouse(at: now)
    }
  }

  /// Opens a command for a purpose.
  mutating func open(_ command: ATCommand, for purpose: Purpose?, at now: BootInstant) {
    self.purpose = purpose
    let bytes = dialogue.start(habits.known(command), at: now)
    if !bytes.isEmpty { effects.append(.write(bytes)) }
  }

  /// What a command is called in a log: without its values, as they may be secret.
  static func name(of command: ATCommand) -> String {
    String(command.text.prefix { $0 != "=" })
  }
}
