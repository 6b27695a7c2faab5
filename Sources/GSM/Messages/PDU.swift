/// Which way a PDU travels; the same two bits mean another message each way.
public enum Direction: String, CaseIterable, Hashable, Sendable {
  /// To the terminal: SMS-DELIVER and SMS-STATUS-REPORT.
  case mobileTerminated = "mt"
  /// From the terminal: SMS-SUBMIT.
  case mobileOriginated = "mo"
}

/// A transfer layer message.
public enum TPDU: Hashable, Sendable {
  /// A text on its way from the terminal to the service centre: SMS-SUBMIT.
  case submit(SMSSubmit)
  /// A text on its way from the service centre to the terminal: SMS-DELIVER.
  case deliver(SMSDeliver)
  /// What became of a text that was submitted before: SMS-STATUS-REPORT.
  case statusReport(SMSStatusReport)

  /// Its octets.
  ///
  /// - Throws: ``PDUError`` when a field of the message cannot be written.
  public func encoded() throws(PDUError) -> [UInt8] {
    switch self {
    case .submit(let message): try message.encoded()
    case .deliver(let message): try message.encoded()
    case .statusReport(let message): try message.encoded()
    }
  }
}

/// A PDU as a modem carries it: the service centre's address, then the TPDU (3GPP TS 27.005 3.1).
public struct PDU: Hashable, Sendable {
  /// The service centre, or nil for the one stored in the SIM.
  public var serviceCentre: Address?
  /// The message.
  public var tpdu: TPDU

  /// A PDU from its parts.
  public init(serviceCentre: Address? = nil, tpdu: TPDU) {
    self.serviceCentre = serviceCentre
    self.tpdu = tpdu
  }

  /// Reads a PDU from hexadecimal digits.
  ///
  /// - Parameters:
  ///   - hex: digits of either case.
  ///   - direction: which way the message travels.
  ///   - tpduOnly: whether the SMSC part is missing.
  /// - Throws: ``PDUError``, which names the field that cannot be read.
  public static func decode(
    hex: some StringProtocol, direction: Direction, tpduOnly: Bool = false
  ) throws(PDUError) -> PDU {
    try decode(Hex.decode(hex), direction: direction, tpduOnly: tpduOnly)
  }

  /// Reads a PDU from octets. Total: any octets give a message or an error that names the field.
  ///
  /// - Throws: ``PDUError``, which names the field that cannot be read.
  public static func decode(
    _ octets: [UInt8], direction: Direction, tpduOnly: Bool = false
  ) throws(PDUError) -> PDU {
    guard octets.count <= Limits.pduOctets else { throw .tooLong(octets: octets.count) }
    var reader = OctetReader(octets)
    let serviceCentre = tpduOnly ? nil : try Address.serviceCentre(reading: &reader)
    let first = try reader.next("first octet")
    let tpdu: TPDU
    switch (direction, first & 0x03) {
    case (.mobileTerminated, 0x00):
      tpdu = .deliver(try SMSDeliver(first: first, reading: &reader))
    case (.mobileTerminated, 0x02):
      tpdu = .statusReport(try SMSStatusReport(first: first, reading: &reader))
    case (.mobileTerminated, 0x01):
      throw .unsupportedType("SMS-SUBMIT-REPORT")
    case (.mobileOriginated, 0x01):
      tpdu = .submit(try SMSSubmit(first: first, reading: &reader))
    case (.mobileOriginated, 0x00):
      throw .unsupportedType("SMS-DELIVER-REPORT")
    case (.mobileOriginated, 0x02):
      throw .unsupportedType("SMS-COMMAND")
    default:
      throw .unsupportedType("a reserved message type")
    }
    return PDU(serviceCentre: serviceCentre, tpdu: tpdu)
  }

  /// The octets, SMSC part first.
  ///
  /// - Throws: ``PDUError`` when a field of the message cannot be written.
  public func encoded() throws(PDUError) -> [UInt8] {
    try (serviceCentre?.encodedAsServiceCentre() ?? [0]) + tpdu.encoded()
  }
}
