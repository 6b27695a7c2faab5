import CentralCore
import CentralService
import GSM
import Testing
import Time

/// What comes to the central's modem and was never meant as the text of a post.
@Suite struct OtherMessageTests {
  private func pdu(
    coding: DataCoding? = nil, header: UserDataHeader? = nil, more: Bool = false,
    centre: String? = nil
  ) throws -> String {
    let whole = try MessageComposer.messages(text: text(0), to: try Address("+9779801000099"))
    var userData = whole[0].userData
    userData.header = header
    let message = SMSDeliver(
      from: try Address("+9779801000001"), userData: userData,
      timestamp: ServiceCentreTime(epochSeconds: 1_800_000_000, quarterHours: 23), coding: coding,
      moreMessagesWait: more)
    return Hex.encode(
      try PDU(serviceCentre: try centre.map { try Address($0) }, tpdu: .deliver(message)).encoded())
  }

  @Test func anOrdinaryTextOfThatFormIsAPassage() throws {
    let bench = try Bench()
    try bench.receive([try pdu()])
    #expect(try bench.store.inboxItem(1)?.reason == nil)
  }

  @Test(arguments: [
    (UInt8(0x10), "class_0"), (0xF0, "class_0"), (0xC8, "indication"), (0xD8, "indication"),
  ])
  func whatIsForTheDisplayIsKeptAndNotRead(_ octet: UInt8, _ reason: String) throws {
    let bench = try Bench()
    try bench.receive([try pdu(coding: DataCoding(octet: octet))])
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .undecodable)
    #expect(item.reason == reason)
    #expect(item.from == "+9779801000001")
    #expect(try bench.store.passages(PassageQuery()).isEmpty)
  }

  @Test func whatIsForAPortIsKeptAndNotRead() throws {
    let bench = try Bench()
    let header = UserDataHeader(elements: [
      InformationElement(identifier: 0x05, octets: [0x0B, 0x84, 0x23, 0xF0])
    ])
    try bench.receive([try pdu(header: header)])
    #expect(try bench.store.inboxItem(1)?.reason == "application")
  }

  @Test func whatTheNetworkRepeatsByAnotherWayIsKeptOnceAndCounted() throws {
    let bench = try Bench()
    try bench.receive([try pdu(centre: "+977980000001")])
    #expect(try bench.receive([try pdu(more: true, centre: "+977980000002")]).isEmpty)
    #expect(try bench.store.overview().received == 1)
    #expect(try bench.store.inboxItem(1)?.timesReceived == 2)
  }
}
