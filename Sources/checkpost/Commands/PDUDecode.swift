import ArgumentParser
import Control
import GSM

/// `checkpost pdu decode`: what stands in a PDU.
struct PDUDecode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Read PDUs, as arguments or one a line from standard input.",
    discussion:
      "A PDU that cannot be read is reported and the others are read all the same; then the exit code is 65."
  )

  @Argument(help: "The PDUs in hexadecimal; - reads them from standard input, one a line.")
  var pdus: [String]

  @Option(
    help: ArgumentHelp("Which way they travel: to a modem (mt) or from it (mo).", valueName: "way"))
  var direction = Direction.mobileTerminated

  @Flag(name: .customLong("tpdu"), help: "No SMSC part leads.")
  var isTPDUOnly = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let out = StandardOutput()
    var batch = Batch(noun: "PDU", isJSON: output.isJSON, out: out)
    try InputLines.forEach(pdus) { line in
      switch line {
      case .unreadable(let fault, _):
        try batch.reject(FailedDecoding(error: "not_hexadecimal", message: "\(fault)"))
      case .text(let text):
        try decode(text, direction, &batch, out)
      }
    }
    try batch.finish()
  }

  private func decode(
    _ text: String, _ direction: Direction, _ batch: inout Batch, _ out: StandardOutput
  ) throws {
    let hex = text.filter { !$0.isWhitespace }
    do {
      let pdu = try PDU.decode(hex: hex, direction: direction, tpduOnly: isTPDUOnly)
      let message = DecodedPDU(pdu)
      batch.accept()
      if output.isJSON {
        try out.json(message)
      } else {
        for line in message.lines {
          try out.line(line)
        }
      }
    } catch let error as PDUError {
      try batch.reject(FailedDecoding(error: error.code, message: error.message))
    }
  }
}

/// What stands in a PDU, as `pdu decode --json` shows it. Every key is always there, null where the
/// message has no such thing.
struct DecodedPDU {
  var type: String
  var smsc: String?
  var number: String
  var numberType: String
  var text: String?
  var alphabet: String?
  var data: String?
  var timestamp: String?
  var messageClass: Int?
  var reference: Int?
  var part: Int?
  var parts: Int?
  var partReference: Int?
  var messageReference: Int?
  var status: Int?
  var discharge: String?

  init(_ pdu: PDU) {
    smsc = pdu.serviceCentre?.number
    let address: Address
    switch pdu.tpdu {
    case .deliver(let message):
      type = "deliver"
      address = message.originator
      timestamp = message.timestamp?.rfc3339
      messageClass = message.coding.messageClass.map { Int($0) }
    case .submit(let message):
      type = "submit"
      address = message.destination
      messageClass = message.coding.messageClass.map { Int($0) }
      messageReference = Int(message.messageReference)
    case .statusReport(let message):
      type = "status_report"
      address = message.recipient
      timestamp = message.timestamp?.rfc3339
      messageReference = Int(message.messageReference)
      status = Int(message.status)
      discharge = message.discharge?.rfc3339
    }
    number = address.number
    numberType = address.typeOfNumber.name
    switch pdu.tpdu {
    case .deliver(let message): take(message.userData)
    case .submit(let message): take(message.userData)
    case .statusReport: break
    }
    // The one number by which this message is told from its like.
    reference = messageReference ?? partReference
  }

  private mutating func take(_ userData: UserData) {
    text = userData.text
    alphabet = userData.alphabet.rawValue
    data = userData.data.map { Hex.encode($0) }
    if let place = userData.header?.concatenation {
      part = Int(place.part)
      parts = Int(place.total)
      partReference = Int(place.reference)
    }
  }

  /// What there is, for people.
  var lines: [String] {
    var lines = ["\(type) \(type == "deliver" ? "from" : "to") \(number) (\(numberType))"]
    func add(_ name: String, _ value: String?) {
      if let value {
        lines.append("  \(name): \(value)")
      }
    }
    add("service centre", smsc)
    add("sent", timestamp)
    if let part, let parts, let partReference {
      add("part", "\(part) of \(parts), reference \(partReference)")
    }
    add("class", messageClass.map(String.init))
    add("message reference", messageReference.map(String.init))
    if let status {
      add("status", "\(status) \(DeliveryStatus(status: UInt8(status)).rawValue)")
    }
    add("discharged", discharge)
    add("alphabet", alphabet)
    add("data", data)
    add("text", text)
    return lines
  }
}

extension DecodedPDU: Encodable {
  private enum CodingKeys: String, CodingKey {
    case type, smsc, number, text, alphabet, data, timestamp, reference, part, parts, status
    case discharge
    case numberType = "number_type"
    case messageClass = "class"
    case partReference = "part_reference"
    case messageReference = "message_reference"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .type)
    try container.encode(smsc, forKey: .smsc)
    try container.encode(number, forKey: .number)
    try container.encode(numberType, forKey: .numberType)
    try container.encode(text, forKey: .text)
    try container.encode(alphabet, forKey: .alphabet)
    try container.encode(data, forKey: .data)
    try container.encode(timestamp, forKey: .timestamp)
    try container.encode(messageClass, forKey: .messageClass)
    try container.encode(reference, forKey: .reference)
    try container.encode(part, forKey: .part)
    try container.encode(parts, forKey: .parts)
    try container.encode(partReference, forKey: .partReference)
    try container.encode(messageReference, forKey: .messageReference)
    try container.encode(status, forKey: .status)
    try container.encode(discharge, forKey: .discharge)
  }
}
