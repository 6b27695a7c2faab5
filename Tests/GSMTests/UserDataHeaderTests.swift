import GSM
import Testing

/// 3GPP TS 23.040 9.2.3.24.
struct UserDataHeaderTests {
  /// A delivery with a header: DCS, TP-UDL and TP-UD as given.
  private func userData(_ coding: String, _ tail: String) throws -> UserData {
    let pdu = try PDU.decode(
      hex: "44008100" + coding + "62304180509032" + tail,
      direction: .mobileTerminated, tpduOnly: true)
    guard case .deliver(let message) = pdu.tpdu else {
      throw PDUError.unsupportedType("not a delivery")
    }
    return message.userData
  }

  // Six octets are 48 bits: seven septets with one bit of fill.
  @Test func alignsBehindAnEightBitReference() throws {
    let data = try userData("00", "0C" + "050003CC0201" + "D06536FB0D")
    #expect(data.text == "hello")
    #expect(data.header?.concatenation == Concatenation(reference: 0xCC, total: 2, part: 1))
  }

  // Seven octets are 56 bits: eight septets and no fill, and the first letter is not lost.
  @Test func alignsBehindASixteenBitReference() throws {
    let data = try userData("00", "0E" + "060804BEEF0302" + "C8329BFD6601")
    #expect(data.text == "Hello,")
    #expect(
      data.header?.concatenation
        == Concatenation(reference: 0xBEEF, is16Bit: true, total: 3, part: 2))
  }

  @Test func fillsUpBehindEveryLengthOfHeader() throws {
    for length in 0...130 {
      let header = UserDataHeader(
        elements: length < 2
          ? []
          : [
            InformationElement(identifier: 0x70, octets: .init(repeating: 0xA5, count: length - 2))
          ]
      )
      let data = UserData(header: header, content: .gsm7([0x68, 0x69, 0x1B, 0x65, 0x00]))
      let message = SMSDeliver(
        from: Address(typeOfNumber: .unknown, digits: ""), userData: data, timestamp: nil)
      let octets = try message.encoded()
      let pdu = try PDU.decode(octets, direction: .mobileTerminated, tpduOnly: true)
      #expect(pdu.tpdu == .deliver(message), "header of \(length) octets")
    }
  }

  @Test func hasNoFillBeforeOctets() throws {
    let binary = try userData("04", "0B" + "0605040B8423F0" + "01020304")
    #expect(binary.data == [1, 2, 3, 4])
    #expect(binary.text == nil)
    let units = try userData("08", "0A" + "050003010201" + "00480069")
    #expect(units.text == "Hi")
  }

  @Test func readsPorts() throws {
    let wide = try userData("04", "0B" + "0605040B8423F0" + "01020304")
    #expect(wide.header?.ports?.destination == 2_948)
    #expect(wide.header?.ports?.source == 9_200)
    let narrow = try userData("04", "05" + "040402F0F1")
    #expect(narrow.header?.ports?.destination == 0xF0)
    #expect(narrow.header?.ports?.source == 0xF1)
    #expect(UserDataHeader().ports == nil)
  }

  // Part 0, a part beyond the total and a total of 0: the element is to be ignored.
  @Test(arguments: ["050003CC0200", "050003CC0203", "050003CC0000", "050003CC0001"])
  func ignoresAPlaceThatCannotBe(_ header: String) throws {
    let data = try userData("00", "0C" + header + "D06536FB0D")
    #expect(data.header?.concatenation == nil)
    #expect(data.text == "hello")
  }

  @Test func ignoresAnElementOfTheWrongLength() {
    let elements = [
      InformationElement(identifier: 0x00, octets: [1, 2]),
      InformationElement(identifier: 0x08, octets: [1, 2, 1]),
      InformationElement(identifier: 0x24, octets: []),
      InformationElement(identifier: 0x25, octets: [1, 1]),
      InformationElement(identifier: 0x04, octets: [1]),
    ]
    let header = UserDataHeader(elements: elements)
    #expect(header.concatenation == nil)
    #expect(header.tables == .standard)
    #expect(header.ports == nil)
  }

  @Test func takesTheLastOfSeveralPlaces() {
    let elements = [
      InformationElement(identifier: 0x00, octets: [1, 2, 1]),
      InformationElement(identifier: 0x08, octets: [0, 9, 3, 2]),
      InformationElement(identifier: 0x00, octets: [7, 2, 0]),
    ]
    #expect(
      UserDataHeader(elements: elements).concatenation
        == Concatenation(reference: 9, is16Bit: true, total: 3, part: 2))
  }

  // An element nobody knows is passed over by its own length and kept.
  @Test func passesOverWhatItDoesNotKnow() throws {
    let data = try userData("00", "0D" + "0A7003AABBCC" + "0003CC0201" + "00")
    #expect(data.header?.elements.map(\.identifier) == [0x70, 0x00])
    #expect(data.header?.elements.first?.octets == [0xAA, 0xBB, 0xCC])
    #expect(data.header?.concatenation?.part == 1)
  }

  @Test func keepsWhatStandsBeforeAnElementThatIsCut() throws {
    let pdu = try PDU.decode(
      hex: "4400810004" + "62304180509032" + "0A" + "070003CC0201" + "700A" + "0102",
      direction: .mobileTerminated, tpduOnly: true)
    guard case .deliver(let message) = pdu.tpdu else {
      Issue.record("not a delivery")
      return
    }
    #expect(message.userData.header?.elements.count == 1)
    #expect(message.userData.header?.concatenation?.total == 2)
    #expect(message.userData.data == [1, 2])
  }

  @Test func refusesAHeaderLongerThanTheData() {
    for tail in ["0506", "050500030102", "01" + "05"] {
      #expect(throws: PDUError.self) {
        try PDU.decode(
          hex: "4400810000" + "62304180509032" + tail, direction: .mobileTerminated,
          tpduOnly: true)
      }
    }
    #expect(throws: PDUError.headerLength(200)) {
      try PDU.decode(
        hex: "4400810000" + "62304180509032" + "05" + "C800030102", direction: .mobileTerminated,
        tpduOnly: true)
    }
  }

  @Test func mayHaveAHeaderAndNothingElse() throws {
    let data = try userData("00", "07" + "050003CC0201" + "00")
    #expect(data.text == "")
    #expect(data.header?.concatenation?.part == 1)
    let none = try userData("00", "00")
    #expect(none.text == "")
  }

  @Test func readsNationalTables() throws {
    // Turkish locking: 07 ı; Spanish single: ESC 61 á.
    let header = UserDataHeader(
      concatenation: nil, tables: ShiftTables(locking: .turkish, single: .spanish))
    #expect(header.elements.map(\.identifier) == [0x24, 0x25])
    #expect(header.tables == ShiftTables(locking: .turkish, single: .spanish))
    let data = UserData(header: header, content: .gsm7([0x07, 0x1B, 0x61]))
    #expect(data.text == "ıá")
    let stranger = UserDataHeader(
      elements: [InformationElement(identifier: 0x25, octets: [0x77])])
    #expect(stranger.tables == .standard)
  }

  @Test func keepsAnEightBitReferenceToEightBits() {
    #expect(Concatenation(reference: 0x1234, total: 2, part: 1).reference == 0x34)
    #expect(Concatenation(reference: 0x1234, is16Bit: true, total: 2, part: 1).reference == 0x1234)
  }
}
