import GSM

/// Messages that are typed as text (3GPP TS 27.005 3.5.1, `+CMGF=1`).
extension SimulatedModem {
  /// The message of a body and a recipient as they were typed, with the parameters of `+CSMP`; nil
  /// when it is none.
  func textSubmit(_ body: [UInt8], _ request: BodyRequest) -> SMSSubmit? {
    guard let number = characterSet.text([UInt8](request.recipient.utf8)),
      let destination = recipient(number, type: request.recipientType)
    else { return nil }
    let coding = DataCoding(octet: textParameters.coding)
    var submit = SMSSubmit(
      to: destination, userData: UserData(content: .octets([])), coding: coding,
      requestsStatusReport: textParameters.firstOctet & 0x20 != 0,
      validity: textParameters.firstOctet & 0x10 != 0
        ? .relative(textParameters.validity) : nil,
      rejectsDuplicates: textParameters.firstOctet & 0x04 != 0,
      replyPath: textParameters.firstOctet & 0x80 != 0,
      protocolIdentifier: textParameters.protocolIdentifier)
    if textParameters.firstOctet & 0x40 != 0 { return withHeader(submit, body) }
    switch coding.alphabet {
    case .gsm7:
      guard let text = characterSet.text(body), let septets = GSMText.septets(text) else {
        return nil
      }
      submit.userData = UserData(content: .gsm7(septets))
    case .eightBit:
      guard let octets = try? Hex.decode(utf8: body) else { return nil }
      submit.userData = UserData(content: .octets(octets))
    case .ucs2:
      guard let text = CharacterSet.ucs2.text(body) else { return nil }
      submit.userData = UserData(content: .ucs2(Array(text.utf16)))
    }
    return (try? submit.encoded()) == nil ? nil : submit
  }

  /// A stored message may be without a recipient, which comes when it is sent.
  private func recipient(_ number: String, type: Int?) -> Address? {
    number.isEmpty
      ? Address(typeOfNumber: .unknown, digits: "")
      : SimulatedModem.address(number, type: type)
  }

  /// The message whose body is the octets of TP-UD, header first, in hexadecimal digits.
  private func withHeader(_ submit: SMSSubmit, _ body: [UInt8]) -> SMSSubmit? {
    guard let data = try? Hex.decode(utf8: body), let head = data.first,
      var octets = try? submit.encoded(), data.count <= GSM.Limits.userDataOctets
    else { return nil }
    // What is left of the octets behind the header, in septets.
    let headSeptets = (Int(head) * 8 + 8 + 6) / 7
    let units =
      submit.coding.alphabet == .gsm7
      ? headSeptets + (data.count * 8 - headSeptets * 7) / 7 : data.count
    octets[0] |= 0x40
    octets[octets.count - 1] = UInt8(clamping: max(0, units))
    guard let decoded = try? PDU.decode([0] + octets + data, direction: .mobileOriginated),
      case .submit(let message) = decoded.tpdu
    else { return nil }
    return message
  }
}
