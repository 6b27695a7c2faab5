import GSM
import Testing

/// What a PDU that came in is, for node and central alike.
@Suite struct ReceivedPDUTests {
  private func received(
    _ content: UserContent, coding: DataCoding? = nil, header: UserDataHeader? = nil,
    from sender: String = "+9779801000001", hasTime: Bool = true
  ) throws -> ReceivedPDU {
    let message = SMSDeliver(
      from: try Address(sender), userData: UserData(header: header, content: content),
      timestamp: hasTime ? ServiceCentreTime(epochSeconds: 1_800_000_000, quarterHours: 23) : nil,
      coding: coding)
    return ReceivedPDU(hex: Hex.encode(try PDU(tpdu: .deliver(message)).encoded()))
  }

  private func part(
    _ units: [UInt16], _ number: UInt8, of total: UInt8 = 2, from sender: String = "+9779801000001"
  ) throws -> ReceivedPDU {
    let place = Concatenation(reference: 9, total: total, part: number)
    return try received(
      .ucs2(units), header: UserDataHeader(concatenation: place), from: sender)
  }

  @Test func aTextIsRead() throws {
    let pdu = try received(UserData(text: "hello").content)
    #expect(pdu.content == .text("hello"))
    #expect(pdu.sender == "+9779801000001")
    #expect(pdu.messageClass == nil)
    #expect(pdu.serviceCentreTime?.epochSeconds == 1_800_000_000)
    #expect(pdu.identity != pdu.hex)
  }

  @Test func withoutATimeTheWholePDUTellsItFromOthers() throws {
    let pdu = try received(UserData(text: "hello").content, hasTime: false)
    #expect(pdu.identity == pdu.hex)
  }

  @Test func octetsAreNoText() throws {
    #expect(try received(.octets([1, 2, 3])).content == .octets)
  }

  @Test func whatIsForAPortIsNoText() throws {
    let header = UserDataHeader(elements: [
      InformationElement(identifier: 0x05, octets: [0x0B, 0x84, 0x23, 0xF0])
    ])
    #expect(try received(UserData(text: "x").content, header: header).content == .application)
  }

  @Test(arguments: [(UInt8(0xC8), nil as String?), (0xD8, "voice")])
  func anIndicatorKeepsItsTextUnlessItNeedNotBe(_ octet: UInt8, _ text: String?) throws {
    let pdu = try received(
      UserData(text: "voice").content, coding: DataCoding(octet: octet))
    guard case .indication(let indication, let kept) = pdu.content else {
      Issue.record("no indication: \(pdu.content)")
      return
    }
    #expect(indication.isActive)
    #expect(kept == text)
  }

  @Test func theClassStandsBesideTheText() throws {
    let pdu = try received(UserData(text: "flash").content, coding: DataCoding(octet: 0x10))
    #expect(pdu.content == .text("flash"))
    #expect(pdu.messageClass == 0)
  }

  @Test func aReportIsOne() throws {
    let report = SMSStatusReport(
      messageReference: 3, recipient: try Address("+9779801000001"), timestamp: nil,
      discharge: ServiceCentreTime(epochSeconds: 1_800_000_009, quarterHours: 23), status: 0)
    let pdu = ReceivedPDU(hex: Hex.encode(try PDU(tpdu: .statusReport(report)).encoded()))
    #expect(pdu.content == .statusReport(report))
    #expect(pdu.serviceCentreTime == report.discharge)
    #expect(pdu.sender.isEmpty)
  }

  @Test(arguments: ["", "zz", "0791", "0001"])
  func whatCannotBeReadSaysWhy(_ hex: String) {
    let pdu = ReceivedPDU(hex: hex)
    guard case .unreadable(let error) = pdu.content else {
      Issue.record("read: \(pdu.content)")
      return
    }
    #expect(!error.code.isEmpty)
    #expect(pdu.identity == hex)
    #expect(pdu.message == nil)
  }

  @Test func partsAreJoinedBeforeTheyAreRead() throws {
    let units = Array("x\u{1F697}y".utf16)
    let parts = [try part(Array(units[..<2]), 1), try part(Array(units[2...]), 2)]
    guard case .part(let place, let piece) = parts[1].content else {
      Issue.record("no part: \(parts[1].content)")
      return
    }
    #expect(place == MessagePart(key: "+9779801000001/9/8/2", part: 2, total: 2))
    #expect(piece.hasSuffix("y"))
    #expect(ReceivedPDU.joined(parts)?.userData.text == "x\u{1F697}y")
  }

  @Test func whatDoesNotFitTogetherIsNotJoined() throws {
    let one = try part([0x78], 1)
    #expect(ReceivedPDU.joined([one]) == nil)
    #expect(ReceivedPDU.joined([one, try part([0x79], 2, from: "+9779801000002")]) == nil)
    #expect(ReceivedPDU.joined([one, ReceivedPDU(hex: "")]) == nil)
  }

  @Test func twoSendersHaveTwoKeys() throws {
    guard case .part(let one, _) = try part([0x78], 1).content,
      case .part(let other, _) = try part([0x78], 1, from: "+9779801000002").content,
      case .part(let longer, _) = try part([0x78], 1, of: 3).content
    else {
      Issue.record("no parts")
      return
    }
    #expect(Set([one.key, other.key, longer.key]).count == 3)
  }
}
