import Events
import GSM
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Time

/// The number that texts go to.
let gateway = "+9779800000000"

/// The passage with this number, as a client would record it: another plate and second for each.
func sample(_ number: Int64) throws -> RecordRequest {
  let digits = String(number)
  let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  let body = "V1|BNP-A|BA1PA\(padded)|CAR|\(1_800_000_000 + number)|9801"
  let message = try V1Message.decode(body, window: nil)
  return RecordRequest(
    Passage(
      clientID: message.clientID, contentClientID: nil, plate: message.plate,
      vehicleType: message.vehicleType, checkpost: message.checkpost, segment: nil,
      recordedAt: WallTime(epochSeconds: message.recordedEpoch), suffix: message.suffix,
      ranger: nil, photoPath: nil, source: .app, v1Body: message.body))
}

/// A text as a modem receives it.
func deliver(_ text: String, second: Int64 = 1_800_000_000) throws -> String {
  let parts = try MessageComposer.messages(
    text: text, to: try Address(gateway), options: SubmitOptions())
  var hex = ""
  for part in parts {
    let message = SMSDeliver(
      from: try Address("+9779841000001"), userData: part.userData,
      timestamp: ServiceCentreTime(epochSeconds: second, quarterHours: 23))
    hex = Hex.encode(try PDU(tpdu: .deliver(message)).encoded())
  }
  return hex
}

/// The network's report about the message with this reference.
func report(
  reference: UInt8, status: UInt8, taken: Int64 = 1_800_000_400, discharged: Int64? = nil,
  quarterHours: Int = 23
) throws -> String {
  func time(_ seconds: Int64) -> ServiceCentreTime? {
    ServiceCentreTime(epochSeconds: seconds, quarterHours: quarterHours)
  }
  let report = SMSStatusReport(
    messageReference: reference, recipient: try Address(gateway), timestamp: time(taken),
    discharge: time(discharged ?? taken), status: status)
  return Hex.encode(try PDU(tpdu: .statusReport(report)).encoded())
}

extension NodeRules {
  /// A post without a server, so that there is never connectivity.
  static var alone: NodeRules {
    var rules = NodeRules()
    rules.gateways = [gateway]
    return rules
  }

  /// A post with a server.
  static var connected: NodeRules {
    var rules = NodeRules.alone
    rules.hasServer = true
    return rules
  }
}

extension NodeInput {
  /// The first modem can send.
  static var modemReady: NodeInput {
    .modem(ModemID(0), .status(ModemStatus(state: .ready, port: "/dev/modem", canSend: true)))
  }

  /// The first modem says what became of a text.
  static func outcome(_ id: Int64, _ outcome: SendOutcome) -> NodeInput {
    .modem(ModemID(0), .sendOutcome(id: id, outcome))
  }

  /// The first modem received something.
  static func received(_ hex: String, token: UInt64) -> NodeInput {
    .modem(ModemID(0), .received(InboundPDU(token: token, hex: hex)))
  }
}

extension SendOutcome {
  static let networkOutOfOrder = SendOutcome.refused(ModemError(.cms, code: 38))
}

extension ModemRequest {
  /// The text that is to be sent.
  var text: OutgoingText? {
    if case .send(let text) = self { text } else { nil }
  }

  /// The token that is confirmed.
  var token: UInt64? {
    if case .confirmStored(let token) = self { token } else { nil }
  }
}

extension [NodeOutput] {
  var requests: [ModemRequest] {
    compactMap { if case .modem(_, let request) = $0 { request } else { nil } }
  }

  /// The texts that are to be sent.
  var texts: [OutgoingText] { requests.compactMap(\.text) }

  /// The tokens of what the modem may forget.
  var tokens: [UInt64] { requests.compactMap(\.token) }

  var events: [Event] {
    compactMap { if case .log(let event) = $0 { event } else { nil } }
  }

  var probes: [UInt64] {
    compactMap { if case .call(let id, .probe, _) = $0 { id } else { nil } }
  }

  /// Whether each request to record was taken, by its number.
  var recordings: [Int64: Bool] {
    var answers: [Int64: Bool] = [:]
    for case .recorded(let id, let result) in self {
      answers[id] = (try? result.get()) != nil
    }
    return answers
  }
}
