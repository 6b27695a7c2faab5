import GSM
import Testing

@Suite struct IdentityTests {
  private func pdu(
    _ text: String = "hello", second: Int64 = 1_800_000_000, centre: String? = nil,
    more: Bool = false, hasTime: Bool = true
  ) throws -> PDU {
    let parts = try MessageComposer.messages(text: text, to: try Address("+9779801000099"))
    let message = SMSDeliver(
      from: try Address("+9779841000001"), userData: parts[0].userData,
      timestamp: hasTime ? ServiceCentreTime(epochSeconds: second, quarterHours: 23) : nil,
      moreMessagesWait: more)
    return PDU(serviceCentre: try centre.map { try Address($0) }, tpdu: .deliver(message))
  }

  @Test func whatTheNetworkRepeatsHasOneIdentity() throws {
    let first = try pdu(centre: "+977980000001")
    let again = try pdu(centre: "+977980000002", more: true)
    #expect(first.identity != nil)
    #expect(first.identity == again.identity)
  }

  @Test func anotherTimeOrAnotherTextIsAnotherMessage() throws {
    let first = try pdu()
    let later = try pdu(second: 1_800_000_001)
    let other = try pdu("hallo")
    #expect(Set([first.identity, later.identity, other.identity]).count == 3)
  }

  @Test func withoutATimeThereIsNone() throws {
    #expect(try pdu(hasTime: false).identity == nil)
  }

  @Test func someCodesMayMeanAnEmptyAccount() {
    for code in [21, 29, 30, 38, 50, 69, 500] {
      #expect(ModemError(.cms, code: code).mayMeanNoCredit, "\(code)")
    }
    for code in [1, 42, 304, 331, 332] {
      #expect(!ModemError(.cms, code: code).mayMeanNoCredit, "\(code)")
    }
    #expect(!ModemError(.cme, code: 30).mayMeanNoCredit)
  }
}
