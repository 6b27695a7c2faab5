import Testing

@testable import GSM

/// 3GPP TS 23.038 6.1.2.1; the octets are worked out by hand from its figure.
struct SeptetTests {
  @Test(arguments: [
    ("", ""), ("A", "41"), ("AB", "4121"), ("hello", "E8329BFD06"), ("Hello", "C8329BFD06"),
    ("1234567", "31D98C56B3DD00"), ("12345678", "31D98C56B3DD70"), ("a|b", "E10D500C"),
    ("€", "9B32"),
  ])
  func packs(_ text: String, hex: String) throws {
    let septets = try #require(GSMText.septets(text))
    #expect(Hex.encode(Septets.pack(septets)) == hex)
    let octets = try Hex.decode(hex)
    #expect(Septets.unpack(octets[...], count: septets.count) == septets)
  }

  @Test func countsSeptetsSoThatSpareBitsAreNoCharacter() throws {
    // Seven septets leave seven spare bits, which look like an @.
    let octets = try Hex.decode("31D98C56B3DD00")
    #expect(GSMText.text(septets: Septets.unpack(octets[...], count: 7)) == "1234567")
    #expect(GSMText.text(septets: Septets.unpack(octets[...], count: 8)) == "1234567@")
  }

  @Test func bringsBackEveryLengthBehindEveryFill() {
    for fill in 0...6 {
      for count in 0...160 {
        let septets = (0..<count).map { UInt8(($0 * 37 + 5) % 128) }
        let octets = Septets.pack(septets, fill: fill)
        #expect(octets.count == (count * 7 + fill + 7) / 8, "\(count) septets, fill \(fill)")
        #expect(
          Septets.unpack(octets[...], count: count, fill: fill) == septets,
          "\(count) septets, fill \(fill)")
      }
    }
  }

  @Test func leavesTheFillBitsZero() {
    #expect(Septets.pack([0x7F], fill: 1) == [0xFE])
    #expect(Septets.pack([0x7F], fill: 6) == [0xC0, 0x1F])
    #expect(Hex.encode(Septets.pack([0x68, 0x65, 0x6C, 0x6C, 0x6F], fill: 1)) == "D06536FB0D")
  }

  @Test func neverReadsPastTheEnd() {
    #expect(Septets.unpack([][...], count: 160) == [])
    #expect(Septets.unpack([][...], count: 160, fill: 6) == [])
    #expect(Septets.unpack([0x41][...], count: 160) == [0x41])
    #expect(Septets.unpack([0xFF, 0xFF][...], count: 160, fill: 3).count == 1)
  }

  @Test func readsASliceFromItsOwnStart() {
    let octets: [UInt8] = [0x00, 0x00, 0xE8, 0x32, 0x9B, 0xFD, 0x06]
    #expect(GSMText.text(septets: Septets.unpack(octets[2...], count: 5)) == "hello")
  }
}
