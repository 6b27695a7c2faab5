import AT
import FuzzSupport
import ModemSession
import Time

/// A whole session with a modem that says anything at any time, while texts are asked for, the port
/// comes and goes, and time passes.
@main
struct FuzzSession {
  static func main() {
    Fuzzing.run { start, count in
      FuzzSession.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    var shell = Shell(choice: input.byte())
    shell.tell(.start)
    while !input.isEmpty {
      let step = input.byte()
      switch step {
      case 0..<0x80: shell.hear(input.bytes(Int(step) + 1))
      case 0x80..<0xB0: shell.hear(Array(answers[Int(step - 0x80) % answers.count].utf8))
      case 0xB0..<0xC0: shell.agree(Int(step - 0xB0) + 1)
      case 0xC0..<0xD0: shell.pass()
      case 0xD0..<0xD8: shell.wait(.seconds(Int64(input.byte())))
      case 0xD8..<0xE0: shell.send(step)
      case 0xE0: shell.tell(.closed(reason: "gone"))
      case 0xE1: shell.tell(.portChanged)
      case 0xE2: shell.isThere.toggle()
      case 0xE3: shell.ask(.sweep)
      case 0xE4: shell.ask(.command(id: Int64(step), text: "AT+CSQ", timeout: .seconds(5)))
      case 0xE5: shell.ask(.ussd(id: Int64(step), code: "*123#"))
      case 0xE6...0xEA:
        shell.ask(.reset(id: Int64(step), RecoveryStep.allCases[Int(step - 0xE6)]))
      case 0xEB: shell.ask(.confirmStored(token: UInt64(input.byte())))
      case 0xEC: shell.tell(.pinClaimed(false))
      case 0xED: shell.tell(.resetFinished("late"))
      default: shell.tell(.timePassed)
      }
    }
    shell.end()
  }
}

/// What modems answer, so that a session gets beyond its first step.
private let answers = [
  "\r\nOK\r\n", "\r\nERROR\r\n", "\r\n> ", "\r\n+CMGS: 7\r\n\r\nOK\r\n",
  "\r\n+CMS ERROR: 38\r\n", "\r\n+CMS ERROR: 500\r\n", "\r\n+CMS ERROR: 332\r\n",
  "\r\n+CME ERROR: 14\r\n", "\r\n+CME ERROR: 10\r\n", "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n",
  "\r\n+CPIN: SIM PUK\r\n\r\nOK\r\n", "\r\n+CPIN: READY\r\n\r\nOK\r\n", "\r\n+CREG: 1\r\n",
  "\r\n+CREG: 0\r\n", "\r\n+CREG: 3\r\n", "\r\n+CMTI: \"SM\",3\r\n", "\r\n+CDSI: \"SM\",4\r\n",
  "\r\nRDY\r\n", "\r\n+CFUN: 1\r\n", "\r\n^SMMEMFULL: \"SM\"\r\n",
  "\r\n+CPMS: \"SM\",1,30,\"SM\",1,30,\"SM\",1,30\r\n\r\nOK\r\n",
  "\r\n+CUSD: 0,\"Balance 10\",15\r\n", "\r\n+CUSD: 1,\"004F004B\",72\r\n",
  "\r\n+CTZE: \"+23\",0,\"2026/11/21,14:32:12\"\r\n", "\r\nHUAWEI\r\n\r\nOK\r\n",
  "\r\nSIMCOM INCORPORATED\r\n\r\nOK\r\n", "\r\n+CSQ: 20,99\r\n\r\nOK\r\n",
  "\r\n+CREG: 2,1\r\n\r\nOK\r\n", "\r\n+CSCA: \"+9779800000000\",145\r\n\r\nOK\r\n",
  "\r\n+CMGL: 1,1,,3\r\n0791\r\nOK\r\n", "\r\n+CDS: 3\r\n000102\r\n",
]

/// The shell around a session, which keeps the rules of one, and holds the session to its own.
private struct Shell {
  private var session: ModemSession
  private var now = BootInstant.seconds(1)
  private var isOpen = false
  private var isStopped = false
  private var inputs: [SessionInput] = []
  /// Texts without an outcome.
  private var open: Set<Int64> = []
  private var lastID: Int64 = 0
  /// Whether the port can be opened.
  var isThere = true

