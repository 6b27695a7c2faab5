import CentralCore
import CentralService
import GSM
import Passages
import Testing
import Time

struct PDUTests {
  @Test func aPassageComesByPDU() throws {
    let bench = try Bench()
    let decoded = try bench.receive(try pdus(text(0)))
    guard case .passage(let passage, let warnings) = decoded.first?.result else {
      Issue.record("no passage: \(decoded)")
      return
    }
    #expect(passage.v1Body == text(0))
    #expect(warnings.isEmpty)
    #expect(decoded.first?.from == "+9779801000001")
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.isPDU)
    #expect(item.provider == "modem")
    #expect(item.from == "+9779801000001")
    #expect(item.state == .decoded)
  }

  /// Anybody can send under a name, and choose one that spells a number which is bound.
  @Test func aNameThatSpellsABoundNumberIsNone() throws {
    let bench = try Bench()
    var rules = CentralRules()
    rules.trust = .number
    bench.machine.rules = rules
    for (second, name) in ["9801000001", "9801 000001", "+9801000001"].enumerated() {
      let deliver = SMSDeliver(
        from: try Address.alphanumeric(name),
        userData: try #require(
          MessageComposer.messages(
            text: text(second), to: try Address("+9779800000000"), options: SubmitOptions()
          ).first
        ).userData,
        timestamp: ServiceCentreTime(epochSeconds: 1_709_123_400, quarterHours: 23))
      let pdu = Hex.encode(try PDU(tpdu: .deliver(deliver)).encoded())
      let processed = try bench.receive([pdu])
      guard case .undecodable(let reason) = processed.first?.result else {
        Issue.record("\(name) was taken: \(processed)")
        continue
      }
      #expect(reason.code == Reason.sender)
      #expect(processed.first?.from == "\"\(name)\"")
    }
    #expect(try bench.store.overview().passages == 0)
  }

  @Test func theSamePDUAgainIsKnown() throws {
    let bench = try Bench()
    let pdu = try pdus(text(0))
    try bench.receive(pdu)
    #expect(try bench.receive(pdu).isEmpty)
    #expect(try bench.store.overview().received == 1)
  }

  @Test func theModemAndTheWebhookBringOnePassage() throws {
    let bench = try Bench()
    try bench.receive(try pdus(text(0)))
    _ = try bench.machine.keep([
      InboundMessage(
        provider: "twilio", providerID: "SM1", from: "+9779801000001", text: text(0),
        receivedAt: Bench.wall)
    ])
    guard case .duplicate = try bench.machine.process(at: Bench.wall).messages.first?.result else {
      Issue.record("not a duplicate")
      return
    }
    #expect(try bench.store.overview().passages == 1)
  }

  @Test(arguments: [
    ("", "truncated"), ("00", "truncated"), ("zz", "not_hexadecimal"), ("0791", "truncated"),
    ("0006", nil as String?),
  ])
  func whatCannotBeReadIsKept(_ pdu: String, _ code: String?) throws {
    let bench = try Bench()
    let decoded = try bench.receive([pdu])
    guard case .undecodable(let reason) = decoded.first?.result else {
      Issue.record("read: \(decoded)")
      return
    }
    if let code { #expect(reason.code == code) }
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .undecodable)
    #expect(item.body == pdu)
    #expect(item.words == reason.message)
  }

  @Test func bytesAreNoText() throws {
    let bench = try Bench()
    let deliver = SMSDeliver(
      from: try Address("+9779801000001"), userData: UserData(content: .octets([1, 2, 3])),
      timestamp: nil)
    let pdu = Hex.encode(try PDU(tpdu: .deliver(deliver)).encoded())
    #expect(try bench.receive([pdu]).count == 1)
    #expect(try bench.store.inboxItem(1)?.reason == "binary")
  }

  @Test func aStatusReportIsPutBy() throws {
    let bench = try Bench()
    let report = SMSStatusReport(
      messageReference: 1, recipient: try Address("+9779801000001"), timestamp: nil,
      discharge: nil, status: 0)
    let pdu = Hex.encode(try PDU(tpdu: .statusReport(report)).encoded())
    let decoded = try bench.receive([pdu])
    #expect(decoded.map(\.result) == [.report])
    #expect(try bench.store.inboxItem(1)?.state == .report)
    #expect(try bench.store.overview().undecodable == 0)
  }

  @Test func onlyTheNamedLongTextIsRunAgain() throws {
    let bench = try Bench()
    let padding = String(repeating: " ", count: 150)
    // The same reference, once a round: the sender counts to 255 and begins again.
    for index in 0..<2 {
      let parts = try pdus(
        padding + text(index), from: "+9779812345678", second: 1_709_123_400 + Int64(index))
      try bench.receive(parts)
    }
    // A part of a third that is still to be whole.
    try bench.receive([
      try pdus(padding + text(2), from: "+9779812345678", second: 1_709_123_402)[0]
    ])
    let decoded = try bench.store.reprocess(
      4, rules: bench.machine.rules, waiving: .anySender, at: Bench.wall)
    #expect(decoded.messages.map(\.id) == [3, 4])
    #expect(try bench.store.passages(PassageQuery()).map(\.passage.v1Body) == [text(1)])
    #expect(try bench.store.inbox(state: .undecodable).map(\.id) == [2, 1])
    #expect(try bench.store.inboxItem(5)?.state == .part)
  }

  @Test func aPartAloneStaysWhatItWas() throws {
    let bench = try Bench()
    let parts = try pdus(String(repeating: " ", count: 150) + text(0))
    try bench.receive([parts[0]])
    _ = try bench.machine.process(at: Bench.wall + .seconds(73 * 3_600))
    let before = try #require(try bench.store.inboxItem(1))
    #expect(before.reason == "missing_parts")
    let rules = bench.machine.rules
    #expect(try bench.store.reprocess(1, rules: rules, at: Bench.wall).messages.count == 1)
    #expect(try bench.store.inboxItem(1) == before)
    // The other one came after all.
    try bench.receive([parts[1]])
    #expect(try bench.store.reprocess(1, rules: rules, at: Bench.wall).messages.count == 2)
    #expect(try bench.store.overview().passages == 1)
  }

  /// A V1 text that somebody padded into two parts, which come in the wrong order with days and
  /// restarts between them.
  @Test func aLongTextIsJoinedInAnyOrder() throws {
    let bench = try Bench()
    let parts = try pdus(String(repeating: " ", count: 150) + text(0))
    #expect(parts.count == 2)
    let first = try bench.receive([parts[1]])
    #expect(first.map(\.result) == [.part(2, of: 2)])
    #expect(try bench.store.inboxItem(1)?.state == .part)
    let second = try bench.receive([parts[0]])
    guard case .passage(let passage, _) = second.first?.result else {
      Issue.record("not joined: \(second)")
      return
    }
    #expect(passage.v1Body == text(0))
    #expect(try bench.store.inbox(state: .decoded).count == 2)
  }

  @Test func partsOfDifferentTextsAreNotMixed() throws {
    let bench = try Bench()
    let padding = String(repeating: " ", count: 150)
    let one = try pdus(padding + text(0), reference: 1)
    let other = try pdus(padding + text(1), reference: 2)
    let stranger = try pdus(padding + text(2), from: "+9779801000009", reference: 1)
    let decoded = try bench.receive([one[0], other[1], stranger[1]])
    #expect(decoded.map(\.result) == [.part(1, of: 2), .part(2, of: 2), .part(2, of: 2)])
    #expect(try bench.receive([other[0]]).count == 1)
    #expect(try bench.store.passages(PassageQuery()).map(\.passage.v1Body) == [text(1)])
  }

  @Test func aPairOfSurrogatesThatWasCutIsWhole() throws {
    let bench = try Bench()
    // 67 units in the first part of a UCS-2 text: the last of them is half a character.
    let long = "न" + String(repeating: "x", count: 65) + "\u{1F697}" + "y"
    let units = Array(long.utf16)
    let header = { (part: UInt8) in
      UserDataHeader(concatenation: Concatenation(reference: 9, total: 2, part: part))
    }
    let cut = [Array(units[..<67]), Array(units[67...])]
    let pdus = try cut.enumerated().map { index, units in
      let deliver = SMSDeliver(
        from: try Address("+9779801000001"),
        userData: UserData(header: header(UInt8(index + 1)), content: .ucs2(units)),
        timestamp: nil)
      return Hex.encode(try PDU(tpdu: .deliver(deliver)).encoded())
    }
    let decoded = try bench.receive(pdus)
    guard case .undecodable(let reason) = decoded.last?.result else {
      Issue.record("a passage: \(decoded)")
      return
    }
    // What does not begin with V1 is quoted in the reason, 40 characters of it.
    #expect(reason.code == "version")
    #expect(!reason.message.contains("\u{FFFD}"))
  }

  @Test func partsWhoseOthersNeverComeAreShown() throws {
    let bench = try Bench()
    let parts = try pdus(String(repeating: " ", count: 150) + text(0))
    try bench.receive([parts[0]])
    #expect(try bench.machine.process(at: Bench.wall + .seconds(71 * 3_600)).messages.isEmpty)
    #expect(try bench.store.inboxItem(1)?.state == .part)
    _ = try bench.machine.process(at: Bench.wall + .seconds(73 * 3_600))
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .undecodable)
    #expect(item.reason == "missing_parts")
  }

  @Test func aLongTextIsRunAgainAsAWhole() throws {
    let bench = try Bench()
    let parts = try pdus(
      String(repeating: " ", count: 150) + text(0), from: "+9779812345678")
    try bench.receive(parts)
    #expect(try bench.store.inbox(state: .undecodable).map(\.reason) == ["sender", "sender"])
    let decoded = try bench.store.reprocess(
      2, rules: bench.machine.rules, waiving: .anySender, at: Bench.wall)
    #expect(decoded.messages.count == 2)
    #expect(try bench.store.overview().passages == 1)
    #expect(try bench.store.overview().undecodable == 0)
  }
}
