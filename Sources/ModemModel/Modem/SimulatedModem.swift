public import GSM
public import Timing

/// What a simulated modem wants done outside.
public enum ModemEffect: Hashable, Sendable {
  /// These bytes come out of its line now.
  case bytes([UInt8])
  /// A message leaves for the network; the answer is ``SimulatedModem/submissionAnswered(_:at:)``.
  case submitted(Submission)
  /// A message was read for the first time, or deleted; for an onlooker.
  case storeChanged(StoreChange)
  /// A command line came, for an onlooker.
  case command(String)
}

/// A message on its way from a modem to the network.
public struct Submission: Hashable, Sendable {
  /// The message, with the reference that the modem gave it.
  public var message: SMSSubmit
  /// SMSC part and TPDU as they came, without that reference.
  public var pdu: [UInt8]
}

/// What the network says to a message.
public enum SubmissionAnswer: Hashable, Sendable {
  /// It took it.
  case accepted
  /// It refused it with this `+CMS ERROR` (3GPP TS 24.011 8.2.5.4).
  case refused(Int)
}

/// A change of a modem's storage that a person did not make.
public struct StoreChange: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable {
    case read
    case deleted
  }

  public var kind: Kind
  public var storage: String
  public var index: Int
}

/// A GSM modem with its SIM as a state machine over bytes: what it answers to whom, with the codes
/// that real modems use. No input or output, no clock, no chance.
///
/// It is as strict as they are: characters before the prompt are lost, a length that does not fit the
/// PDU is refused, a full storage takes no message, and nothing works before the SIM is unlocked.
public struct SimulatedModem: Sendable {
  /// What is taken from the line next.
  enum Input: Hashable, Sendable {
    case command
    /// The body of a message: what it is for, and where the prompt stands.
    case body(BodyRequest)
  }

  /// What a body that was prompted for becomes.
  struct BodyRequest: Hashable, Sendable {
    /// Octets of the TPDU, in PDU mode.
    var length: Int?
    /// The recipient, in text mode.
    var recipient: String?
    /// Stored instead of sent: `+CMGW`.
    var stores = false
  }

  /// Bytes that come out later.
  struct Pending: Hashable, Sendable {
    var due: BootInstant
    var effect: ModemEffect
  }

  /// What the modem and its SIM are made of.
  public let settings: ModemSettings

  // The line.
  var input = Input.command
  var line: [UInt8] = []
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
  var characterSet = "GSM"
  var messageService = 0
  var indication = [0, 0, 0, 0, 0]
  var registrationReports: [String: Int] = [:]
  var function = 1
  var serviceCentre: String
  var showsTextHeaders = false
  var textParameters = [17, 167, 0, 0]
  var operatorFormat = 0
  var reportsTimeZone = 0
  var isSupplementaryOpen = false

  // The SIM.
  var pinTries = 3
  var pukTries = 10
  var isUnlocked: Bool
  var credit: Int?
  var storages: [MessageStorage]
  var readStorage = "SM"
  var writeStorage = "SM"
  var receiveStorage = "SM"
  var nextReference: UInt8 = 0

  // Faults.
  var muteUntil: BootInstant?
  var refusals: [Int] = []
  var answerFault: ModemFault?
  var withholdsPrompt = false
  var unregisteredUntil: BootInstant?
  var isDenied = false
  var simBusyUntil: BootInstant?
  var isReceptionSilent = false
  var isNoisy = false
  var registeredFrom: BootInstant
  var lastRegistration: Int?

  /// The message that the network is being asked about.
  var asked: Submission?

  /// A modem that is on since `now`.
  public init(settings: ModemSettings, at now: BootInstant) {
    self.settings = settings
    serviceCentre = settings.smsc
    isUnlocked = settings.pin == nil
    credit = settings.credit
    storages = [
      MessageStorage(name: "SM", size: settings.storageSize),
      MessageStorage(name: "ME", size: 100), MessageStorage(name: "SR", size: 20),
    ]
    registeredFrom = now + settings.registrationDelay
  }

  // MARK: The line

  /// Takes bytes from the line, and returns what comes of them now.
  public mutating func receive(
    _ bytes: some Sequence<UInt8>, at now: BootInstant
  ) -> [ModemEffect] {
    effects = []
    catchUp(now)
    if isMute(now) { return take() }
    for byte in bytes { accept(byte, at: now) }
    catchUp(now)
    return take()
  }

  /// Lets time pass, and returns what comes of it.
  public mutating func advance(to now: BootInstant) -> [ModemEffect] {
    effects = []
    catchUp(now)
    tellRegistration(now)
    catchUp(now)
    return take()
  }

  /// When ``advance(to:)`` has something to do if nothing else happens; nil when never.
  public var deadline: BootInstant? {
    var next = pending.first?.due
    func earlier(_ time: BootInstant?) {
      guard let time else { return }
      next = next.map { min($0, time) } ?? time
    }
    if !waitingInput.isEmpty, !isAwaitingNetwork { earlier(busyUntil) }
    if let muteUntil, muteUntil.nanoseconds != .max { earlier(muteUntil) }
    if let until = unregisteredUntil, until.nanoseconds != .max { earlier(until) }
    if lastRegistration == nil || lastRegistration == 2 { earlier(registeredFrom) }
    return next
  }

