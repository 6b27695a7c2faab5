import GSM
import Testing

struct HexTests {
  @Test func bringsEveryOctetBack() throws {
    let octets = Array(UInt8.min...UInt8.max)
    let text = Hex.encode(octets)
    #expect(text.hasPrefix("000102") && text.hasSuffix("FDFEFF"))
    #expect(try Hex.decode(text) == octets)
    #expect(try Hex.decode(text.lowercased()) == octets)
    #expect(Hex.encode([UInt8]()) == "")
    #expect(try Hex.decode("") == [])
  }

  @Test(arguments: ["0", "0G", "g0", " 00", "00 ", "0x00", "00\n", "é0", "٠٠", "000"])
  func refuses(_ text: String) {
    #expect(throws: PDUError.notHexadecimal) { try Hex.decode(text) }
  }

  @Test func refusesALineLongerThanAModemPrints() throws {
    #expect(try Hex.decode(String(repeating: "0", count: 4_096)).count == 2_048)
    #expect(throws: PDUError.tooLong(octets: 2_049)) {
      try Hex.decode(String(repeating: "0", count: 4_098))
    }
  }

  @Test func explainsEveryError() {
    let errors: [PDUError] = [
      .notHexadecimal, .truncated(field: "time stamp"), .tooLong(octets: 301),
      .unsupportedType("SMS-COMMAND"), .addressLength(21), .addressCharacter("x"), .emptyAddress,
      .headerLength(200), .compressed, .character("ç", alphabet: "GSM 7-bit"), .tooManyParts(256),
      .partsNotAllowed(needed: 2, allowed: 1, length: 161, alphabet: .gsm7),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count - 1)
    for error in errors {
      #expect(error.code.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }, "\(error)")
      #expect(error.message.count > 15, "\(error)")
    }
    #expect(PDUError.addressLength(21).message.contains("21"))
    let long = PDUError.partsNotAllowed(needed: 3, allowed: 1, length: 400, alphabet: .gsm7)
    #expect(long.message.contains("400 septets"))
    #expect(long.message.contains("holds 160"))
    #expect(long.message.contains("3 messages where 1 is allowed"))
  }
}
