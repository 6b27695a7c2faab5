import ModemSession
import Timing

/// A session whose modem is played by the test: what no simulated modem says.
struct HandPlayed {
  var session = ModemSession(configuration: ModemConfiguration(port: "/dev/modem"))
  var now = BootInstant.zero
  private var inputs = [SessionInput.start]

  /// Runs until it is enough, or so many steps are over.
  ///
  /// - Parameter answer: What the modem says to a command line; nil when it stays silent.
  mutating func run(
    steps: Int, until isEnough: (HandPlayed) -> Bool, answering answer: (String) -> String?
  ) {
    for _ in 0..<steps where !isEnough(self) {
      if inputs.isEmpty {
        now = max(now, session.deadline ?? now)
        inputs.append(.timePassed)
      }
      for effect in session.handle(inputs.removeFirst(), at: now) {
        switch effect {
        case .open: inputs.append(.opened(path: "/dev/modem"))
        case .reset: inputs.append(.resetFinished("done"))
        case .write(let bytes):
          if let said = answer(String(decoding: bytes, as: UTF8.self)) {
            inputs.append(.received(Array(said.utf8)))
          }
        default: break
        }
      }
    }
  }

  /// What a modem says that is well.
  static func healthy(_ command: String) -> String {
    let answers = [
      "AT+CGMI": "Maker", "AT+CPIN?": "+CPIN: READY", "AT+CREG?": "+CREG: 1,1",
      "AT+CMGF?": "+CMGF: 0", "AT+CPMS=": "+CPMS: 0,30,0,30,0,30",
    ]
    let line = answers.first { command.hasPrefix($0.key) }?.value
    return "\r\n\(line.map { $0 + "\r\n\r\n" } ?? "")OK\r\n"
  }
}
