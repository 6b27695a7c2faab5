import GSM
import Testing

/// Whole messages against octets worked out by hand (3GPP TS 23.040 9.2.2).
struct MessageTests {
  private let time = ServiceCentreTime(
    year: 2026, month: 3, day: 14, hour: 8, minute: 5, second: 9, quarterHours: 23)

  private func submit(_ hex: String) throws -> SMSSubmit {
    let pdu = try PDU.decode(hex: hex, direction: .mobileOriginated)
    guard case .submit(let message) = pdu.tpdu else {
      throw PDUError.unsupportedType("not a submit")
    }
    return message
  }

  private func deliver(_ hex: String) throws -> SMSDeliver {
    let pdu = try PDU.decode(hex: hex, direction: .mobileTerminated)
    guard case .deliver(let message) = pdu.tpdu else {
      throw PDUError.unsupportedType("not a delivery")
    }
    return message
  }

  private func report(_ hex: String) throws -> SMSStatusReport {
    let pdu = try PDU.decode(hex: hex, direction: .mobileTerminated)
    guard case .statusReport(let message) = pdu.tpdu else {
      throw PDUError.unsupportedType("not a report")
    }
    return message
  }

  @Test func submitsTheShortestMessage() throws {
    let message = SMSSubmit(to: try Address("+9779841234567"), userData: UserData(text: "hello"))
    let hex = "01000D91799748214365F7" + "0000" + "05E8329BFD06"
    #expect(Hex.encode(try message.encoded()) == hex)
    #expect(try submit("00" + hex) == message)
  }

  @Test func submitsWithEverything() throws {
    // RD 04, relative period 10, SRR 20, UDHI 40, RP 80, MTI 01.
    let place = Concatenation(reference: 0xCC, total: 2, part: 1)
    let message = SMSSubmit(
      to: try Address("1415"),
      userData: UserData(
        header: UserDataHeader(concatenation: place),
        content: .gsm7([0x68, 0x65, 0x6C, 0x6C, 0x6F])),
      coding: DataCoding(octet: 0x11), requestsStatusReport: true, validity: .relative(0x47),
      rejectsDuplicates: true, replyPath: true, messageReference: 0x2A, protocolIdentifier: 0x41)
    let hex = "F52A04814151" + "4111" + "47" + "0C" + "050003CC0201" + "D06536FB0D"
    #expect(Hex.encode(try message.encoded()) == hex)
    #expect(try submit("00" + hex) == message)
  }

  @Test func submitsInUCS2AndInOctets() throws {
    let nobody = try Address("1")
    let script = SMSSubmit(to: nobody, userData: UserData(text: "नमस्ते 😁"))
    // Nine units, the last two a surrogate pair.
    let hex = "01000181F1" + "0008" + "12" + "0928092E0938094D092409470020D83DDE01"
    #expect(Hex.encode(try script.encoded()) == hex)
    #expect(try submit("00" + hex).userData.text == "नमस्ते 😁")
    let binary = SMSSubmit(to: nobody, userData: UserData(content: .octets([0xDE, 0xAD])))
    #expect(Hex.encode(try binary.encoded()) == "01000181F1" + "0004" + "02DEAD")
    #expect(try submit("0001000181F1" + "0004" + "02DEAD") == binary)
  }

  @Test func refusesUserDataThatDoesNotFit() throws {
    let nobody = try Address("1")
    for content in [
      UserContent.gsm7(.init(repeating: 0x41, count: 161)),
      .octets(.init(repeating: 0x41, count: 141)), .ucs2(.init(repeating: 0x41, count: 71)),
    ] {
      let message = SMSSubmit(to: nobody, userData: UserData(content: content))
      #expect(throws: PDUError.self) { try message.encoded() }
    }
    let full = SMSSubmit(
      to: nobody, userData: UserData(content: .gsm7(.init(repeating: 0x41, count: 160))))
    #expect(try full.encoded().count == 7 + 1 + 140)
  }

  @Test func readsADelivery() throws {
    let hex =
      "0891799708000000F1" + "04" + "0D91799748214365F7" + "0000" + "62304180509032"
      + "05E8329BFD06"
    let message = try deliver(hex)
    #expect(message.originator.number == "+9779841234567")
    #expect(message.userData.text == "hello")
    #expect(message.timestamp == time)
    #expect(!message.moreMessagesWait && !message.statusReportIndication && !message.replyPath)
    let pdu = try PDU.decode(hex: hex, direction: .mobileTerminated)
    #expect(pdu.serviceCentre?.number == "+9779800000001")
    #expect(Hex.encode(try pdu.encoded()) == hex)
  }

  @Test func readsMoreMessagesWaitInItsOppositeSense() throws {
    let tail = "0081" + "0000" + "62304180509032" + "00"
    #expect(try deliver("0000" + tail).moreMessagesWait)
    #expect(try !deliver("0004" + tail).moreMessagesWait)
    #expect(try deliver("0024" + tail).statusReportIndication)
    #expect(try deliver("0084" + tail).replyPath)
    for first in ["00", "04", "24", "84", "A0"] {
      #expect(Hex.encode(try deliver("00" + first + tail).encoded()) == first + tail)
    }
  }

