import GSM
import Testing

/// 3GPP TS 23.040 9.1.2.5 and 3GPP TS 24.011 8.2.5.
struct AddressTests {
  /// The address as it stands in a message: after first octet and reference of an SMS-SUBMIT.
  private func octets(_ address: Address) throws -> String {
    let message = SMSSubmit(to: address, userData: UserData(text: ""))
    return Hex.encode(try message.encoded().dropFirst(2).dropLast(3))
  }

  private func address(_ hex: String) throws -> Address {
    let pdu = try PDU.decode(
      hex: "0100" + hex + "000000", direction: .mobileOriginated, tpduOnly: true)
    guard case .submit(let message) = pdu.tpdu else {
      throw PDUError.unsupportedType("not a submit")
    }
    return message.destination
  }

  @Test(arguments: [
    ("+9779841234567", "0D91799748214365F7"), ("+97798412345", "0B917997482143F5"),
    ("+977984123456", "0C91799748214365"), ("1415", "04814151"), ("121", "038121F1"),
    ("0123", "04811032"), ("*121#", "05811A12FB"), ("7", "0181F7"),
  ])
  func encodesANumber(_ number: String, hex: String) throws {
    #expect(try octets(Address(number)) == hex)
    #expect(try address(hex).number == number)
  }

  @Test func carriesLettersAToCAsTheWireHasThem() throws {
    let known = Address(typeOfNumber: .unknown, digits: "0*#abc9")
    #expect(try octets(known) == "0781A0CBEDF9")
    #expect(try address("0781A0CBEDF9") == known)
  }

  @Test(arguments: [
    (TypeOfNumber.unknown, 0x81), (.international, 0x91), (.national, 0xA1),
    (.networkSpecific, 0xB1), (.subscriber, 0xC1), (.abbreviated, 0xE1), (.reserved, 0xF1),
  ])
  func keepsTheTypeOfNumber(_ type: TypeOfNumber, octet: Int) throws {
    let known = Address(typeOfNumber: type, digits: "9841")
    let hex = "04" + Hex.encode([UInt8(octet)]) + "8914"
    #expect(try octets(known) == hex)
    #expect(try address(hex) == known)
    #expect(known.number == (type == .international ? "+9841" : "9841"))
  }

  @Test func keepsTheNumberingPlan() throws {
    let private9 = try address("04898914")
    #expect(private9.numberingPlan == 9)
    #expect(private9.typeOfNumber == .unknown)
    #expect(try octets(private9) == "04898914")
    #expect(try address("04908914").numberingPlan == 0)
  }

  @Test func stopsAtTheLengthAndNotAtAFiller() throws {
    #expect(try address("06811F32F4").digits == "1234")
    // The filler of an odd number is not looked at at all.
    #expect(try address("03812143").digits == "123")
  }

  @Test(arguments: ["0081", "0091", "00D0"])
  func readsAnAddressWithoutDigits(_ hex: String) throws {
    let nobody = try address(hex)
    #expect(nobody.digits.isEmpty)
    #expect(try octets(nobody) == hex)
  }

  // The length counts useful semi-octets: 7 letters are 49 bits, 13 semi-octets, in 7 octets.
  @Test(arguments: [
    ("A", "02D041"), ("AB", "04D04121"), ("gateway", "0DD0E730BD7C0FE701"),
    ("CHECKPOST", "10D0436471B8843EA754"), ("Checkpost 1", "14D0437479BC86BFE774500C"),
    ("a|b", "07D0E10D500C"),
  ])
  func namesAnAlphanumericSender(_ name: String, hex: String) throws {
    let sender = try Address.alphanumeric(name)
    #expect(sender.isAlphanumeric)
    #expect(sender.number == name)
    #expect(try octets(sender) == hex)
    #expect(try address(hex) == sender)
  }

  @Test func takesNoSpuriousLetterFromAnAlphanumericSender() throws {
    // Some senders count whole octets: 14 semi-octets of a name of 7 letters hold an eighth septet.
    #expect(try address("0ED0E730BD7C0FE701").digits == "gateway@")
    #expect(try address("0DD0E730BD7C0FE701").digits == "gateway")
    #expect(try address("0DD1E730BD7C0FE701").numberingPlan == 1)
  }

