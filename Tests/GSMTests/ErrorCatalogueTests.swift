import Testing

@testable import GSM

/// What each code of 3GPP TS 27.005 3.2.5 and 3GPP TS 27.007 9.2 asks for.
struct ErrorCatalogueTests {
  private static let cms: [(ErrorClass, [Int])] = [
    (.soon, [17, 41, 81, 98, 192, 212, 301, 314]),
    (
      .later,
      [22, 27, 38, 42, 47, 111, 127, 194, 210, 213, 255, 300, 302, 320, 331, 332, 341, 500]
    ),
    (
      .alert,
      [8, 28, 30, 50, 69, 193, 209, 303, 310, 311, 312, 313, 315, 316, 317, 318, 330]
    ),
    (
      .permanent,
      [
        95, 96, 97, 99, 128, 129, 130, 143, 144, 145, 159, 160, 161, 175, 176, 195, 196, 198, 199,
        304, 305, 321, 340,
      ]
    ),
    (.destination, [1, 10, 21, 29]),
    (.storage, [208, 211, 322]),
    (.done, [197]),
  ]

  private static let cme: [(ErrorClass, [Int])] = [
    (.soon, [14, 52, 256, 258, 259, 515]),
    (
      .later,
      [
        0, 1, 2, 3, 23, 30, 31, 51, 53, 55, 57, 60, 100, 104, 109, 110, 114, 115, 116, 117, 118,
        119, 122, 125, 126, 132, 134, 139, 148, 149, 150, 183, 261, 263, 772,
      ]
    ),
    (
      .alert,
      [
        4, 5, 6, 7, 10, 11, 12, 13, 15, 16, 17, 18, 32, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 54,
        56, 102, 103, 105, 106, 107, 108, 111, 112, 113, 133, 177, 262,
      ]
    ),
    (.storage, [20]),
    (.permanent, [21, 22, 24, 25, 26, 27, 50, 58, 59, 61, 63, 260]),
    (.destination, [62, 257]),
  ]

  @Test func sortsEveryCMSCode() {
    for (errorClass, codes) in Self.cms {
      for code in codes {
        let error = ModemError(.cms, code: code)
        #expect(error.errorClass == errorClass, "CMS \(code)")
        #expect(error.code == code && error.kind == .cms)
        #expect(!error.words.isEmpty && error.words != "unknown", "CMS \(code)")
      }
    }
    #expect(Set(ErrorCatalogue.cms.map(\.code)) == Set(Self.cms.flatMap(\.1)))
  }

  @Test func sortsEveryCMECode() {
    for (errorClass, codes) in Self.cme {
      for code in codes {
        let error = ModemError(.cme, code: code)
        #expect(error.errorClass == errorClass, "CME \(code)")
        #expect(!error.words.isEmpty, "CME \(code)")
      }
    }
    #expect(Set(ErrorCatalogue.cme.map(\.code)) == Set(Self.cme.flatMap(\.1)))
  }

  @Test func namesNoCodeTwice() {
    for table in [ErrorCatalogue.cms, ErrorCatalogue.cme] {
      let codes = table.map(\.code)
      #expect(codes == codes.sorted())
      #expect(Set(codes).count == codes.count)
    }
  }

  // 3GPP TS 24.011: an unknown cause of the network's is a 41.
  @Test func takesUnknownCodesByTheirRange() {
    for code in [2, 31, 34, 126] {
      #expect(ModemError(.cms, code: code).errorClass == .soon, "CMS \(code)")
    }
    for code in [0, -1, 131, 254, 256, 333, 511, 512, 513, 9_999, Int.max, Int.min] {
      #expect(ModemError(.cms, code: code).errorClass == .later, "CMS \(code)")
    }
    for code in [123, 124, 127, 131, 135, 147, 151, 171, 233, -1, Int.max] {
      #expect(ModemError(.cme, code: code).errorClass == .later, "CME \(code)")
    }
  }

  @Test func knowsWhenAMessageMayHaveGoneAllTheSame() {
    #expect(ModemError(.cms, code: 332).isOutcomeUnknown)
    #expect(!ModemError(.cms, code: 38).isOutcomeUnknown)
    #expect(!ModemError(.cms, code: 331).isOutcomeUnknown)
    #expect(!ModemError(.cme, code: 30).isOutcomeUnknown)
    // Network timeout, as 3GPP TS 27.007 numbers it; the same number means another thing in CMS.
    #expect(ModemError(.cme, code: 31).isOutcomeUnknown)
    #expect(!ModemError(.cms, code: 31).isOutcomeUnknown)
    // Firmware that answers with the other prefix means the same.
    #expect(ModemError(.cme, code: 332).isOutcomeUnknown)
  }

  @Test func advisesForEveryClass() {
    let samples = [41, 38, 310, 304, 21, 322, 197].map { ModemError(.cms, code: $0) }
    #expect(samples.map(\.errorClass) == ErrorClass.allCases)
    #expect(Set(samples.map(\.advice)).count == ErrorClass.allCases.count)
  }
}
