import JSON
import Testing

@testable import Text

@Suite struct ForeignTextTests {
  /// What a terminal obeys, or what turns a line around, by Unicode's own properties.
  private func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return properties.isBidiControl || properties.isNoncharacterCodePoint
    }
  }

  /// Every character but those of planes whose characters are all alike.
  private var everyScalar: [Unicode.Scalar] {
    let planes = (0...16).map { UInt32($0) << 16 | 0xFFF0 }.map { $0...$0 + 15 }
    return ([0...0x1FFFF, 0xE0000...0xE01FF] + planes.dropFirst(2)).joined()
      .compactMap { Unicode.Scalar($0) }
  }

  @Test func noCharacterOfUnicodeIsObeyed() {
    let obeyed = everyScalar.filter(isObeyed)
    #expect(obeyed.count > 130)
    let passed = obeyed.filter { scalar in
      ForeignText.shown("a\(scalar)b").unicodeScalars.contains(where: isObeyed)
    }
    #expect(passed.map(\.value) == [])
    // A row has one line, whatever a text begins and ends with.
    #expect(ForeignText.shown("a\r\nb\n") == "a b ")
  }

  /// Letters, marks and signs of every script stay, the joiners that Devanagari needs among them.
  @Test func everythingElseStaysAsItIs() {
    let changed = everyScalar.filter { scalar in
      !isObeyed(scalar) && ForeignText.shown("a\(scalar)b") != "a\(scalar)b"
    }
    let expected = { (value: UInt32) in
      (0x206A...0x206F).contains(value) || (0xFFF9...0xFFFB).contains(value)
        || (0xE0000...0xE007F).contains(value)
    }
    #expect(changed.map(\.value).filter { !expected($0) } == [])
    for text in ["क्‍ष ज्ञ", "नेपाल", "शुभ🙏🏽", "שלום", "مرحبا", "車輛", "plain"] {
      #expect(ForeignText.shown(text) == text)
    }
  }

  @Test func whatIsNotShownLeavesASign() {
    #expect(ForeignText.shown("a\u{1B}[2J\u{7}b\u{7F}") == "a␛[2J␇b␡")
    #expect(ForeignText.shown("a\u{9B}2J\u{202E}b") == "a�2J�b")
    #expect(
      ForeignText.shown("one\r\ntwo\nthree\tfour\u{85}five\u{2028}six")
        == "one two three four five six")
    #expect(ForeignText.shown("\u{0}") == "␀")
  }

  /// Marks without end grow over the lines above and below.
  @Test func marksOnALetterAreBounded() {
    let most = "a" + String(repeating: "\u{301}", count: Limits.marksOnALetter)
    #expect(ForeignText.shown(most + "b") == most + "b")
    #expect(ForeignText.shown(most + String(repeating: "\u{302}", count: 500) + "b") == most + "�b")
  }

  // As glibc's wcwidth and the terminals that follow Unicode count them.
  @Test(arguments: [
    ("", 0), ("plain", 5), ("नेपाल", 4), ("बा १ पा", 7), ("क्ष", 2), ("車輛番号", 8), ("ｶﾀｶﾅ", 4),
    ("カタカナ", 8),
    ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("🚗", 2), ("e\u{301}", 1), ("é", 1),
    ("a\u{200D}b", 2),
    ("（+977）", 8), ("𠮷", 2), ("שלום", 4), ("…•", 2), ("\u{FE0F}", 0),
  ])
  func columnsAreThoseOfATerminal(text: String, columns: Int) {
    #expect(ForeignText.width(text) == columns)
    #expect(ForeignText.width(ForeignText.padded(text, to: 12)) == 12)
  }

  @Test func jsonKeepsItsValue() throws {
    let hostile = String(
      String.UnicodeScalarView(everyScalar.filter { $0.value < 0x3000 || isObeyed($0) }))
    let json = try JSONText.encode(JSONValue.object(["k\u{9B}": .text(hostile)]))
    #expect(json.unicodeScalars.filter(isObeyed).isEmpty)
    #expect(JSONText.decode(json.utf8) == .object(["k\u{9B}": .text(hostile)]))
    #expect(try JSONText.encode(["a": "नेपाल"]) == #"{"a":"नेपाल"}"#)
    let pretty = try JSONText.encode(["a": "\u{202E}"], pretty: true)
    #expect(pretty.split(separator: "\n").count == 3 && pretty.contains(#""\u202e""#))
  }
}
