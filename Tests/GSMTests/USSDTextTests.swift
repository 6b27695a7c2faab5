import GSM
import Testing

/// What networks say by USSD, as modems write it: the same words in all four forms.
@Suite struct USSDTextTests {
  private static let words = "Your balance is Rs 45.50, valid till 2026-12-31."

  private static func hex(_ octets: some Sequence<UInt8>) -> String {
    Hex.encode(Array(octets))
  }

  @Test func plainTextStaysAsItIs() {
    let text = USSDText(Self.words, coding: 15)
    #expect(text.text == Self.words)
    #expect(text.form == .plain)
    #expect(USSDText("1234", coding: nil).text == "1234")
    #expect(USSDText("100", coding: 15).text == "100")
    #expect(USSDText("", coding: 15).text == "")
    #expect(USSDText("0", coding: 72).text == "0")
  }

  @Test func wideCharactersInHexadecimalDigits() {
    let octets = Self.words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for coding in [72, 17, 15, nil] as [Int?] {
      #expect(USSDText(Self.hex(octets), coding: coding).text == Self.words, "\(coding ?? -1)")
    }
    let nepali = "तपाईंको मौज्दात रु ४५"
    let wide = nepali.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(USSDText(Self.hex(wide), coding: 72).text == nepali)
  }

  @Test func octetsInHexadecimalDigits() {
    for coding in [68, 0xF4, 15, nil] as [Int?] {
      let text = USSDText(Self.hex(Self.words.utf8), coding: coding)
      #expect(text.text == Self.words, "\(coding ?? -1)")
      #expect(text.form == .octets, "\(coding ?? -1)")
    }
  }

  @Test func packedSeptetsInHexadecimalDigits() {
    for coding in [15, 0, nil] as [Int?] {
      let text = USSDText(USSDText.packed(Self.words), coding: coding)
      #expect(text.text == Self.words, "\(coding ?? -1)")
      #expect(text.form == .packed, "\(coding ?? -1)")
    }
    // Seven septets leave room for one more, which is a filler and no letter.
    #expect(USSDText.packed("*100#") == "AA180C3602")
    #expect(USSDText.packed("*100*7#") == "AA180CA6BA8D1A")
    #expect(USSDText(USSDText.packed("Rs 45.5"), coding: 15).text == "Rs 45.5")
  }

  @Test func anyStringHasAReading() {
    for string in ["F", "FFFF", "D800DC00", "D800", "00", "ZZZZ", "\u{0}\u{1}", "0A0D"] {
      for coding in [nil, -1, 0, 15, 17, 68, 72, 255, 999] as [Int?] {
        _ = USSDText(string, coding: coding).text
      }
    }
    #expect(USSDText("ZZZZ", coding: 72).form == .plain)
  }
}
