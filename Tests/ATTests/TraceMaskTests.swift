import AT
import GSM
import Testing

/// What a trace shows of numbers, codes and texts: nothing, at the same lengths.
@Suite struct TraceMaskTests {
  private func masked(_ text: String, _ direction: ModemTrace.Direction) -> String {
    let trace = ModemTrace(
      entries: [.init(milliseconds: 0, direction: direction, bytes: Array(text.utf8))])
    return String(decoding: trace.masked.entries[0].bytes, as: UTF8.self)
  }

  @Test func numbersAndCodesAreMaskedAndTheRestStays() {
    #expect(masked("AT+CPIN=\"4711\"\r", .toModem) == "AT+CPIN=\"****\"\r")
    #expect(
      masked("\r\n+CSCA: \"+9779800000000\",145\r\n", .fromModem)
        == "\r\n+CSCA: \"+0000000000000\",145\r\n")
    #expect(masked("\r\n490154203237518\r\n", .fromModem) == "\r\n000000000000000\r\n")
    #expect(masked("\r\n+CSQ: 21,99\r\n\r\nOK\r\n", .fromModem) == "\r\n+CSQ: 21,99\r\n\r\nOK\r\n")
    #expect(masked("AT+CMGS=18\r", .toModem) == "AT+CMGS=18\r")
    #expect(masked("\r\n+CMGS: 17\r\n", .fromModem) == "\r\n+CMGS: 17\r\n")
  }

  @Test func aTextThatLeavesIsMaskedWhole() throws {
    let part = try #require(
      try MessageComposer.submit(
        text: "BA 1 PA 1234", to: Address("+9779801234567"), options: SubmitOptions()
      ).first)
    let shown = masked(part.hex + "\u{1A}", .toModem)
    #expect(shown == String(repeating: "*", count: part.hex.count) + "\u{1A}")
    // A replay takes the mask for any digit.
    let entry = ModemTrace.Entry(
      milliseconds: 0, direction: .toModem, bytes: Array(shown.utf8))
    #expect(entry.matches(Array((part.hex + "\u{1A}").utf8)))
  }

  @Test func aMessageThatCameIsStillAMessage() throws {
    // From the worked example of a DELIVER in hexadecimal: +31641600986, "How are you?".
    let hex = "07911326040000F0040B911346610089F60000208062917314080CC8F71D14969741F977FD07"
    let shown = masked("\r\n+CMT: ,30\r\n\(hex)\r\n", .fromModem)
    let line = try #require(shown.split(separator: "\r\n").last)
    #expect(line.count == hex.count)
    let pdu = try PDU.decode(hex: String(line), direction: .mobileTerminated)
    guard case .deliver = pdu.tpdu else {
      Issue.record("\(line)")
      return
    }
    #expect(!"\(pdu)".contains("31641600986"))
    #expect(!"\(pdu)".contains("How"))
  }

  @Test func whatCameInPiecesIsMaskedAsOne() {
    let pieces = ["\r\n+CSCA: \"+97798", "00000", "000\",145\r\n"]
    let trace = ModemTrace(
      entries: pieces.enumerated().map {
        .init(milliseconds: Int64($0.offset), direction: .fromModem, bytes: Array($0.element.utf8))
      })
    let whole = trace.masked.entries.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(whole == ["\r\n+CSCA: \"+00000", "00000", "000\",145\r\n"])
  }
}
