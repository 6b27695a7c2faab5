import Testing

@testable import GSM

/// 3GPP TS 23.038 6.2.1 and 6.2.1.1.
struct DefaultAlphabetTests {
  /// The positions that differ from ASCII, written down from the table of the specification.
  static let special: [UInt8: Unicode.Scalar] = [
    0x00: "@", 0x01: "£", 0x02: "$", 0x03: "¥", 0x04: "è", 0x05: "é", 0x06: "ù", 0x07: "ì",
    0x08: "ò", 0x09: "Ç", 0x0A: "\n", 0x0B: "Ø", 0x0C: "ø", 0x0D: "\r", 0x0E: "Å", 0x0F: "å",
    0x10: "Δ", 0x11: "_", 0x12: "Φ", 0x13: "Γ", 0x14: "Λ", 0x15: "Ω", 0x16: "Π", 0x17: "Ψ",
    0x18: "Σ", 0x19: "Θ", 0x1A: "Ξ", 0x1C: "Æ", 0x1D: "æ", 0x1E: "ß", 0x1F: "É", 0x24: "¤",
    0x40: "¡", 0x5B: "Ä", 0x5C: "Ö", 0x5D: "Ñ", 0x5E: "Ü", 0x5F: "§", 0x60: "¿", 0x7B: "ä",
    0x7C: "ö", 0x7D: "ñ", 0x7E: "ü", 0x7F: "à",
  ]

  static let extensions: [UInt8: Unicode.Scalar] = [
    0x0A: "\u{0C}", 0x14: "^", 0x28: "{", 0x29: "}", 0x2F: "\\", 0x3C: "[", 0x3D: "~", 0x3E: "]",
    0x40: "|", 0x65: "€",
  ]

  @Test func hasTheCharacterOfEveryPosition() {
    #expect(DefaultAlphabet.basic.count == 128)
    for septet in UInt8(0)...127 where septet != 0x1B {
      let expected = Self.special[septet] ?? Unicode.Scalar(septet)
      #expect(GSMText.text(septets: [septet]) == String(expected), "septet \(septet)")
      #expect(GSMText.septets(String(expected)) == [septet], "septet \(septet)")
    }
  }

  @Test func takesTwoSeptetsForEachExtension() {
    for (septet, scalar) in Self.extensions {
      #expect(GSMText.septets(String(scalar)) == [0x1B, septet], "septet \(septet)")
      #expect(GSMText.text(septets: [0x1B, septet]) == String(scalar), "septet \(septet)")
    }
    #expect(GSMText.septets("a|b") == [0x61, 0x1B, 0x40, 0x62])
    #expect(GSMText.septets("") == [])
  }

  @Test func showsTheOwnCharacterAfterAnEscapeThatMeansNothing() {
    for septet in UInt8(0)...127 where Self.extensions[septet] == nil && septet != 0x1B {
      #expect(
        GSMText.text(septets: [0x1B, septet]) == GSMText.text(septets: [septet]),
        "septet \(septet)")
    }
  }

  @Test func showsASpaceForAnEscapeWithoutASeptet() {
    #expect(GSMText.text(septets: [0x41, 0x1B]) == "A ")
    #expect(GSMText.text(septets: [0x1B, 0x1B]) == " ")
    #expect(GSMText.text(septets: [0x1B, 0x1B, 0x65]) == " e")
  }

  @Test(arguments: ["`", "\t", "ç", "á", "’", "–", "\u{A0}", "\u{1B}", "न", "😁", "e\u{301}"])
  func lacks(_ text: String) {
    #expect(GSMText.septets(text) == nil)
    #expect(GSMText.septets("plain \(text)") == nil)
  }

  @Test func takesALineEndOfTwoAsTwo() {
    #expect(GSMText.septets("a\r\nb") == [0x61, 0x0D, 0x0A, 0x62])
    #expect(GSMText.text(septets: [0x61, 0x0D, 0x0A, 0x62]) == "a\r\nb")
  }

  @Test func ignoresTheEighthBit() {
    #expect(GSMText.text(septets: [0xC1]) == "A")
  }
}
