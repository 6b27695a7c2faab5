import GSM

/// A message as text mode shows it (3GPP TS 27.005 3.4, 3.5).
struct TextForm {
  private let message: MessageStorage.Message
  private let tpdu: TPDU?
  private let set: CharacterSet
  /// Whether `+CSDH=1` asks for everything.
  private let isLong: Bool

  init(_ message: MessageStorage.Message, _ set: CharacterSet, isLong: Bool) {
    self.message = message
    self.set = set
    self.isLong = isLong
    tpdu =
      try? PDU.decode(
        message.pdu, direction: message.state.isReceived ? .mobileTerminated : .mobileOriginated
      ).tpdu
  }

  /// What stands after `+CMGL: <index>,` or `+CMGR: `.
  func stored(isList: Bool) -> [UInt8] {
    let state = quoted(ascii: message.state.text)
    switch tpdu {
    case .deliver(let deliver):
      var fields = [state, quoted(deliver.originator), [], quoted(time: deliver.timestamp)]
      if isLong { fields += isList ? length(deliver.originator) : details(deliver) }
      return joined(fields)
    case .submit(let submit):
      var fields = [state, quoted(submit.destination), []]
      if isLong {
        fields += isList ? [[]] + length(submit.destination) : details(submit)
      }
      return joined(fields)
    case .statusReport(let report): return joined([state] + fields(of: report))
    case nil: return joined([state, quoted(ascii: ""), []])
    }
  }

  /// What stands after `+CMT: ` or `+CDS: `.
  var handedOver: [UInt8] {
    switch tpdu {
    case .deliver(let deliver):
      joined(
        [quoted(deliver.originator), [], quoted(time: deliver.timestamp)]
          + (isLong ? details(deliver) : []))
    case .statusReport(let report): joined(fields(of: report))
    case .submit, nil: joined([quoted(ascii: ""), [], quoted(ascii: "")])
    }
  }

  /// The lines after the header: the text, or none for a status report.
  var body: [[UInt8]] {
    switch tpdu {
    case .deliver(let deliver): [shown(deliver.userData)]
    case .submit(let submit): [shown(submit.userData)]
    case .statusReport, nil: []
    }
  }

  /// Text of the 7-bit alphabet in the chosen character set; anything else, and whatever has a
  /// header, as hexadecimal digits of its octets (3GPP TS 27.005 3.1, `<data>`).
  private func shown(_ data: UserData) -> [UInt8] {
    if data.header == nil, case .gsm7 = data.content { return set.bytes(data.text ?? "") }
    return [UInt8](Hex.encode(userDataOctets).utf8)
  }

  private var userDataOctets: ArraySlice<UInt8> {
    UserDataPlace(message.tpdu[...], isDeliver: message.state.isReceived)?.octets ?? []
  }

  // MARK: Fields

  private func fields(of report: SMSStatusReport) -> [[UInt8]] {
    [
      number(message.tpdu.first ?? 0), number(report.messageReference), quoted(report.recipient),
      number(type(report.recipient)), quoted(time: report.timestamp),
      quoted(time: report.discharge), number(report.status),
    ]
  }

  private func details(_ deliver: SMSDeliver) -> [[UInt8]] {
    [
      number(type(deliver.originator)), number(message.tpdu.first ?? 0),
      number(deliver.protocolIdentifier), number(deliver.coding.octet),
    ] + centreAndLength(deliver.userData)
  }

  private func details(_ submit: SMSSubmit) -> [[UInt8]] {
    var validity: [UInt8] = []
    if case .relative(let period) = submit.validity { validity = number(period) }
    return [
      number(type(submit.destination)), number(message.tpdu.first ?? 0),
      number(submit.protocolIdentifier), number(submit.coding.octet), validity,
    ] + centreAndLength(submit.userData)
  }

  private func centreAndLength(_ data: UserData) -> [[UInt8]] {
    let direction: Direction = message.state.isReceived ? .mobileTerminated : .mobileOriginated
    let centre = (try? PDU.decode(message.pdu, direction: direction))?.serviceCentre
    return [
      quoted(centre), number(centre.map(type) ?? 129), number(UInt8(clamping: size(data))),
    ]
  }

  private func length(_ address: Address) -> [[UInt8]] {
    let data: UserData? =
      switch tpdu {
      case .deliver(let deliver): deliver.userData
      case .submit(let submit): submit.userData
      case .statusReport, nil: nil
      }
    return [number(type(address)), number(UInt8(clamping: data.map(size) ?? 0))]
  }

  /// Characters of text, or octets.
  private func size(_ data: UserData) -> Int {
    switch data.content {
    case .gsm7(let septets): septets.count
    case .octets(let octets): octets.count
    case .ucs2(let units): units.count
    }
  }

  private func type(_ address: Address) -> UInt8 {
    0x80 | address.typeOfNumber.rawValue << 4 | address.numberingPlan
  }

  private func quoted(_ address: Address?) -> [UInt8] {
    [0x22] + set.bytes(address?.number ?? "") + [0x22]
  }

  private func quoted(time: ServiceCentreTime?) -> [UInt8] {
    quoted(ascii: time?.text ?? "")
  }

  private func quoted(ascii text: String) -> [UInt8] {
    [0x22] + [UInt8](text.utf8) + [0x22]
  }

  private func number(_ value: UInt8) -> [UInt8] {
    [UInt8](String(value).utf8)
  }

  private func joined(_ fields: [[UInt8]]) -> [UInt8] {
    Array(fields.joined(separator: [0x2C]))
  }
}
