import Events
import ModemSession
import Time

/// A session whose modem is played by the test: what no simulated modem says.
struct HandPlayed {
  var session: ModemSession
  var now = BootInstant.zero
  /// What was written, without what ends it.
  var commands: [String] = []
  /// When each of them was written.
  var times: [BootInstant] = []
  var events: [ModemEvent] = []
  var resets: [RecoveryStep] = []
  var traces: [String] = []
  /// What was told of PINs that were tried.
  var pins: [Bool] = []
  /// Whether the session has ended.
  var hasStopped = false
  /// What opening the port comes to.
  var opening = SessionInput.opened(path: "/dev/modem")
  private var inputs = [SessionInput.start]

  init(_ change: (inout ModemConfiguration) -> Void = { _ in }) {
    var configuration = ModemConfiguration(port: "/dev/modem")
    change(&configuration)
    session = ModemSession(configuration: configuration)
  }

  /// Tells the session something at the next step.
  mutating func tell(_ input: SessionInput) {
    inputs.append(input)
  }

  mutating func hear(_ line: String) {
    tell(.received(Array("\r\n\(line)\r\n".utf8)))
  }

  mutating func send(_ body: String = "text") {
    tell(.request(.send(OutgoingText(id: 1, to: "+15550100", body: body))))
  }

  var outcomes: [SendOutcome] {
    events.compactMap { if case .sendOutcome(_, let outcome) = $0 { outcome } else { nil } }
  }

  /// The recovery steps that the log tells of.
  var steps: [String] {
    events.compactMap {
      guard case .log(let entry) = $0, entry.name == "modem_recovering",
        case .text(let step)? = entry.fields.first?.value
      else { return nil }
      return step
    }
  }

  /// Runs until it is enough, or so many steps are over.
  ///
  /// - Parameter answer: What the modem says to a command line; nil when it stays silent.
  mutating func run(
    steps: Int, until isEnough: (HandPlayed) -> Bool, before end: BootInstant? = nil,
    answering answer: (String) -> String?
  ) {
    for _ in 0..<steps {
      if isEnough(self) { return }
      if inputs.isEmpty {
        let next = max(now, session.deadline ?? end ?? now)
        now = end.map { min(next, $0) } ?? next
        inputs.append(.timePassed)
      }
      for effect in session.handle(inputs.removeFirst(), at: now) {
        switch effect {
        case .open: inputs.append(opening)
        case .reset(let step):
          resets.append(step)
          inputs.append(.resetFinished("done"))
        case .write(let bytes):
          let text = String(decoding: bytes, as: UTF8.self)
          commands.append(text.filter { $0 != "\r" && $0 != "\u{1A}" })
          times.append(now)
          if let said = answer(text) { inputs.append(.received(Array(said.utf8))) }
        case .claimPIN: inputs.append(.pinClaimed(true))
        case .pinTried(_, let isRight): pins.append(isRight)
        case .keepTrace(let reason): traces.append(reason)
        case .event(let event): events.append(event)
        case .stopped: hasStopped = true
        case .close: break
        }
      }
    }
  }

  /// Runs for so long, and no longer.
  mutating func run(for duration: Duration, answering answer: (String) -> String?) {
    let end = now + duration
    run(
      steps: 1_000_000, until: { $0.now >= end && $0.inputs.isEmpty }, before: end,
      answering: answer)
  }

  /// Runs until the modem is ready, and all is looked through.
  mutating func start() {
    run(for: .seconds(30), answering: HandPlayed.healthy)
  }

  func count(_ command: String) -> Int { commands.count { $0 == command } }

  /// What a modem says that is well.
  static func healthy(_ command: String) -> String {
    if command.hasPrefix("AT+CMGS=") { return "\r\n> " }
    if command.hasSuffix("\u{1A}") { return "\r\n+CMGS: 7\r\n\r\nOK\r\n" }
    let answers = [
      "AT+CGMI": "Maker", "AT+CPIN?": "+CPIN: READY", "AT+CREG?": "+CREG: 1,1",
      "AT+CMGF?": "+CMGF: 0", "AT+CPMS=": "+CPMS: 0,30,0,30,0,30", "AT+CSQ": "+CSQ: 20,99",
    ]
    let line = answers.first { command.hasPrefix($0.key) }?.value
    return "\r\n\(line.map { $0 + "\r\n\r\n" } ?? "")OK\r\n"
  }
}
