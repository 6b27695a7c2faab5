/// SMS-SUBMIT: a message on its way from the terminal (3GPP TS 23.040 9.2.2.2).
public struct SMSSubmit: Hashable, Sendable {
  /// TP-RD: the service centre rejects a second message with the same reference and destination.
  public var rejectsDuplicates: Bool
  /// TP-SRR: a status report is asked for.
  public var requestsStatusReport: Bool
  /// TP-RP: a reply path is set.
  public var replyPath: Bool
  /// TP-MR; a modem puts its own in, so 0 is written and the answer's number counts.
  public var messageReference: UInt8
  /// TP-DA.
  public var destination: Address
  /// TP-PID.
  public var protocolIdentifier: UInt8
  /// TP-DCS.
  public var coding: DataCoding
  /// TP-VP, or nil for the network's own choice.
  public var validity: ValidityPeriod?
  /// TP-UD.
  public var userData: UserData

  /// A message with one part.
  public init(
    to destination: Address, userData: UserData, coding: DataCoding? = nil,
    requestsStatusReport: Bool = false, validity: ValidityPeriod? = nil,
    rejectsDuplicates: Bool = false, replyPath: Bool = false, messageReference: UInt8 = 0,
    protocolIdentifier: UInt8 = 0
  ) {
    self.destination = destination
    self.userData = userData
    self.coding = coding ?? DataCoding(alphabet: userData.alphabet)
    self.requestsStatusReport = requestsStatusReport
    self.validity = validity
    self.rejectsDuplicates = rejectsDuplicates
    self.replyPath = replyPath
    self.messageReference = messageReference
    self.protocolIdentifier = protocolIdentifier
  }

  /// The octets of the TPDU.
  ///
  /// - Throws: ``PDUError`` when an address or the text cannot be written.
  public func encoded() throws(PDUError) -> [UInt8] {
    var first: UInt8 = 0x01 | (validity?.format ?? 0)
    if rejectsDuplicates { first |= 0x04 }
    if requestsStatusReport { first |= 0x20 }
    if userData.header != nil { first |= 0x40 }
    if replyPath { first |= 0x80 }
    return try [first, messageReference] + destination.encoded()
      + [protocolIdentifier, coding.octet] + (validity?.encoded() ?? []) + userData.encoded()
  }

  init(first: UInt8, reading reader: inout OctetReader) throws(PDUError) {
    rejectsDuplicates = first & 0x04 != 0
    requestsStatusReport = first & 0x20 != 0
    replyPath = first & 0x80 != 0
    messageReference = try reader.next("message reference")
    destination = try Address(reading: &reader, field: "destination address")
    protocolIdentifier = try reader.next("protocol identifier")
    coding = DataCoding(octet: try reader.next("data coding scheme"))
    validity = try ValidityPeriod(format: first, reading: &reader)
    userData = try UserData(reading: &reader, coding: coding, hasHeader: first & 0x40 != 0)
  }
}
