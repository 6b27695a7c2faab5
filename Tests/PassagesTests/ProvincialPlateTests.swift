import Passages
import SeededRandom
import Testing

/// Plates that a province of Nepal gave, as they are painted, embossed, and written by people and papers.
@Suite struct ProvincialPlateTests {
  @Test(arguments: [
    "बागमती प्रदेश ०२ ०३३ च १२३४", "बागमती प्रदेश ०२–०३३ च १२३४", "बागमतीप्रदेश०२०३३च१२३४",
    "वाग्मती प्रदेश ०२–०३३ च १२३४", "बा प्र ०२–०३३ च. १२३४", "बा.प्र.०२-०३३ च १२३४",
    "प्रदेश ३-०२-०३३ च १२३४", "प्रदेश नं. ३ ०२ ०३३ च १२३४", "प्र.३-०२-०३३ च १२३४",
    "Bagmati Pradesh 02 033 Cha 1234", "BAGMATI PRADESH 02-033 CHA 1234",
    "Bagmati Province 02 033 Cha 1234", "Bagmati State 2 33 cha 1234", "Bagmati 02 033 Cha 1234",
    "bagmati02033cha1234", "BAGMATI02033CHA1234", "BAGMATIPRADESH02033CHA1234",
    "Ba Pra 02-033 Cha 1234", "Pradesh 3 02 033 Cha 1234", "Pradesh No. 3 02 033 Cha 1234",
    "Province 3-02-033 Cha 1234", "Province No 3-02-033 Cha 1234", "PRADESH302033CHA1234",
    "State 3 02 033 CHA 1234", "बागमती प्रदेश 02 033 CHA 1234", "P3 02 033 CHA 1234",
    "p-3-2-33-cha-1234", "P302033CHA1234",
  ])
  func everySpellingIsOneVehicle(raw: String) throws {
    let plate = try Plate(raw)
    #expect(plate.compact == "P302033CHA1234")
    #expect(plate.display == "P3 02 033 CHA 1234")
    #expect(plate.raw == raw)
  }

  @Test(arguments: [
    (
      "कोशी प्रदेश ०१ ००१ प १", "Koshi Pradesh 01 001 Pa 1", "Province 1 01 001 Pa 0001", "P101001PA0001"
    ),
    ("मधेश प्रदेश ०१ ०१२ प ९२७", "Madhesh 1 12 Pa 927", "Pradesh 2 01 012 Pa 927", "P201012PA0927"),
    ("गण्डकी प्रदेश ०१ ००१ ख २", "Gandaki 01-001 Kha 2", "Ga Pra 01 001 Kha 2", "P401001KHA0002"),
    ("लुम्बिनी प्रदेश ०१ ००१ प १२३४", "Lumbini 01 001 Pa 1234", "लुम्विनी प्रदेश ०१ ००१ प १२३४", "P501001PA1234"),
    ("कर्णाली प्रदेश ०२ ००३ ज ७७", "Karnali Province 02 003 Ja 77", "P6 02 003 JA 77", "P602003JA0077"),
    (
      "सुदूरपश्चिम प्रदेश ०३ ०११ च ९", "Sudur Pashchim Pradesh 3 11 Cha 9", "सुदुर पश्चिम प्रदेश ०३ ०११ च ९",
      "P703011CHA0009"
    ),
    ("बागमती B AB 0123", "Bagmati B AB 0123", "Bagmati Pradesh BAB 123", "P3BAB0123"),
    ("लुम्बिनी A BC १२३४", "LUMBINI-A-BC-1234", "Province 5 A BC 1234", "P5ABC1234"),
    ("बागमती प्रदेश ०२२ प २३८०", "Bagmati Pradesh 022 Pa 2380", "Pradesh 3-022 Pa 2380", "P3022PA2380"),
  ])
  func everyProvinceHasOneShortForm(first: String, second: String, third: String, short: String)
    throws
  {
    #expect(try Set([first, second, third, short].map { try Plate($0).compact }) == [short])
  }