  @Test func refusesANameThatDoesNotFit() {
    #expect(throws: PDUError.addressLength(12)) { try Address.alphanumeric("Checkpost 12") }
    #expect(throws: PDUError.addressLength(12)) { try Address.alphanumeric("€€€€€€") }
    #expect(throws: PDUError.emptyAddress) { try Address.alphanumeric("") }
    #expect(throws: PDUError.character("ç", alphabet: "GSM 7-bit")) {
      try Address.alphanumeric("ça")
    }
  }

  @Test func passesOverWhatPeopleWriteBetweenDigits() throws {
    #expect(try Address("+977 984-123 (4567)").number == "+9779841234567")
    #expect(try Address("(01) 4 123 456").number == "014123456")
  }

  @Test func refusesWhatIsNoNumber() {
    #expect(throws: PDUError.emptyAddress) { try Address("") }
    #expect(throws: PDUError.emptyAddress) { try Address("+") }
    #expect(throws: PDUError.emptyAddress) { try Address(" - ") }
    #expect(throws: PDUError.addressCharacter("+")) { try Address("++977") }
    #expect(throws: PDUError.addressCharacter("+")) { try Address("977+1") }
    #expect(throws: PDUError.addressCharacter("x")) { try Address("12x") }
    #expect(throws: PDUError.addressCharacter("१")) { try Address("१२") }
    // A digit with a mark on it sorts between two digits and is none.
    #expect(throws: PDUError.addressCharacter("1\u{301}")) { try Address("1\u{301}2") }
    #expect(throws: PDUError.addressLength(21)) { try Address("+123456789012345678901") }
    #expect(throws: Never.self) { try Address("+12345678901234567890") }
  }

  @Test func refusesToWriteWhatNoAddressCanCarry() {
    let letters = Address(typeOfNumber: .unknown, digits: "12d4")
    #expect(throws: PDUError.addressCharacter("d")) { try octets(letters) }
    let long = Address(typeOfNumber: .unknown, digits: String(repeating: "1", count: 21))
    #expect(throws: PDUError.addressLength(21)) { try octets(long) }
    let name = Address(typeOfNumber: .alphanumeric, numberingPlan: 0, digits: "twelve chars")
    #expect(throws: PDUError.addressLength(12)) { try octets(name) }
  }

  @Test func refusesALengthThatNoAddressHas() {
    #expect(throws: PDUError.addressLength(21)) {
      try address("1591" + String(repeating: "1", count: 22))
    }
    #expect(throws: PDUError.addressLength(255)) {
      try PDU.decode(hex: "04FF91", direction: .mobileTerminated, tpduOnly: true)
    }
  }
}

/// The address in front of the message, whose length counts octets.
struct ServiceCentreAddressTests {
  private static let rest = "0100" + "0081" + "000000"

  private func serviceCentre(_ hex: String) throws -> Address? {
    try PDU.decode(hex: hex + Self.rest, direction: .mobileOriginated).serviceCentre
  }

  @Test(arguments: [
    ("+9779800000001", "0891799708000000F1"), ("+977980000001", "0791799708000010"),
    ("1234", "03812143"),
  ])
  func readsAndWritesANumber(_ number: String, hex: String) throws {
    let centre = try #require(try serviceCentre(hex))
    #expect(centre.number == number)
    let pdu = try PDU.decode(hex: hex + Self.rest, direction: .mobileOriginated)
    #expect(Hex.encode(try pdu.encoded()) == hex + Self.rest)
  }

  @Test func isNoneWhenItsLengthIsZero() throws {
    #expect(try serviceCentre("00") == nil)
  }

  @Test func mayHaveNoDigits() throws {
    let centre = try #require(try serviceCentre("0191"))
    #expect(centre.digits.isEmpty)
  }

  @Test func takesTypeFiveForAShortCodeAndNotForAName() throws {
    // 3GPP TS 24.008 10.5.4.7: in this address type 5 is a dedicated access number, in digits.
    let centre = try #require(try serviceCentre("03D02143"))
    #expect(centre.digits == "1234")
    let pdu = try PDU.decode(hex: "03D02143" + Self.rest, direction: .mobileOriginated)
    #expect(Hex.encode(try pdu.encoded()) == "03D02143" + Self.rest)
  }

  @Test func refusesALengthThatNoAddressHas() {
    #expect(throws: PDUError.addressLength(22)) {
      try serviceCentre("0C91" + String(repeating: "11", count: 11))
    }
  }
}
