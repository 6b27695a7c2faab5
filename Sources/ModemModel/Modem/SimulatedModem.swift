public import Time

/// A GSM modem with its SIM as a state machine over bytes: what it answers to whom, with the codes
/// that real modems use. No input or output, no clock, no randomness.
///
/// It is as strict as they are: characters before the prompt are lost, a length that does not fit the
/// PDU is refused, a full storage takes no message, and nothing works before the SIM is unlocked.
public struct SimulatedModem: Sendable {
  /// What is taken from the line next.
  enum Input: Hashable, Sendable {
    case command
    /// What follows a prompt, and what it is for.
    case body(BodyRequest)
  }

  /// What a body that was prompted for becomes.
  struct BodyRequest: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
      case send
      case store(MessageStorage.State)
      case acknowledge(Bool)
    }

    var purpose = Purpose.send
    /// Whether an escape ends it.
    var takesEscape = true
    /// Octets of the TPDU, in PDU mode.
    var length: Int?
    /// The recipient as it was typed, and its type octet when one was given; in text mode.
    var recipient = ""
    var recipientType: Int?
  }

  /// Bytes that come out later.
  struct Pending: Hashable, Sendable {
    var due: BootInstant
    var bytes: [UInt8]
    /// Whether a body may be typed once they are out.
    var isPrompt = false
  }

  /// What the modem and its SIM are made of.
  public let settings: ModemSettings

  // The line.
  var input = Input.command
  var isPromptOut = false
  var line: [UInt8] = []
  var lastLine = ""
  /// Whether the command that is carried out has said something already.
  var hasSaid = false
  var waitingInput: [UInt8] = []
  var pending: [Pending] = []
  var busyUntil = BootInstant.zero
  var isAwaitingNetwork = false
  var effects: [ModemEffect] = []

  // Settings that commands change.
  var echoes = true
  var isVerbose = true
  var isQuiet = false
  var errorLevel = 0
  var isTextMode = false
  var characterSet = CharacterSet.gsm
  var messageService = 0
  var moreMessages = 0
  var indication = Indication()
  var registrationReports: [String: Int] = [:]
  var function = 1
  var serviceCentre: String
  var showsTextHeaders = false
  var textParameters = TextParameters()
  var operatorFormat = 0
  var isDetached = false
  var reportsTimeZone = 0
  var timeUpdate = 0
  var tellsSupplementary = 0
  var clock: (wall: WallTime, at: BootInstant)?
  var isClockSet = false

  // The SIM.
  var pin: String?
  var asksPIN: Bool
  var pinTries = 3
  var pukTries = 10
  var isUnlocked: Bool
  var credit: Int?
  var storages: [MessageStorage]
  var readStorage = "SM"
  var writeStorage = "SM"
  var receiveStorage = "SM"
  var nextReference: UInt8 = 0

  // Receiving.
  var heldIndications: [[UInt8]] = []
  var acknowledgeBy: BootInstant?
  var refusedForRoom = false

  // The maker's firmware.
  /// Whether the maker's noise was switched off.
  var isQuieted = false
  /// Whether it sleeps when nothing is typed for a while.
  var savesPower = true
  var lastTyped: BootInstant
  var isWakingUntil = BootInstant.zero

  // Faults.
  var faults = FaultState()
  var trickledUntil = BootInstant.zero
  var registeredFrom: BootInstant
  /// Whether there is a network at all.
  var isCovered = true
  var lastRegistration: Int?

  /// When it started.
  var startedAt: BootInstant
  /// An answer that waits for a status report, and how long at most.
  var heldAnswer: (reference: String, until: BootInstant)?

  /// The message that the network is being asked about, and the command that sent it.
  var asked: (submission: Submission, command: String)?

  /// A modem that is on since `now`.
  public init(settings: ModemSettings, at now: BootInstant) {
    self.settings = settings
    serviceCentre = settings.smsc
    pin = settings.pin
    asksPIN = settings.pin != nil
    isUnlocked = settings.pin == nil
    credit = settings.credit
    let first = settings.profile.firstPlace
    storages = [
      MessageStorage(name: "SM", size: settings.storageSize, first: first),
      MessageStorage(name: "ME", size: Limits.modemStorage, first: first),
      MessageStorage(name: "SR", size: Limits.reportStorage, first: first),
    ]
    lastTyped = now
    startedAt = now
    registeredFrom = now + settings.registrationDelay
  }

  /// Takes bytes from the line, and returns what comes of them now.
  public mutating func receive(_ bytes: [UInt8], at now: BootInstant) -> [ModemEffect] {
    effects = []
    catchUp(now)
    if isMute(now) || isAsleep(now) { return take() }
    for byte in bytes { accept(byte, at: now) }
    catchUp(now)
    return take()
  }

  /// Lets time pass, and returns what comes of it.
  public mutating func advance(to now: BootInstant) -> [ModemEffect] {
    effects = []
    catchUp(now)
    return take()
  }

  /// When ``advance(to:)`` has something to do if nothing else happens; nil when never.
  public var deadline: BootInstant? {
    var times: [BootInstant?] = [pending.first?.due, acknowledgeBy, heldAnswer?.until]
    times += faults.deadlines
    if !waitingInput.isEmpty, !isAwaitingNetwork { times.append(busyUntil) }
    // Status 2 without a fault means that the network is being looked for until then.
    if lastRegistration == nil
      || lastRegistration == 2 && faults.unregisteredUntil == nil && isCovered
    {
      times.append(registeredFrom)
    }
    return times.compactMap { $0 == SimulatedModem.never ? nil : $0 }.min()
  }

  /// Tells the modem the network's time, which `AT+CCLK?` shows unless it was set by hand.
  public mutating func synchronise(_ wall: WallTime, at now: BootInstant) {
    if !isClockSet { clock = (wall, now) }
  }

  /// The end of what has no end.
  static let never = BootInstant(nanoseconds: .max)

  /// What came of it, with bytes that come out together as one.
  private mutating func take() -> [ModemEffect] {
    defer { effects = [] }
    return effects
  }

  /// Puts out what is due, and goes on with input that had to wait.
  private mutating func catchUp(_ now: BootInstant) {
    if let until = faults.muteUntil, until <= now { faults.muteUntil = nil }
    if let until = acknowledgeBy, until <= now { acknowledgementMissed() }
    if let held = heldAnswer, held.until <= now { releaseAnswer(at: now) }
    endFaults(now)
    tellRegistration(now)
    while true {
      if let first = pending.first, first.due <= now {
        pending.removeFirst()
        if first.isPrompt { isPromptOut = true }
        if isMute(now) { continue }
        if case .bytes(let before) = effects.last {
          effects[effects.count - 1] = .bytes(before + first.bytes)
        } else {
          effects.append(.bytes(first.bytes))
        }
      } else if !waitingInput.isEmpty, busyUntil <= now, !isAwaitingNetwork {
        accept(waitingInput.removeFirst(), at: now)
      } else {
        return
      }
    }
  }

  /// Whether what is typed is lost because it wakes the modem.
  private mutating func isAsleep(_ now: BootInstant) -> Bool {
    defer { lastTyped = now }
    guard let idle = settings.profile.sleepsAfter, savesPower, input == .command else {
      return false
    }
    if now - lastTyped >= idle { isWakingUntil = now + SimulatedModem.wakingTime }
    return now < isWakingUntil
  }

  /// How long a modem needs to wake.
  private static let wakingTime: Duration = .milliseconds(20)

  func isMute(_ now: BootInstant) -> Bool {
    faults.isDead || faults.muteUntil.map { $0 > now } ?? false
  }
}
