import Passages
import SeededRandom
import Testing

@Suite struct PlateTests {
  @Test(arguments: [
    ("BA 1 PA 1234", "BA1PA1234"), ("ba-1-pa-1234", "BA1PA1234"), ("बा १ प १२३४", "BA1PA1234"),
    ("बा१पा१२३४", "BA1PA1234"), ("बा. १ पा. १२३४", "BA1PA1234"), ("BA १ PA 1234", "BA1PA1234"),
    ("ना ५ ख ७७", "NA5KHA77"), ("ज २ च ९००१", "JA2CHA9001"), ("को १ ज ५६७८", "KO1JA5678"),
    ("लु २ ख ७७", "LU2KHA77"), ("ध ३ ग ४५", "DHA3GA45"), ("रा १ झ २", "RA1JHA2"),
    ("भे १ क २", "BHE1KA2"), ("से १ म ३", "SE1MA3"), ("मे ४ ह ९", "ME4HA9"),
    ("सा ४ य ९", "SA4YA9"), ("प्रदेश ३ ०१ ००१ च १२३४", "P301001CHA1234"),
    ("बागमती प १२३४", "BAGMATIPA1234"), ("बा\u{200D} १\u{200C} प १२३४", "BA1PA1234"),
  ])
  func compactForm(raw: String, compact: String) throws {
    let plate = try Plate(raw)
    #expect(plate.compact == compact)
    #expect(plate.raw == raw)
  }

  @Test func isShownInGroups() throws {
    #expect(try Plate("बा१पा१२३४").display == "BA 1 PA 1234")
    #expect(try Plate("1234").display == "1234")
  }

  @Test func isTheSameVehicleInAnyScript() throws {
    let plates = try ["BA 1 PA 1234", "बा १ पा १२३४", "ba1pa1234"].map { try Plate($0) }
    #expect(Set(plates).count == 1)
  }

  @Test func showsTheCharacterThatIsUnknown() {
    #expect(throws: PlateError.unmapped(character: "日", position: 4)) { try Plate("BA 日 1") }
    #expect(throws: PlateError.unmapped(character: "É", position: 1)) { try Plate("ÉA1PA1234") }
    // A mark that a reader put where it could not read a character is no divider.
    #expect(throws: PlateError.unmapped(character: "#", position: 11)) { try Plate("LU 2 KHA 7#7") }
    // A vowel sign without its consonant is no letter.
    #expect(throws: PlateError.unmapped(character: "\u{93F}", position: 1)) {
      try Plate("\u{93F}1234")
    }
    let error = PlateError.unmapped(character: "日", position: 4)
    #expect(error.description.contains("'日' (U+65E5) as character 4"))
    let invisible = PlateError.unmapped(character: "\u{7}", position: 1)
    #expect(invisible.description.contains("U+0007"))
    #expect(!invisible.description.unicodeScalars.contains("\u{7}"))
  }

  @Test func hasBoundsOnItsLength() throws {
    #expect(throws: PlateError.empty) { try Plate("") }
    #expect(throws: PlateError.empty) { try Plate(" - . ") }
    #expect(throws: PlateError.tooShort(1)) { try Plate("B") }
    #expect(try Plate(String(repeating: "A", count: 20)).compact.count == 20)
    #expect(throws: PlateError.tooLong(21)) { try Plate(String(repeating: "A", count: 21)) }
    #expect(throws: PlateError.tooLong(10_000)) { try Plate(String(repeating: " ", count: 10_000)) }
  }

  @Test func randomTextGivesACompactPlateOrAnError() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      var raw = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let value =
          Bool.random(using: &random)
          ? UInt32.random(in: 0x900...0x97F, using: &random)
          : UInt32.random(in: 0...0x2FF, using: &random)
        if let scalar = Unicode.Scalar(value) { raw.unicodeScalars.append(scalar) }
      }
      guard let plate = try? Plate(raw) else { continue }
      #expect((2...20).contains(plate.compact.utf8.count))
      #expect(plate.compact.allSatisfy { "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".contains($0) })
      #expect((try? Plate(plate.display)) == plate)
    }
  }
}
