import Testing

@testable import GSM

/// 3GPP TS 23.038 annex A.
struct NationalTableTests {
  @Test(arguments: NationalLanguage.allCases)
  func hasALockingTableOf128Positions(_ language: NationalLanguage) throws {
    let table = NationalTables.locking(language)
    try #require(table.count == 128)
    #expect(table[0x1B] == DefaultAlphabet.basic[0x1B])
    // Every table keeps the line ends, the space, the digits and the small letters.
    #expect(table[0x0A] == "\n")
    #expect(table[0x0D] == "\r")
    #expect(table[0x20] == " ")
    for septet in Array(0x30...0x39) + Array(0x61...0x7A) {
      #expect(table[septet] == Unicode.Scalar(UInt8(septet)), "septet \(septet)")
    }
    let mapped = table.compactMap { $0 }
    #expect(Set(mapped).count == mapped.count, "a character stands twice")
  }

  @Test(arguments: NationalLanguage.allCases)
  func bringsEveryLockingCharacterBack(_ language: NationalLanguage) {
    let tables = ShiftTables(locking: language)
    for (septet, scalar) in NationalTables.locking(language).enumerated() where septet != 0x1B {
      guard let scalar else {
        #expect(GSMText.text(septets: [UInt8(septet)], tables: tables) == "\u{FFFD}")
        continue
      }
      #expect(GSMText.text(septets: [UInt8(septet)], tables: tables) == String(scalar))
      #expect(GSMText.septets(String(scalar), tables: tables) == [UInt8(septet)], "\(scalar)")
    }
  }

  @Test(arguments: NationalLanguage.allCases)
  func bringsEverySingleShiftCharacterBack(_ language: NationalLanguage) {
    let tables = ShiftTables(locking: language, single: language)
    var seen: Set<UInt8> = []
    for (septet, scalar) in NationalTables.single(language) {
      #expect(septet < 0x80 && septet != 0x1B && septet != 0x0D)
      #expect(seen.insert(septet).inserted, "septet \(septet) stands twice")
      #expect(GSMText.text(septets: [0x1B, septet], tables: tables) == String(scalar))
      // A character of both tables goes the short way, one that stands twice by its first place.
      let septets = GSMText.septets(String(scalar), tables: tables)
      #expect(septets != nil, "\(scalar)")
      #expect(GSMText.text(septets: septets ?? [], tables: tables) == String(scalar))
    }
    // What every single shift table keeps of the extension table.
    for (septet, scalar) in DefaultAlphabet.extended {
      #expect(GSMText.text(septets: [0x1B, septet], tables: tables) == String(scalar))
    }
  }

  /// Single places of every table, the first and last letters of each script among them.
  @Test(arguments: [
    (NationalLanguage.turkish, 0x04, "€"), (.turkish, 0x07, "ı"), (.turkish, 0x0B, "Ğ"),
    (.turkish, 0x1C, "Ş"), (.turkish, 0x1D, "ş"), (.turkish, 0x40, "İ"), (.turkish, 0x60, "ç"),
    (.portuguese, 0x04, "ê"), (.portuguese, 0x12, "ª"), (.portuguese, 0x15, "∞"),
    (.portuguese, 0x18, "€"), (.portuguese, 0x1A, "|"), (.portuguese, 0x5B, "Ã"),
    (.portuguese, 0x60, "~"), (.portuguese, 0x7D, "`"),
    (.bengali, 0x00, "\u{0981}"), (.bengali, 0x15, "ক"), (.bengali, 0x5F, "\u{09CD}"),
    (.bengali, 0x60, "ৎ"), (.bengali, 0x7F, "ৱ"),
    (.gujarati, 0x00, "\u{0A81}"), (.gujarati, 0x15, "ક"), (.gujarati, 0x60, "ૐ"),
    (.gujarati, 0x7F, "\u{0AF1}"),
    (.hindi, 0x00, "\u{0901}"), (.hindi, 0x03, "अ"), (.hindi, 0x15, "क"), (.hindi, 0x22, "ट"),
    (.hindi, 0x2A, "थ"), (.hindi, 0x2F, "न"), (.hindi, 0x3C, "ऩ"), (.hindi, 0x40, "ब"),
    (.hindi, 0x45, "ऱ"), (.hindi, 0x4D, "ह"), (.hindi, 0x4E, "\u{093C}"),
    (.hindi, 0x5F, "\u{094D}"), (.hindi, 0x60, "ॐ"), (.hindi, 0x7B, "ॲ"), (.hindi, 0x7F, "ॿ"),
    (.kannada, 0x01, "\u{0C82}"), (.kannada, 0x15, "ಕ"), (.kannada, 0x5F, "\u{0CCD}"),
    (.malayalam, 0x01, "\u{0D02}"), (.malayalam, 0x15, "ക"), (.malayalam, 0x7F, "൹"),
    (.oriya, 0x00, "\u{0B01}"), (.oriya, 0x15, "କ"), (.oriya, 0x5F, "\u{0B4D}"),
    (.punjabi, 0x00, "\u{0A01}"), (.punjabi, 0x15, "ਕ"), (.punjabi, 0x7E, "ੳ"),
    (.tamil, 0x01, "\u{0B82}"), (.tamil, 0x15, "க"), (.tamil, 0x60, "ௐ"), (.tamil, 0x7F, "௹"),
    (.telugu, 0x00, "\u{0C01}"), (.telugu, 0x15, "క"), (.telugu, 0x5F, "\u{0C4D}"),
    (.urdu, 0x00, "ا"), (.urdu, 0x1A, "د"), (.urdu, 0x28, ")"), (.urdu, 0x29, "("),
    (.urdu, 0x5B, "ے"), (.urdu, 0x7F, "\u{0670}"),
  ])
  func hasInItsLockingTable(_ language: NationalLanguage, septet: Int, text: String) {
    let tables = ShiftTables(locking: language)
    #expect(GSMText.text(septets: [UInt8(septet)], tables: tables) == text)
  }

