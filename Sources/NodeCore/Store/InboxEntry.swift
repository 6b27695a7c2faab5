public import GSM
public import Time

/// What the network says about an accepted text.
public enum Delivery: String, Hashable, Sendable {
  /// The text is with its recipient.
  case delivered
  /// Not yet; the service centre goes on trying.
  case trying
  /// The service centre has given up.
  case failed
  /// The text's time has run out: the service centre said so, or it said nothing final for as long.
  case expired
}

/// A status report, as far as the store needs it (3GPP TS 23.040 9.2.2.3).
public struct StatusReport: Hashable, Sendable {
  /// TP-MR: the reference that the text was accepted with.
  public var reference: UInt8
  /// TP-RA: the number the text went to.
  public var recipient: String
  /// What the status means for the text.
  public var delivery: Delivery
  /// TP-ST.
  public var status: UInt8
  /// TP-SCTS: when the service centre took the text, by its own clock; nil when it says no time.
  public var takenAt: WallTime?
  /// TP-DT: when it delivered it, or last tried, by the same clock; nil when it says no time.
  public var dischargedAt: WallTime?

  /// A status report.
  public init(
    reference: UInt8, recipient: String, delivery: Delivery, status: UInt8,
    takenAt: WallTime? = nil, dischargedAt: WallTime? = nil
  ) {
    self.reference = reference
    self.recipient = recipient
    self.delivery = delivery
    self.status = status
    self.takenAt = takenAt
    self.dischargedAt = dischargedAt
  }

  /// The end of the number the text went to.
  public var recipientTail: String { phoneTail(recipient) }
}

/// Something that a modem of this node received.
public struct InboxEntry: Hashable, Sendable {
  /// What it turned out to be.
  public enum Content: Hashable, Sendable {
    /// A report on a text that was sent from here.
    case statusReport(StatusReport)
    /// A text from somebody; `sender` is a number or a name.
    case text(sender: String, text: String)
    /// A part of a long text.
    case part(sender: String, text: String, MessagePart)
    /// Octets, or something for an application behind a port; `hex` is all of it.
    case data(sender: String, hex: String)
    /// It switches an indicator, such as that of voice mail. The network may say that its text need
    /// not be kept; then there is none here.
    case indication(sender: String, text: String?)
    /// A PDU that cannot be read; `reason` says why, in words.
    case undecodable(reason: String)
  }

  /// The PDU as the modem gave it, in hex.
  public var pdu: String
  /// What stays the same when the network hands the same message over once more.
  public var identity: String
  /// The name of the modem that received it.
  public var modem: String?
  /// The message class 0 to 3; 0 is for the display and was meant to be shown at once.
  public var messageClass: UInt8?
  /// What the PDU turned out to be.
  public var content: Content

  /// An entry.
  public init(
    pdu: String, identity: String? = nil, modem: String? = nil, messageClass: UInt8? = nil,
    content: Content
  ) {
    self.pdu = pdu
    self.identity = identity ?? pdu
    self.modem = modem
    self.messageClass = messageClass
    self.content = content
  }
}
