/// The place of a part in a long message, as it is written down while the others are awaited.
public struct MessagePart: Hashable, Sendable {
  /// What all parts of the message share: sender, reference with its width, and number of parts. Cheap
  /// senders come round to the same one.
  public var key: String
  /// Which one this is, counted from 1.
  public var part: Int
  /// How many there are.
  public var total: Int

  /// A place in the long message of that key.
  public init(key: String, part: Int, total: Int) {
    self.key = key
    self.part = part
    self.total = total
  }

  /// The place that a header names.
  init(_ place: Concatenation, from sender: String) {
    let width = place.is16Bit ? 16 : 8
    self.init(
      key: "\(sender)/\(place.reference)/\(width)/\(place.total)", part: Int(place.part),
      total: Int(place.total))
  }
}

/// A PDU that a modem received, read once on its way: what it is, who sent it, and what tells it from
/// others. Any text makes one; what cannot be read says why.
public struct ReceivedPDU: Hashable, Sendable {
  /// What a PDU turns out to be.
  public enum Content: Hashable, Sendable {
    /// A whole text.
    case text(String)
    /// A part of a long text, with the piece of text in it, which may end inside a character.
    case part(MessagePart, text: String)
    /// Something for an application behind a port.
    case application
    /// Octets, which are no text.
    case octets
    /// It switches an indicator, such as that of voice mail. The network may say that its text need
    /// not be kept; then there is none here.
    case indication(WaitingIndication, text: String?)
    /// A report on a text that was sent from here.
    case statusReport(SMSStatusReport)
    /// It cannot be read.
    case unreadable(PDUError)
  }

  /// SMSC part and TPDU in hexadecimal digits, as the modem gave them.
  public let hex: String
  /// What it is.
  public let content: Content
  /// The message in it; nil for a report, and for what cannot be read.
  public let message: SMSDeliver?
  private let pdu: PDU?

  /// Reads a PDU that travelled to this terminal.
  public init(hex: String) {
    self.hex = hex
    switch Result(catching: { () throws(PDUError) in
      try PDU.decode(hex: hex, direction: .mobileTerminated)
    }) {
    case .failure(let error):
      (pdu, message) = (nil, nil)
      content = .unreadable(error)
    case .success(let read):
      pdu = read
      switch read.tpdu {
      case .deliver(let deliver):
        message = deliver
        content = Content(deliver)
      case .statusReport(let report):
        message = nil
        content = .statusReport(report)
      case .submit:
        message = nil
        content = .unreadable(.unsupportedType("SMS-SUBMIT"))
      }
    }
  }

  /// The number or the name it says it comes from; empty for what is no message.
  public var sender: String { message?.originator.sender ?? "" }

  /// The message class 0 to 3; 0 is for the display and was meant to be shown at once.
  public var messageClass: UInt8? { message?.coding.messageClass }

  /// What stays the same when the network hands the same message over once more; without a time that
  /// is the whole PDU.
  public var identity: String { pdu?.identity ?? hex }

  /// When the service centre took the message, or let go of the text that a report is about.
  public var serviceCentreTime: ServiceCentreTime? {
    if case .statusReport(let report) = content { report.discharge } else { message?.timestamp }
  }

  /// The long message of which these are all the parts; nil when they do not fit together.
  public static func joined(_ parts: [ReceivedPDU]) -> SMSDeliver? {
    let messages = parts.compactMap(\.message)
    return messages.count == parts.count ? SMSDeliver.joined(messages) : nil
  }
}

extension ReceivedPDU.Content {
  /// What a message is. One that switches an indicator is that first, whatever it carries.
  init(_ message: SMSDeliver) {
    let data = message.userData
    if let indication = message.coding.waitingIndication {
      self = .indication(indication, text: indication.discards ? nil : data.text)
    } else if data.header?.ports != nil {
      self = .application
    } else if let text = data.text {
      if let place = data.header?.concatenation, place.total > 1 {
        self = .part(MessagePart(place, from: message.originator.number), text: text)
      } else {
        self = .text(text)
      }
    } else {
      self = .octets
    }
  }
}