  @Test func readsADeliveryFromAName() throws {
    let message = try deliver(
      "0004" + "0DD0E730BD7C0FE701" + "0000" + "62304180509032" + "0731D98C56B3DD00")
    #expect(message.originator.number == "gateway")
    // Seven septets: the spare bits at the end are no @.
    #expect(message.userData.text == "1234567")
  }

  @Test func readsWhatThereIsWhenTheLengthSaysMore() throws {
    let head = "0004" + "0081" + "00"
    let stamp = "62304180509032"
    #expect(try deliver(head + "00" + stamp + "A0" + "E8329BFD06").userData.text == "hello")
    #expect(try deliver(head + "08" + stamp + "8C" + "00480069").userData.text == "Hi")
    #expect(try deliver(head + "04" + stamp + "8C" + "DEAD").userData.data == [0xDE, 0xAD])
    #expect(try deliver(head + "00" + stamp + "FF").userData.text == "")
  }

  @Test func passesOverWhatFollowsTheUserData() throws {
    let tail = "0081" + "0000" + "62304180509032" + "05E8329BFD06"
    #expect(try deliver("0004" + tail + "FFFF").userData.text == "hello")
  }

  @Test func dropsTheLastOddOctetOfUCS2() throws {
    let head = "0004" + "0081" + "0008" + "62304180509032"
    #expect(try deliver(head + "05" + "0048006900").userData.text == "Hi")
  }

  @Test func showsALoneSurrogateAsTheReplacementCharacter() throws {
    let head = "0004" + "0081" + "0008" + "62304180509032"
    let message = try deliver(head + "04" + "0041D83D")
    #expect(message.userData.text == "A\u{FFFD}")
    #expect(message.userData.content == .ucs2([0x41, 0xD83D]))
    #expect(try deliver(head + "04" + "DE010041").userData.text == "\u{FFFD}A")
  }

  @Test func readsAnEmptyMessage() throws {
    for coding in ["00", "04", "08", "C8", "F9"] {
      let message = try deliver("0004" + "0081" + "00" + coding + "62304180509032" + "00")
      #expect(message.userData.content != .gsm7([0]))
      #expect(message.userData.text ?? "" == "")
    }
  }

  @Test func readsAStatusReport() throws {
    let hex =
      "00" + "06" + "2A" + "0D91799748214365F7" + "62304180509032" + "62304180601032" + "00"
    let message = try report(hex)
    #expect(message.messageReference == 42)
    #expect(message.recipient.number == "+9779841234567")
    #expect(message.timestamp == time)
    #expect(message.discharge?.rfc3339 == "2026-03-14T08:06:01+05:45")
    #expect(message.status == 0)
    #expect(message.delivery == .delivered)
    #expect(!message.moreMessagesWait && !message.answersCommand)
    #expect(Hex.encode(try message.encoded()) == String(hex.dropFirst(2)))
  }

  // PI, PID, DCS and a text may follow, in part or not at all.
  @Test(arguments: ["", "00", "07", "070000", "0700", "07000005E8329BFD06", "FF"])
  func readsAStatusReportWithAnyTail(_ tail: String) throws {
    let message = try report(
      "00" + "26" + "2A" + "04814151" + "62304180509032" + "00000000000000" + "46" + tail)
    #expect(message.recipient.number == "1415")
    #expect(message.answersCommand)
    #expect(message.discharge == nil)
    #expect(message.delivery == .failed)
  }

  @Test func sortsEveryStatus() {
    for status in UInt8.min...UInt8.max {
      let expected: DeliveryStatus =
        switch status {
        case 0x00...0x1F: .delivered
        case 0x20...0x3F: .pending
        case 0x40...0x5F: .failed
        case 0x60...0x7F: .expired
        default: .unknown
        }
      #expect(DeliveryStatus(status: status) == expected, "status \(status)")
    }
  }

  @Test(arguments: [
    (Direction.mobileTerminated, "0001", "SMS-SUBMIT-REPORT"),
    (.mobileOriginated, "0000", "SMS-DELIVER-REPORT"), (.mobileOriginated, "0002", "SMS-COMMAND"),
    (.mobileTerminated, "0003", "a reserved message type"),
    (.mobileOriginated, "0003", "a reserved message type"),
  ])
  func namesATypeThatIsNoMessage(_ direction: Direction, _ hex: String, _ name: String) {
    #expect(throws: PDUError.unsupportedType(name)) {
      try PDU.decode(hex: hex, direction: direction)
    }
  }

  @Test func refusesWhatIsLongerThanAnyMessage() {
    #expect(throws: PDUError.tooLong(octets: 301)) {
      try PDU.decode([UInt8](repeating: 0, count: 301), direction: .mobileTerminated)
    }
  }
}