  private mutating func take() -> [ModemEffect] {
    defer { effects = [] }
    return effects
  }

  /// Puts out what is due, and goes on with input that had to wait.
  private mutating func catchUp(_ now: BootInstant) {
    if let until = muteUntil, until <= now { muteUntil = nil }
    while true {
      if let first = pending.first, first.due <= now {
        pending.removeFirst()
        if case .bytes = first.effect, isMute(now) { continue }
        effects.append(first.effect)
      } else if !waitingInput.isEmpty, busyUntil <= now, !isAwaitingNetwork {
        accept(waitingInput.removeFirst(), at: now)
      } else {
        return
      }
    }
  }

  private mutating func accept(_ byte: UInt8, at now: BootInstant) {
    guard busyUntil <= now, !isAwaitingNetwork else {
      // Before the prompt is out, characters are lost; during a command they wait.
      if case .body = input { return }
      if waitingInput.count < Limits.inputBytes { waitingInput.append(byte) }
      return
    }
    if echoes, byte != 0x1B { put([byte], at: now) }
    switch input {
    case .command: acceptCommand(byte, at: now)
    case .body(let request): acceptBody(byte, request, at: now)
    }
  }

  private mutating func acceptCommand(_ byte: UInt8, at now: BootInstant) {
    switch byte {
    case 0x0D:
      let text = String(decoding: line, as: UTF8.self)
      line = []
      let trimmed = text.drop { $0 == " " || $0 == "\n" || $0 == "\0" }
      // Whatever stood before AT on the line is noise, as after an escape.
      if let start = trimmed.range(ofATIn: trimmed) {
        run(String(trimmed[start...]), at: now)
      }
    case 0x08: _ = line.popLast()
    case 0x0A, 0x1B, 0x1A: break
    default:
      if line.count < Limits.commandBytes { line.append(byte) }
    }
  }

  private mutating func acceptBody(
    _ byte: UInt8, _ request: BodyRequest, at now: BootInstant
  ) {
    switch byte {
    case 0x1B:
      line = []
      input = .command
      say(final: "OK", at: now)
    case 0x1A:
      let body = line
      line = []
      input = .command
      finishBody(body, request, at: now)
    case 0x0D where request.length == nil:
      line.append(0x0A)
      put(Array("\r\n>\(settings.profile.promptTail)".utf8), at: now)
    case 0x0A, 0x0D: break
    default:
      if line.count < Limits.bodyBytes { line.append(byte) }
    }
  }

  // MARK: Saying

  /// Puts bytes out after everything before them.
  mutating func put(_ bytes: [UInt8], at time: BootInstant) {
    let due = max(time, pending.last?.due ?? time)
    pending.append(Pending(due: due, effect: .bytes(bytes)))
  }

  /// An information line.
  mutating func say(_ text: String, at now: BootInstant) {
    if isNoisy {
      for noise in settings.profile.noise { put(framed(noise), at: busyUntil) }
    }
    put(framed(text), at: max(now, busyUntil))
  }

  /// A final result.
  mutating func say(final: String, at now: BootInstant) {
    guard !isQuiet else { return }
    let time = max(now, busyUntil)
    if isVerbose {
      put(framed(final), at: time)
    } else {
      let digits = ["OK": "0", "ERROR": "4"]
      put(Array("\(digits[final] ?? "4")\r".utf8), at: time)
    }
  }

  /// A result that nobody asked for.
  mutating func tell(_ text: String, at now: BootInstant) {
    put(framed(text), at: now)
  }

  func framed(_ text: String) -> [UInt8] {
    isVerbose ? Array("\r\n\(text)\r\n".utf8) : Array("\(text)\r\n".utf8)
  }

  func isMute(_ now: BootInstant) -> Bool {
    muteUntil.map { $0 > now } ?? false
  }

  // MARK: Registration

  /// The registration as `+CREG` counts it.
  func registration(_ now: BootInstant) -> Int {
    if !settings.hasSIM || !isUnlocked || function != 1 { return 0 }
    if isDenied { return 3 }
    if registeredFrom > now { return 2 }
    if let until = unregisteredUntil, until > now { return 2 }
    return settings.isRoaming ? 5 : 1
  }

  /// Whether a message could reach it now.
  public func isReachable(at now: BootInstant) -> Bool {
    [1, 5].contains(registration(now)) && !isMute(now)
  }

  private mutating func tellRegistration(_ now: BootInstant) {
    if let until = unregisteredUntil, until <= now { unregisteredUntil = nil }
    let status = registration(now)
    defer { lastRegistration = status }
    guard let lastRegistration, lastRegistration != status else { return }
    for name in ["CREG", "CGREG", "CEREG"] where registrationReports[name] ?? 0 > 0 {
      tell("+\(name): \(status)", at: now)
    }
  }
}

extension Substring {
  /// Where `AT` begins, in capital or small letters.
  fileprivate func range(ofATIn text: Substring) -> Index? {
    var index = startIndex
    while index < endIndex {
      let next = self.index(after: index)
      if next < endIndex, self[index].uppercased() == "A", self[next].uppercased() == "T" {
        return index
      }
      index = next
    }
    return nil
  }
}