  @Test(arguments: [
    ("BA 1 PA 1234", "BA1PA1234"), ("KO 2 CHA 3344", "KO2CHA3344"), ("LU 2 KHA 77", "LU2KHA77"),
    ("GA 1 JA 12", "GA1JA12"), ("KA 1 CHA 1", "KA1CHA1"), ("SE 1 PA 2", "SE1PA2"),
    ("ग १ च १२३४", "GA1CHA1234"), ("बा २ प ३", "BA2PA3"), ("BA PRA", "BAPRA"),
    // The zone of that name, or none at all: nothing says that it is the province.
    ("Bagmati 1 Pa 1234", "BAGMATI1PA1234"), ("Lumbini 2 Kha 77", "LUMBINI2KHA77"),
    ("Bagmati Kha 1234", "BAGMATIKHA1234"),
    // Which province, this does not say.
    ("Pradesh 02 033 Cha 1234", "PRADESH02033CHA1234"),
    ("Pradesh 8 01 001 Pa 1", "PRADESH801001PA1"),
  ])
  func whatIsNoProvincesStaysWhatItIs(raw: String, compact: String) throws {
    #expect(try Plate(raw).compact == compact)
  }

  @Test func aWordForNumberStandsOnlyBehindTheProvince() {
    #expect(throws: PlateError.unmapped(character: "\u{902}", position: 5)) {
      try Plate("बा नं १ प १")
    }
  }

  @Test func aTextWithThePlateStaysAsItCame() throws {
    let body = "V1|BNP-A|BAGMATI02033CHA1234|CAR|1709123456|4567"
    let message = try V1Message.decode(body, window: nil)
    #expect(message.body == body)
    #expect(message.clientID == ClientID.content(canonicalBody: body))
  }

  /// The seven in both scripts, each spelled in the ways people use.
  private static let heads: [[String]] = [
    [
      "Koshi Pradesh ", "Koshi Province ", "Pradesh 1 ", "Province 1-", "कोशी प्रदेश ", "प्रदेश १ ", "P1 ",
      "Koshi ",
    ],
    [
      "Madhesh Pradesh ", "Province No. 2 ", "Pradesh 2-", "मधेश प्रदेश ", "प्रदेश नं. २ ", "P2-",
      "Madhes ",
    ],
    [
      "Bagmati Pradesh ", "Bagmati State ", "Province 3 ", "बागमती प्रदेश ", "बा. प्र. ", "P 3 ",
      "BAGMATI-",
    ],
    ["Gandaki Pradesh ", "gandaki province ", "State 4 ", "गण्डकी प्रदेश ", "ग.प्र. ", "P4 ", "Gandaki "],
    ["Lumbini Pradesh ", "Prov. 5 ", "Pradesh 5 ", "लुम्बिनी प्रदेश ", "लु प्र ", "P5-", "Lumbini "],
    ["Karnali Pradesh ", "Province 6 ", "कर्णाली प्रदेश ", "प्रदेश-६-", "P6 ", "Karnali "],
    [
      "Sudurpashchim Pradesh ", "Sudur Paschim ", "Pradesh 7 ", "सुदूरपश्चिम प्रदेश ", "सुदुर पश्चिम प्रदेश ",
      "P7 ",
    ],
  ]
  private static let categories = [
    ("KA", "क"), ("KHA", "ख"), ("GA", "ग"), ("GHA", "घ"), ("CHA", "च"), ("JA", "ज"), ("JHA", "झ"),
    ("TA", "त"), ("THA", "थ"), ("PA", "प"), ("PHA", "फ"), ("YA", "य"), ("HA", "ह"),
  ]

  private static func devanagari(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          (0x30...0x39).contains($0.value)
            ? Unicode.Scalar($0.value - 0x30 + 0x966) ?? $0 : $0
        }))
  }

  private static func padded(_ number: Int, to count: Int) -> String {
    String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
  }

  /// Every vehicle in any spelling has one key; no two have the same; a key read again is itself.
  @Test func spellingsAndVehiclesAreToldApart() throws {
    var random = SplitMix64(seed: 9)
    var vehicleOfKey: [String: String] = [:]
    for _ in 0..<4_000 {
      let province = Int.random(in: 0..<7, using: &random)
      let office = Int.random(in: 1...99, using: &random)
      let lot = Int.random(in: 1...999, using: &random)
      let category = Self.categories.randomElement(using: &random) ?? ("PA", "प")
      let serial = Int.random(in: 1...9_999, using: &random)
      let isEmbossed = Int.random(in: 0..<4, using: &random) == 0
      let series =
        "\("ABCDEFGHIJK".randomElement(using: &random) ?? "A") "
        + String(
          (0..<2).map { _ in "ABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement(using: &random) ?? "A" })
      let vehicle =
        isEmbossed
        ? "\(province) \(series) \(serial)" : "\(province) \(office) \(lot) \(category.0) \(serial)"
      var keys: Set<String> = []
      for _ in 0..<3 {
        let head = Self.heads[province].randomElement(using: &random) ?? ""
        let isPadded = Bool.random(using: &random)
        let digits =
          isPadded
          ? (Self.padded(office, to: 2), Self.padded(lot, to: 3), Self.padded(serial, to: 4))
          : ("\(office)", "\(lot)", "\(serial)")
        let space = ["-", " ", ". ", "–"].randomElement(using: &random) ?? " "
        let letters = Bool.random(using: &random) ? category.1 : category.0.lowercased()
        var raw =
          head
          + (isEmbossed
            ? "\(series) \(digits.2)"
            : "\(digits.0)\(space)\(digits.1) \(letters)\(space)\(digits.2)")
        if Bool.random(using: &random) { raw = Self.devanagari(raw) }
        if Bool.random(using: &random) { raw = raw.lowercased() }
        let plate = try Plate(raw)
        keys.insert(plate.compact)
        #expect(plate.compact.hasPrefix("P\(province + 1)"), "\(raw)")
        #expect(try Plate(plate.compact).compact == plate.compact)
        #expect(try Plate(plate.display).compact == plate.compact)
      }
      #expect(keys.count == 1, "\(vehicle): \(keys)")
      for key in keys {
        #expect(vehicleOfKey[key] ?? vehicle == vehicle)
        vehicleOfKey[key] = vehicle
      }
    }
  }

  /// No plate of a zone is taken for one of a province, and whatever is read is itself when read again.
  @Test func whatIsReadIsItselfWhenReadAgain() throws {
    var random = SplitMix64(seed: 10)
    let zones = [
      "ME", "KO", "SA", "JA", "BA", "NA", "GA", "LU", "DHA", "RA", "BHE", "KA", "SE", "MA",
    ]
    for zone in zones {
      for _ in 0..<50 {
        let category = Self.categories.randomElement(using: &random)?.0 ?? "PA"
        let raw =
          "\(zone) \(Int.random(in: 1...120, using: &random)) \(category) \(Int.random(in: 1...9_999, using: &random))"
        #expect(try Plate(raw).compact == raw.filter { $0 != " " })
      }
    }
    let pieces = [
      "P", "PRADESH", "Bagmati", "BA", "PRA", "State", "No", "प्रदेश", "नं", "कोशी", "1", "3", "02",
      "033", "12345",
      "७", "CHA", "A", "BC", "प", "K", "SUDUR", "PASHCHIM", "Koshi",
    ]
    for _ in 0..<20_000 {
      var raw = ""
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        raw +=
          (pieces.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
      }
      guard let plate = try? Plate(raw) else { continue }
      #expect(try Plate(plate.compact).compact == plate.compact, "\(raw)")
      #expect(try Plate(plate.display).compact == plate.compact, "\(raw)")
    }
  }
}