  init(choice: UInt8) {
    var configuration = ModemConfiguration(port: "/dev/modem")
    configuration.pin = choice & 1 == 0 ? nil : "1234"
    configuration.smsc = choice & 2 == 0 ? nil : "+9779800000000"
    configuration.statusReports = choice & 4 == 0
    configuration.resets = choice & 8 == 0 ? [] : [.resetUSB, .powerCycle]
    session = ModemSession(configuration: configuration, seed: UInt16(choice))
  }

  mutating func tell(_ input: SessionInput) {
    guard !isStopped else { return }
    if case .closed = input {
      guard isOpen else { return }
      isOpen = false
    }
    inputs.append(input)
    var rounds = 0
    while !inputs.isEmpty {
      rounds += 1
      require(rounds < 200, "a session that never comes to rest")
      for effect in session.handle(inputs.removeFirst(), at: now) { carry(out: effect) }
    }
  }

  private mutating func carry(out effect: SessionEffect) {
    require(!isStopped, "something is to be done after the end")
    switch effect {
    case .open:
      require(!isOpen, "a port that is opened twice")
      isOpen = isThere
      inputs.append(
        isThere
          ? .opened(path: "/dev/modem") : .openFailed(reason: "no such port", .absent))
    case .close: isOpen = false
    case .write(let bytes):
      require(isOpen, "bytes for a port that is closed")
      require(!bytes.isEmpty, "nothing is to be written")
    case .claimPIN: inputs.append(.pinClaimed(true))
    case .reset:
      require(!isOpen, "a reset from outside with the port open")
      inputs.append(.resetFinished("done"))
    case .event(.sendOutcome(let id, _)):
      require(open.remove(id) != nil, "an outcome of a text that has one or was never asked for")
    case .stopped:
      require(open.isEmpty, "a text without an outcome at the end")
      isStopped = true
    case .event, .pinTried, .keepTrace: break
    }
  }

  mutating func hear(_ bytes: [UInt8]) {
    guard isOpen else { return }
    tell(.received(bytes))
  }

  /// The modem says yes so many times.
  mutating func agree(_ times: Int) {
    for _ in 0..<times { hear(Array("\r\nOK\r\n".utf8)) }
  }

  mutating func ask(_ request: ModemRequest) {
    tell(.request(request))
  }

  mutating func send(_ kind: UInt8) {
    guard !isStopped else { return }
    lastID += 1
    open.insert(lastID)
    let bodies = [
      "V1|BNP-A|BA1PA1234|CAR|1773470000|9801", "बा १ पा", String(repeating: "x", count: 400),
    ]
    let numbers = ["+9779801000002", "1415", "not a number"]
    ask(
      .send(
        OutgoingText(
          id: lastID, to: numbers[Int(kind) % numbers.count], body: bodies[Int(kind / 3) % 3],
          validity: .seconds(3_600))))
  }

  /// Lets time come to what the session waits for.
  mutating func pass() {
    guard let deadline = session.deadline else { return }
    now = max(now, deadline)
    tell(.timePassed)
    // What is due was done: it may fall due again only after a while.
    var again = 0
    while let deadline = session.deadline, deadline <= now, !isStopped {
      again += 1
      require(again < 20, "a deadline that is always now")
      tell(.timePassed)
    }
  }

  mutating func wait(_ duration: Duration) {
    now = now + duration
    tell(.timePassed)
  }

  /// Ends the session, whatever it is at.
  mutating func end() {
    ask(.stop)
    var rounds = 0
    while !isStopped {
      rounds += 1
      require(rounds < 1_000 && session.deadline != nil, "a session that does not end")
      pass()
    }
  }
}
