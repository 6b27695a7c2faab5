import GSM
import NodeSQLite
import Time

/// What a PDU that came in at this node turns out to be.
enum InboundDecoding {
  static func entry(of hex: String, modem: String?) -> InboxEntry {
    let pdu: PDU
    do {
      pdu = try PDU.decode(hex: hex, direction: .mobileTerminated)
    } catch {
      return InboxEntry(pdu: hex, modem: modem, content: .undecodable(reason: error.code))
    }
    var entry = InboxEntry(
      pdu: hex, identity: pdu.identity, modem: modem,
      content: .undecodable(reason: "a message of the sending direction"))
    switch pdu.tpdu {
    case .statusReport(let report):
      entry.content = .statusReport(
        StatusReport(
          reference: report.messageReference, recipient: report.recipient.number,
          delivery: Delivery(report), status: report.status,
          takenAt: report.timestamp.map { WallTime(epochSeconds: $0.epochSeconds) },
          dischargedAt: report.discharge.map { WallTime(epochSeconds: $0.epochSeconds) }))
    case .deliver(let message):
      entry.messageClass = message.coding.messageClass
      entry.content = content(of: message)
    case .submit: break
    }
    return entry
  }

  /// The text of a long message, of the PDUs of all its parts. They are joined before they are read,
  /// because senders do cut inside a surrogate pair.
  static func joined(_ parts: [String]) -> String? {
    var reassembler = Reassembler()
    for hex in parts {
      guard let pdu = try? PDU.decode(hex: hex, direction: .mobileTerminated),
        case .deliver(let message) = pdu.tpdu
      else { return nil }
      if case .complete(let whole) = reassembler.add(message, at: 0) { return text(of: whole) }
    }
    return nil
  }

  private static func content(of message: SMSDeliver) -> InboxEntry.Content {
    let sender = message.originator.number
    if let indication = message.coding.waitingIndication {
      let text = indication.discards ? nil : message.userData.text
      return .indication(sender: sender, text: text)
    }
    guard message.userData.header?.ports == nil, let text = message.userData.text else {
      return .data(sender: sender, hex: octets(of: message))
    }
    guard let place = message.userData.header?.concatenation, place.total > 1 else {
      return .text(sender: sender, text: text)
    }
    let width = place.is16Bit ? 16 : 8
    return .part(
      sender: sender, text: text,
      InboxPart(
        key: "\(sender)/\(place.reference)/\(width)/\(place.total)", part: Int(place.part),
        total: Int(place.total)))
  }

  private static func text(of message: SMSDeliver) -> String {
    message.userData.text ?? octets(of: message)
  }

  /// All of what is for an application: the header, when there is one, and the content.
  private static func octets(of message: SMSDeliver) -> String {
    Hex.encode((try? message.userData.encoded()) ?? message.userData.data ?? [])
  }
}

extension Delivery {
  /// TP-ST for a text: 0x46 says that its validity has run out (3GPP TS 23.040 9.2.3.15).
  init(_ report: SMSStatusReport) {
    switch report.delivery {
    case .delivered: self = .delivered
    // What is reserved is not final: a report that comes later may still say more.
    case .pending, .unknown: self = .trying
    case .failed: self = report.status == 0x46 ? .expired : .failed
    case .expired: self = .failed
    }
  }
}
