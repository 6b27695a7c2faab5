import Events
import GSM
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Testing
import Time

/// What comes in at a node beside the reports on its texts.
@Suite struct ReceivingTests {
  private func hex(_ message: SMSDeliver) throws -> String {
    Hex.encode(try PDU(tpdu: .deliver(message)).encoded())
  }

  private func message(
    _ text: String, header: UserDataHeader? = nil, coding: DataCoding? = nil, more: Bool = false
  ) throws -> SMSDeliver {
    let whole = try MessageComposer.messages(text: text, to: try Address(gateway))
    var userData = whole[0].userData
    userData.header = header
    return SMSDeliver(
      from: try Address("+9779841000001"), userData: userData,
      timestamp: ServiceCentreTime(epochSeconds: 1_800_000_000, quarterHours: 23), coding: coding,
      moreMessagesWait: more)
  }

  private func part(_ number: UInt8, _ text: String) throws -> String {
    try hex(
      message(
        text,
        header: UserDataHeader(
          concatenation: Concatenation(reference: 9, total: 2, part: number))))
  }

  @Test func aLongTextIsJoinedAlsoAfterARestart() throws {
    let bench = try Bench()
    try bench.start()
    try bench.handle(.received(try part(2, "world"), token: 1))
    _ = try bench.crash()
    let outputs = try bench.handle(.received(try part(1, "hello "), token: 2))
    #expect(outputs.events.map(\.name) == ["text_part_received", "text_received"])
    let whole = try bench.store.inbox().first { $0.kind == "deliver" }
    #expect(whole?.text == "hello world")
  }

  @Test func thePartTheNetworkRepeatsCompletesNothing() throws {
    let bench = try Bench()
    try bench.start()
    try bench.handle(.received(try part(1, "hello "), token: 1))
    let outputs = try bench.handle(.received(try part(1, "hello "), token: 2))
    #expect(outputs.tokens == [2], "the modem may forget it all the same")
    #expect(outputs.events.isEmpty)
    #expect(try bench.store.inbox().map(\.times) == [2])
  }

  @Test func theSameMessageByAnotherWayIsTheSame() throws {
    let bench = try Bench()
    try bench.start()
    try bench.handle(.received(try hex(message("credit low")), token: 1))
    // The flag that more messages wait differs, and so may the service centre.
    let again = try hex(message("credit low", more: true))
    #expect(try bench.handle(.received(again, token: 2)).events.isEmpty)
    #expect(try bench.store.inbox().map(\.times) == [2])
  }

  @Test func aMessageForTheDisplayIsKeptAndSaysSo() throws {
    let bench = try Bench()
    try bench.start()
    let flash = try message(
      "V1|BNP-A|BA1PA0001|CAR|1800000000|9801",
      coding: DataCoding(alphabet: .gsm7, messageClass: 0))
    let outputs = try bench.handle(.received(try hex(flash), token: 1))
    #expect(outputs.events.contains { $0.words.contains("class 0") })
    #expect(try bench.store.inbox().map(\.messageClass) == [0])
  }

  @Test func anIndicatorThatNeedNotBeKeptLeavesARowWithoutText() throws {
    let bench = try Bench()
    try bench.start()
    for (token, octet) in [0xC8, 0xD8].enumerated() {
      let waiting = try message("2 new", coding: DataCoding(octet: UInt8(octet)))
      let outputs = try bench.handle(.received(try hex(waiting), token: UInt64(token)))
      #expect(outputs.events.map(\.name) == ["indication_received"])
    }
    let inbox = try bench.store.inbox()
    #expect(inbox.map(\.kind) == ["indication", "indication"])
    #expect(inbox.map(\.text) == ["2 new", nil], "group 1101 is stored, 1100 discarded")
  }

  @Test func whatIsForAPortIsKeptAsData() throws {
    let bench = try Bench()
    try bench.start()
    let header = UserDataHeader(elements: [
      InformationElement(identifier: 0x05, octets: [0x0B, 0x84, 0x23, 0xF0])
    ])
    try bench.handle(.received(try hex(message("push", header: header)), token: 1))
    let inbox = try bench.store.inbox()
    #expect(inbox.map(\.kind) == ["data"])
    #expect(inbox[0].text?.contains("0B8423F0") == true, "with its header")
  }

  @Test func whatCannotBeReadIsKeptAndNotDeletedUnread() throws {
    let bench = try Bench()
    try bench.start()
    let outputs = try bench.handle(.received("00FF", token: 1))
    #expect(outputs.tokens == [1])
    #expect(try bench.store.inbox().map(\.kind) == ["undecodable"])
  }
}
