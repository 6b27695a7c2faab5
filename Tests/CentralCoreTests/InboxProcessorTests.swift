import CentralCore
import GSM
import Passages
import Testing
import Time

/// What a message of the inbox is, by what it holds and by the parts that wait.
struct InboxProcessorTests {
  private let sender = "+9779801000001"
  private let padding = String(repeating: " ", count: 150)

  private func processor(
    waiving waiver: Waiver = [], waiting: [InboxItem] = []
  ) throws -> InboxProcessor {
    InboxProcessor(
      directory: try sampleDirectory(), rules: CentralRules(), waiving: waiver, waiting: waiting)
  }

  private func text(_ index: Int) -> String {
    "V1|BNP-A|BA1PA1234|CAR|\(1_709_123_400 + index)|4567"
  }

  private func item(
    _ id: Int64, _ body: String, isPDU: Bool = true, part: MessagePart? = nil
  ) -> InboxItem {
    InboxItem(
      id: id, provider: isPDU ? "modem" : "twilio", from: isPDU ? "" : sender, body: body,
      isPDU: isPDU, receivedAt: receipt, state: part == nil ? .received : .part, part: part)
  }

  private func pdus(_ text: String, reference: UInt16 = 7) throws -> [ReceivedPDU] {
    var options = SubmitOptions()
    options.concatenationReference = reference
    let parts = try MessageComposer.messages(
      text: text, to: try Address("+9779800000000"), options: options)
    return try parts.map { part in
      let deliver = SMSDeliver(
        from: try Address(sender), userData: part.userData,
        timestamp: ServiceCentreTime(epochSeconds: 1_709_123_400, quarterHours: 23))
      return ReceivedPDU(hex: Hex.encode(try PDU(tpdu: .deliver(deliver)).encoded()))
    }
  }

  private func place(_ pdu: ReceivedPDU) throws -> MessagePart {
    guard case .part(let place, _) = pdu.content else {
      throw SampleError.noPart
    }
    return place
  }

  private func body(_ change: InboxFact.Change) -> String? {
    if case .passage(let passage, _, _) = change { passage.v1Body } else { nil }
  }

  @Test func aTextOfAProviderIsAPassage() throws {
    var processor = try processor()
    let fact = processor.process(item(1, text(0), isPDU: false), nil)
    #expect(body(fact.change) == text(0))
    #expect(fact.sender == sender)
    #expect(fact.others.isEmpty)
    #expect(fact.part == nil)
  }

  @Test func aTextOfAModemHasItsSenderFromThePDU() throws {
    var processor = try processor()
    let pdu = try pdus(text(0))[0]
    let fact = processor.process(item(1, pdu.hex), pdu)
    #expect(fact.sender == sender)
    #expect(body(fact.change) == text(0))
  }

  @Test func theLastPartMakesTheWholeAndTakesTheOthersAlong() throws {
    var processor = try processor()
    let parts = try pdus(padding + text(0))
    let first = processor.process(item(1, parts[1].hex), parts[1])
    #expect(first.change == .waits(try place(parts[1])))
    let whole = processor.process(item(2, parts[0].hex), parts[0])
    #expect(body(whole.change) == text(0))
    #expect(whole.others == [1])
    #expect(whole.part == (try place(parts[0])))
    // What was joined waits no longer.
    let again = processor.process(item(3, parts[1].hex), parts[1])
    #expect(again.change == .waits(try place(parts[1])))
  }

  @Test func partsOfBeforeAreJoinedWithWhatComes() throws {
    let parts = try pdus(padding + text(0))
    var processor = try processor(
      waiting: [item(1, parts[0].hex, part: try place(parts[0]))])
    let whole = processor.process(item(9, parts[1].hex), parts[1])
    #expect(body(whole.change) == text(0))
    #expect(whole.others == [1])
  }

  /// Cheap senders come round to the same reference.
  @Test func ofEachPartTheNewestCounts() throws {
    let old = try pdus(padding + text(0))
    let new = try pdus(padding + text(1))
    var processor = try processor(
      waiting: [item(1, old[0].hex, part: try place(old[0]))])
    #expect(processor.process(item(2, new[0].hex), new[0]).change == .waits(try place(new[0])))
    let whole = processor.process(item(3, new[1].hex), new[1])
    #expect(body(whole.change) == text(1))
    #expect(whole.others == [1, 2])
  }

  @Test func anotherReferenceIsAnotherMessage() throws {
    let one = try pdus(padding + text(0), reference: 1)
    let other = try pdus(padding + text(0), reference: 2)
    var processor = try processor(waiting: [item(1, one[0].hex, part: try place(one[0]))])
    let fact = processor.process(item(2, other[1].hex), other[1])
    #expect(fact.change == .waits(try place(other[1])))
  }

  @Test func aWholeThatIsNoPassageIsRefusedAsOne() throws {
    let parts = try pdus(padding + "a long text that is no passage")
    var processor = try processor()
    _ = processor.process(item(1, parts[0].hex), parts[0])
    let whole = processor.process(item(2, parts[1].hex), parts[1])
    guard case .refused(let reason) = whole.change else {
      Issue.record("taken: \(whole)")
      return
    }
    #expect(reason.code == "version")
    #expect(whole.others == [1])
  }

  @Test func aReportIsPutBy() throws {
    var processor = try processor()
    let report = SMSStatusReport(
      messageReference: 1, recipient: try Address(sender), timestamp: nil, discharge: nil, status: 0
    )
    let pdu = ReceivedPDU(hex: Hex.encode(try PDU(tpdu: .statusReport(report)).encoded()))
    #expect(processor.process(item(1, pdu.hex), pdu).change == .report)
  }

  @Test func whatCannotBeReadKeepsTheWordsOfItsError() throws {
    var processor = try processor()
    let fact = processor.process(item(1, "zz"), ReceivedPDU(hex: "zz"))
    let error = PDUError.notHexadecimal
    #expect(fact.change == .refused(Reason(code: error.code, message: error.message)))
    #expect(fact.sender.isEmpty)
  }

  /// A message of bytes for the display is refused for the display, as it was always.
  @Test func theDisplayComesBeforeTheBytes() throws {
    var processor = try processor()
    for (octet, code) in [(UInt8(0x14), "class_0"), (0x04, "binary"), (0x15, "binary")] {
      let deliver = SMSDeliver(
        from: try Address(sender), userData: UserData(content: .octets([1, 2])), timestamp: nil,
        coding: DataCoding(octet: octet))
      let pdu = ReceivedPDU(hex: Hex.encode(try PDU(tpdu: .deliver(deliver)).encoded()))
      guard case .refused(let reason) = processor.process(item(1, pdu.hex), pdu).change else {
        Issue.record("taken: \(octet)")
        return
      }
      #expect(reason.code == code)
    }
  }

  @Test func aRuleIsSetAsideForAll() throws {
    let late = "V1|BNP-A|BA1PA1234|CAR|1609120000|4567"
    var strict = try processor()
    var waiving = try processor(waiving: .anyTime)
    #expect(body(strict.process(item(1, late, isPDU: false), nil).change) == nil)
    #expect(body(waiving.process(item(1, late, isPDU: false), nil).change) == late)
  }
}
