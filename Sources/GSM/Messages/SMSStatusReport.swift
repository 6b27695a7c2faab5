/// What a status report says of a message (3GPP TS 23.040 9.2.3.15).
public enum DeliveryStatus: String, Hashable, Sendable {
  /// 0x00 to 0x1F: the message is with the recipient, or done with.
  case delivered
  /// 0x20 to 0x3F: not yet, and the service centre still tries.
  case pending
  /// 0x40 to 0x5F: never.
  case failed
  /// 0x60 to 0x7F: not yet, and the service centre has stopped trying.
  case expired
  /// 0x80 to 0xFF: reserved.
  case unknown

  /// The meaning of TP-ST.
  public init(status: UInt8) {
    self =
      switch status {
      case 0x00...0x1F: .delivered
      case 0x20...0x3F: .pending
      case 0x40...0x5F: .failed
      case 0x60...0x7F: .expired
      default: .unknown
      }
  }
}

/// SMS-STATUS-REPORT: what became of a message that was sent (3GPP TS 23.040 9.2.2.3).
public struct SMSStatusReport: Hashable, Sendable {
  /// TP-MR of the message it is about.
  public var messageReference: UInt8
  /// TP-RA: whom that message was for, possibly in another form than it was sent to.
  public var recipient: Address
  /// TP-SCTS: when the service centre took that message.
  public var timestamp: ServiceCentreTime?
  /// TP-DT: when it was delivered or last tried.
  public var discharge: ServiceCentreTime?
  /// TP-ST.
  public var status: UInt8
  /// Whether more messages wait at the service centre.
  public var moreMessagesWait: Bool
  /// TP-SRQ: it is about an SMS-COMMAND instead of a message.
  public var answersCommand: Bool

  /// A report.
  public init(
    messageReference: UInt8, recipient: Address, timestamp: ServiceCentreTime?,
    discharge: ServiceCentreTime?, status: UInt8, moreMessagesWait: Bool = false,
    answersCommand: Bool = false
  ) {
    self.messageReference = messageReference
    self.recipient = recipient
    self.timestamp = timestamp
    self.discharge = discharge
    self.status = status
    self.moreMessagesWait = moreMessagesWait
    self.answersCommand = answersCommand
  }

  /// What the status means.
  public var delivery: DeliveryStatus { DeliveryStatus(status: status) }

  /// The octets of the TPDU, without the optional part.
  ///
  /// - Throws: ``PDUError`` when an address or the text cannot be written.
  public func encoded() throws(PDUError) -> [UInt8] {
    let none = [UInt8](repeating: 0, count: 7)
    let first: UInt8 = 0x02 | (moreMessagesWait ? 0 : 0x04) | (answersCommand ? 0x20 : 0)
    return try [first, messageReference] + recipient.encoded() + (timestamp?.encoded() ?? none)
      + (discharge?.encoded() ?? none) + [status]
  }

  /// Reads the mandatory part; what may follow it (PID, DCS, text) is not used by anyone here.
  init(first: UInt8, reading reader: inout OctetReader) throws(PDUError) {
    moreMessagesWait = first & 0x04 == 0
    answersCommand = first & 0x20 != 0
    messageReference = try reader.next("message reference")
    recipient = try Address(reading: &reader, field: "recipient address")
    timestamp = ServiceCentreTime(octets: try reader.next(7, "time stamp"))
    discharge = ServiceCentreTime(octets: try reader.next(7, "discharge time"))
    status = try reader.next("status")
  }
}
