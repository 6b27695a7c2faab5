import GSM
import ModemModel
import Testing
import Time

/// One modem on a line, with a network that takes everything unless told otherwise.
struct Bench {
  static let alice = "+9779800000001"
  static let bob = "+9779800000002"

  var modem: SimulatedModem
  var now = BootInstant.seconds(100)
  var submissions: [Submission] = []
  var effects: [ModemEffect] = []
  var networkAnswer = SubmissionAnswer.accepted

  init(_ change: (inout ModemSettings) -> Void = { _ in }) {
    var settings = ModemSettings(number: Bench.alice)
    change(&settings)
    modem = SimulatedModem(settings: settings, at: now)
    _ = type("ATE0")
  }

  /// What the modem says to a line.
  mutating func type(_ line: String) -> String {
    raw([UInt8]((line + "\r").utf8))
  }

  /// What it says to a body and Ctrl-Z.
  mutating func body(_ text: String) -> String {
    raw([UInt8](text.utf8) + [0x1A])
  }

  /// What it says to bytes.
  mutating func raw(_ bytes: [UInt8]) -> String {
    let effects = modem.receive(bytes, at: now)
    return take(effects)
  }

  /// What it says while time passes.
  mutating func wait(_ duration: Duration) -> String {
    now = now + duration
    let effects = modem.advance(to: now)
    return take(effects)
  }

  /// What it says to something that goes wrong.
  mutating func inject(_ fault: ModemFault) -> String {
    let effects = modem.inject(fault, at: now)
    return take(effects)
  }

  /// What it says to a message, and whether it takes it.
  mutating func deliver(_ tpdu: TPDU) -> (answer: DeliveryAnswer, said: String) {
    let (answer, effects) = modem.deliver(tpdu, at: now)
    return (answer, take(effects))
  }

  private mutating func take(_ effects: [ModemEffect]) -> String {
    self.effects += effects
    var said = ""
    var waiting = effects
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .bytes(let bytes): said += String(decoding: bytes, as: UTF8.self)
      case .submitted(let submission):
        submissions.append(submission)
        let more = modem.submissionAnswered(networkAnswer, at: now)
        self.effects += more
        waiting += more
      case .reachable, .acknowledged, .storeChanged, .command, .unplugged: break
      }
    }
    return said
  }

  /// A message from Bob, as a network hands it over.
  static func message(_ text: String, messageClass: UInt8? = nil) throws -> TPDU {
    let data = UserData(text: text)
    return .deliver(
      SMSDeliver(
        from: try Address(bob), userData: data,
        timestamp: ServiceCentreTime(epochSeconds: 1_795_200_000, quarterHours: 23),
        coding: DataCoding(alphabet: data.alphabet, messageClass: messageClass)))
  }

  /// What the network says of message 7 to Bob.
  static func report() throws -> TPDU {
    .statusReport(
      SMSStatusReport(
        messageReference: 7, recipient: try Address(bob),
        timestamp: ServiceCentreTime(epochSeconds: 1_795_200_000, quarterHours: 23),
        discharge: ServiceCentreTime(epochSeconds: 1_795_200_060, quarterHours: 23), status: 0))
  }

  /// A message to Bob, ready for `AT+CMGS`.
  static func pdu(_ text: String) throws -> EncodedPDU {
    try #require(try MessageComposer.submit(text: text, to: Address(bob)).first)
  }
}

/// An information line with `OK` after it, as the line carries them.
func ok(_ lines: String...) -> String {
  (lines + ["OK"]).map { "\r\n\($0)\r\n" }.joined()
}

let prompt = "\r\n> "
