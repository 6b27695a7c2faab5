import GSM
import PassageStore

/// What a PDU that came in at this node turns out to be.
enum InboundDecoding {
  static func content(of hex: String) -> InboxEntry.Content {
    let pdu: PDU
    do {
      pdu = try PDU.decode(hex: hex, direction: .mobileTerminated)
    } catch {
      return .undecodable(reason: error.code)
    }
    switch pdu.tpdu {
    case .statusReport(let report):
      return .statusReport(
        StatusReport(
          reference: report.messageReference, recipient: report.recipient.number,
          delivery: Delivery(report.delivery), status: report.status))
    case .deliver(let message):
      let text = message.userData.text ?? Hex.encode(message.userData.data ?? [])
      return .text(sender: message.originator.number, text: text)
    case .submit:
      return .undecodable(reason: "a message of the sending direction")
    }
  }
}

extension Delivery {
  init(_ status: DeliveryStatus) {
    switch status {
    case .delivered: self = .delivered
    // What is reserved is not final: a report that comes later may still say more.
    case .pending, .unknown: self = .trying
    case .failed, .expired: self = .failed
    }
  }
}
