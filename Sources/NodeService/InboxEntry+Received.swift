import GSM
import NodeCore
import Time

extension InboxEntry {
  /// What a PDU that came in at this node is to its inbox.
  init(_ pdu: ReceivedPDU, modem: String?) {
    let content: Content =
      switch pdu.content {
      case .text(let text): .text(sender: pdu.sender, text: text)
      case .part(let place, let text):
        .part(sender: pdu.sender, text: text, place)
      case .application, .octets: .data(sender: pdu.sender, hex: pdu.message?.octets ?? "")
      case .indication(_, let text): .indication(sender: pdu.sender, text: text)
      case .statusReport(let report): .statusReport(StatusReport(report))
      case .unreadable(let error): .undecodable(reason: error.code)
      }
    self.init(
      pdu: pdu.hex, identity: pdu.identity, modem: modem, messageClass: pdu.messageClass,
      content: content)
  }
}

extension SMSDeliver {
  /// What a long message says, or all its octets when that is no text.
  var textOrOctets: String { userData.text ?? octets }

  /// All of what is for an application in hex: the header, when there is one, and the content.
  fileprivate var octets: String {
    Hex.encode((try? userData.encoded()) ?? userData.data ?? [])
  }
}

extension StatusReport {
  /// A report as the network gave it.
  fileprivate init(_ report: SMSStatusReport) {
    self.init(
      reference: report.messageReference, recipient: report.recipient.number,
      delivery: Delivery(report), status: report.status,
      takenAt: report.timestamp.map { WallTime(epochSeconds: $0.epochSeconds) },
      dischargedAt: report.discharge.map { WallTime(epochSeconds: $0.epochSeconds) })
  }
}

extension Delivery {
  /// TP-ST for a text: 0x46 says that its validity has run out (3GPP TS 23.040 9.2.3.15).
  fileprivate init(_ report: SMSStatusReport) {
    switch report.delivery {
    case .delivered: self = .delivered
    // What is reserved is not final: a report that comes later may still say more.
    case .pending, .unknown: self = .trying
    case .failed: self = report.status == 0x46 ? .expired : .failed
    case .expired: self = .failed
    }
  }
}
