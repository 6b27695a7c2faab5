/// SMS-DELIVER: a message on its way to the terminal (3GPP TS 23.040 9.2.2.1).
public struct SMSDeliver: Hashable, Sendable {
  /// Whether more messages wait at the service centre; on the wire TP-MMS has the opposite sense.
  public var moreMessagesWait: Bool
  /// TP-SRI: the sender gets a status report.
  public var statusReportIndication: Bool
  /// TP-RP: a reply path is set.
  public var replyPath: Bool
  /// TP-OA.
  public var originator: Address
  /// TP-PID.
  public var protocolIdentifier: UInt8
  /// TP-DCS.
  public var coding: DataCoding
  /// TP-SCTS, or nil when its octets show no time.
  public var timestamp: ServiceCentreTime?
  /// TP-UD.
  public var userData: UserData

  /// A message as a service centre hands it over.
  public init(
    from originator: Address, userData: UserData, timestamp: ServiceCentreTime?,
    coding: DataCoding? = nil, moreMessagesWait: Bool = false,
    statusReportIndication: Bool = false, replyPath: Bool = false, protocolIdentifier: UInt8 = 0
  ) {
    self.originator = originator
    self.userData = userData
    self.timestamp = timestamp
    self.coding = coding ?? DataCoding(alphabet: userData.alphabet)
    self.moreMessagesWait = moreMessagesWait
    self.statusReportIndication = statusReportIndication
    self.replyPath = replyPath
    self.protocolIdentifier = protocolIdentifier
  }

  /// The octets of the TPDU; a missing time stamp is written as zeros, which show no time.
  ///
  /// - Throws: ``PDUError`` when an address or the text cannot be written.
  public func encoded() throws(PDUError) -> [UInt8] {
    var first: UInt8 = moreMessagesWait ? 0x00 : 0x04
    if statusReportIndication { first |= 0x20 }
    if userData.header != nil { first |= 0x40 }
    if replyPath { first |= 0x80 }
    let time = timestamp?.encoded() ?? [UInt8](repeating: 0, count: 7)
    return try [first] + originator.encoded() + [protocolIdentifier, coding.octet] + time
      + userData.encoded()
  }

  init(first: UInt8, reading reader: inout OctetReader) throws(PDUError) {
    moreMessagesWait = first & 0x04 == 0
    statusReportIndication = first & 0x20 != 0
    replyPath = first & 0x80 != 0
    originator = try Address(reading: &reader, field: "originating address")
    protocolIdentifier = try reader.next("protocol identifier")
    coding = DataCoding(octet: try reader.next("data coding scheme"))
    timestamp = ServiceCentreTime(octets: try reader.next(7, "time stamp"))
    userData = try UserData(reading: &reader, coding: coding, hasHeader: first & 0x40 != 0)
  }
}
