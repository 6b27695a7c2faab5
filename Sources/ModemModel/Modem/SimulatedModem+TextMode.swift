import GSM
import Timing

/// Messages in text mode (3GPP TS 27.005 3, `+CMGF=1`).
extension SimulatedModem {
  /// The message of a text and a number as they are typed.
  func textSubmit(_ text: String, to recipient: String) -> SMSSubmit? {
    let number = characterSet == "UCS2" ? unhexed(recipient) ?? recipient : recipient
    guard let destination = try? Address(number) else { return nil }
    let body = characterSet == "UCS2" ? unhexed(text) ?? text : text
    var options = SubmitOptions()
    options.requestsStatusReport = textParameters[0] & 0x20 != 0
    options.maximumParts = 1
    return try? MessageComposer.messages(text: body, to: destination, options: options).first
  }

  /// What stands after the place in a list, or alone when one message is read.
  func textHeader(_ message: MessageStorage.Message) -> String {
    "\"\(message.state.text)\",\(textAddress(message))"
  }

  /// What stands after `+CMT:`.
  func textDelivery(_ message: MessageStorage.Message) -> String {
    textAddress(message)
  }

  /// The text itself, in the character set that was chosen.
  func textBody(_ message: MessageStorage.Message) -> String {
    let data: UserData? =
      switch decoded(message) {
      case .deliver(let deliver): deliver.userData
      case .submit(let submit): submit.userData
      case .statusReport, nil: nil
      }
    guard let data else { return "" }
    guard let text = data.text else { return Hex.encode(data.data ?? []) }
    return characterSet == "UCS2" ? hexed(text) : text
  }

  private func textAddress(_ message: MessageStorage.Message) -> String {
    func quoted(_ number: String) -> String {
      characterSet == "UCS2" ? "\"\(hexed(number))\"" : "\"\(number)\""
    }
    switch decoded(message) {
    case .deliver(let deliver):
      return "\(quoted(deliver.originator.number)),,\"\(stamp(deliver.timestamp))\""
    case .submit(let submit): return "\(quoted(submit.destination.number)),,"
    case .statusReport(let report):
      return "\(report.messageReference),\(quoted(report.recipient.number)),,"
    case nil: return "\"\",,"
    }
  }

  private func decoded(_ message: MessageStorage.Message) -> TPDU? {
    let isOurs = message.state == .storedSent || message.state == .storedUnsent
    return try? PDU.decode(
      message.pdu, direction: isOurs ? .mobileOriginated : .mobileTerminated
    ).tpdu
  }

  private func stamp(_ time: ServiceCentreTime?) -> String {
    guard let time else { return "" }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let sign = time.quarterHours < 0 ? "-" : "+"
    return "\(two(time.year % 100))/\(two(time.month))/\(two(time.day)),\(two(time.hour)):"
      + "\(two(time.minute)):\(two(time.second))\(sign)\(two(abs(time.quarterHours)))"
  }

  private func hexed(_ text: String) -> String {
    Hex.encode(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  private func unhexed(_ text: String) -> String? {
    guard let octets = try? Hex.decode(text), octets.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: 0, to: octets.count, by: 2).map {
      UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