  @Test(arguments: [
    (NationalLanguage.turkish, 0x47, "Ğ"), (.turkish, 0x49, "İ"), (.turkish, 0x53, "Ş"),
    (.turkish, 0x63, "ç"), (.turkish, 0x67, "ğ"), (.turkish, 0x69, "ı"), (.turkish, 0x73, "ş"),
    (.spanish, 0x09, "ç"), (.spanish, 0x41, "Á"), (.spanish, 0x49, "Í"), (.spanish, 0x4F, "Ó"),
    (.spanish, 0x55, "Ú"), (.spanish, 0x61, "á"), (.spanish, 0x69, "í"), (.spanish, 0x6F, "ó"),
    (.spanish, 0x75, "ú"), (.portuguese, 0x05, "ê"), (.portuguese, 0x1F, "Ê"),
    (.portuguese, 0x5B, "Ã"), (.portuguese, 0x7F, "â"), (.hindi, 0x00, "@"), (.hindi, 0x19, "।"),
    (.hindi, 0x1C, "०"), (.hindi, 0x25, "९"), (.hindi, 0x2C, "\u{0958}"), (.hindi, 0x3A, "ॱ"),
    (.hindi, 0x41, "A"), (.hindi, 0x5A, "Z"), (.bengali, 0x19, "০"), (.bengali, 0x23, "৯"),
    (.gujarati, 0x1C, "૦"), (.kannada, 0x1C, "೦"), (.malayalam, 0x1C, "൦"), (.oriya, 0x1C, "୦"),
    (.punjabi, 0x1C, "੦"), (.tamil, 0x1C, "௦"), (.telugu, 0x1C, "౦"), (.urdu, 0x1C, "۰"),
    (.urdu, 0x3F, "۔"),
  ])
  func hasInItsSingleShiftTable(_ language: NationalLanguage, septet: Int, text: String) {
    let tables = ShiftTables(single: language)
    #expect(GSMText.text(septets: [0x1B, UInt8(septet)], tables: tables) == text)
  }

  @Test func mixesOneLanguagesLockingWithAnothersSingleShift() {
    let tables = ShiftTables(locking: .turkish, single: .spanish)
    #expect(GSMText.septets("ıá", tables: tables) == [0x07, 0x1B, 0x61])
    #expect(GSMText.text(septets: [0x07, 0x1B, 0x61], tables: tables) == "ıá")
    #expect(GSMText.septets("ğ", tables: ShiftTables(single: .turkish)) == [0x1B, 0x67])
    #expect(GSMText.septets("ğ") == nil)
  }

  @Test func hasNoLockingTableForSpanish() {
    #expect(NationalTables.locking(.spanish) == DefaultAlphabet.basic)
  }
}
