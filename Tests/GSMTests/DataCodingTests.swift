import GSM
import Testing

/// 3GPP TS 23.038 4.
struct DataCodingTests {
  @Test(
    arguments: [
      (0x00, Alphabet.gsm7), (0x04, .eightBit), (0x08, .ucs2), (0x0C, .gsm7), (0x11, .gsm7),
      (0x15, .eightBit), (0x19, .ucs2), (0x40, .gsm7), (0x48, .ucs2), (0x54, .eightBit),
      (0x80, .gsm7), (0x88, .gsm7), (0xBF, .gsm7), (0xC0, .gsm7), (0xC8, .gsm7), (0xD8, .gsm7),
      (0xE0, .ucs2), (0xE8, .ucs2), (0xF0, .gsm7), (0xF1, .gsm7), (0xF4, .eightBit),
      (0xF7, .eightBit),
    ] as [(UInt8, Alphabet)])
  func namesTheAlphabet(_ octet: UInt8, _ alphabet: Alphabet) {
    #expect(DataCoding(octet: octet).alphabet == alphabet)
  }

  @Test(
    arguments: [
      (0x00, nil), (0x03, nil), (0x10, 0), (0x11, 1), (0x1A, 2), (0x17, 3), (0x53, 3), (0xC1, nil),
      (0xF0, 0), (0xF1, 1), (0xF6, 2), (0xF3, 3),
    ] as [(UInt8, UInt8?)])
  func namesTheClass(_ octet: UInt8, _ messageClass: UInt8?) {
    #expect(DataCoding(octet: octet).messageClass == messageClass)
  }

  @Test func knowsCompressionOnlyInTheGeneralGroups() {
    #expect(DataCoding(octet: 0x20).isCompressed)
    #expect(DataCoding(octet: 0x60).isCompressed)
    #expect(!DataCoding(octet: 0xE0).isCompressed)
    #expect(!DataCoding(octet: 0xA0).isCompressed)
    #expect(throws: PDUError.compressed) {
      try PDU.decode(
        hex: "0400810020" + "62304180509032" + "00", direction: .mobileTerminated, tpduOnly: true)
    }
  }

  @Test func tellsAWaitingMessage() throws {
    let off = try #require(DataCoding(octet: 0xC0).waitingIndication)
    #expect(off.kind == 0 && !off.isActive && off.discards)
    let fax = try #require(DataCoding(octet: 0xD9).waitingIndication)
    #expect(fax.kind == 1 && fax.isActive && !fax.discards)
    let mail = try #require(DataCoding(octet: 0xEA).waitingIndication)
    #expect(mail.kind == 2 && mail.isActive && !mail.discards)
    #expect(DataCoding(octet: 0x00).waitingIndication == nil)
    #expect(DataCoding(octet: 0xF0).waitingIndication == nil)
  }

  @Test(arguments: Alphabet.allCases)
  func makesTheSchemeOfAnAlphabet(_ alphabet: Alphabet) {
    let plain = DataCoding(alphabet: alphabet)
    #expect(plain.alphabet == alphabet)
    #expect(plain.messageClass == nil)
    for messageClass in UInt8(0)...3 {
      let coding = DataCoding(alphabet: alphabet, messageClass: messageClass)
      #expect(coding.alphabet == alphabet)
      #expect(coding.messageClass == messageClass)
      #expect(!coding.isCompressed)
    }
  }

  // Of F8 to FF networks make what they like; as many octets as TP-UDL says are octets.
  @Test(arguments: [
    // 8 septets in 7 octets.
    ("FB", "08", "31D98C56B3DD70", "12345678"), ("FF", "08", "31D98C56B3DD70", "12345678"),
    // 8 octets are four units.
    ("F9", "08", "0928092E0938094D", "नमस्"), ("FD", "08", "0928092E0938094D", "नमस्"),
    // 5 octets either way: what the scheme says.
    ("FB", "05", "E8329BFD06", "hello"),
  ])
  func goesByTheLengthInTheReservedHalf(
    _ octet: String, length: String, data: String, text: String
  ) throws {
    let hex = "040081" + "00" + octet + "62304180509032" + length + data
    let pdu = try PDU.decode(hex: hex, direction: .mobileTerminated, tpduOnly: true)
    guard case .deliver(let message) = pdu.tpdu else {
      Issue.record("not a delivery")
      return
    }
    #expect(message.userData.text == text)
    #expect(Hex.encode(try pdu.tpdu.encoded()) == hex)
  }

  @Test func takesAnOddNumberOfOctetsInTheReservedHalfForData() throws {
    let hex = "04008100FC" + "62304180509032" + "09" + "010203040506070809"
    let pdu = try PDU.decode(hex: hex, direction: .mobileTerminated, tpduOnly: true)
    guard case .deliver(let message) = pdu.tpdu else {
      Issue.record("not a delivery")
      return
    }
    #expect(message.userData.data == [1, 2, 3, 4, 5, 6, 7, 8, 9])
  }

  @Test func readsAClassZeroSevenBitMessage() throws {
    for octet in ["F0", "F1", "10", "00", "C8"] {
      let pdu = try PDU.decode(
        hex: "040081" + "00" + octet + "62304180509032" + "05E8329BFD06",
        direction: .mobileTerminated, tpduOnly: true)
      guard case .deliver(let message) = pdu.tpdu else {
        Issue.record("not a delivery")
        return
      }
      #expect(message.userData.text == "hello", "scheme \(octet)")
    }
  }
}
