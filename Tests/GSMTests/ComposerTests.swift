import GSM
import SeededRandom
import Testing

/// 3GPP TS 23.040 9.2.3.24.1: how a text becomes messages.
struct ComposerTests {
  private let recipient = Address(typeOfNumber: .international, digits: "9779841234567")

  private func messages(_ text: String, _ options: SubmitOptions = SubmitOptions()) throws
    -> [SMSSubmit]
  {
    try MessageComposer.messages(text: text, to: recipient, options: options)
  }

  private func options(_ change: (inout SubmitOptions) -> Void) -> SubmitOptions {
    var options = SubmitOptions()
    change(&options)
    return options
  }

  // In the default alphabet 160, then 153 a part; in UCS-2 70, then 67; with 16 bits 152 and 66.
  @Test(arguments: [
    ("A", 0, false, 1), ("A", 160, false, 1), ("A", 161, false, 2), ("A", 306, false, 2),
    ("A", 307, false, 3), ("A", 304, true, 2), ("A", 305, true, 3), ("न", 70, false, 1),
    ("न", 71, false, 2), ("न", 134, false, 2), ("न", 135, false, 3), ("न", 132, true, 2),
    ("न", 133, true, 3), ("€", 80, false, 1), ("€", 81, false, 2), ("€", 153, false, 3),
    ("😁", 35, false, 1), ("😁", 36, false, 2), ("😁", 66, false, 2), ("😁", 67, false, 3),
    ("😁", 66, true, 2), ("A", 255 * 153, false, 255),
  ])
  func takesParts(_ letter: String, count: Int, wide: Bool, parts: Int) throws {
    let text = String(repeating: letter, count: count)
    let made = try messages(text, options { $0.uses16BitReference = wide })
    #expect(made.count == parts)
    #expect(made.allSatisfy { ($0.userData.header == nil) == (parts == 1) })
    #expect(made.compactMap(\.userData.text).joined() == text)
  }

  @Test func countsOctetsInEightBits() throws {
    let forced = options { $0.alphabet = .eightBit }
    #expect(try messages(String(repeating: "A", count: 140), forced).count == 1)
    #expect(try messages(String(repeating: "A", count: 268), forced).count == 2)
    let made = try messages(String(repeating: "A", count: 269), forced)
    #expect(made.map { $0.userData.data?.count } == [134, 134, 1])
    let wide = options {
      $0.alphabet = .eightBit
      $0.uses16BitReference = true
    }
    #expect(try messages(String(repeating: "A", count: 266), wide).count == 2)
    #expect(try messages(String(repeating: "A", count: 267), wide).count == 3)
  }

  @Test func goesOverToUCS2ForOneStranger() throws {
    #expect(try messages("BA 1 PA 1234 | car").map(\.coding.octet) == [0x00])
    #expect(try messages("BA 1 PA 1234 – car").map(\.coding.octet) == [0x08])
    #expect(try messages("ç").map(\.coding.octet) == [0x08])
    #expect(try messages("Ç").map(\.coding.octet) == [0x00])
  }

  @Test func usesTheAlphabetThatIsAskedFor() throws {
    let wide = try messages("hello", options { $0.alphabet = .ucs2 })
    #expect(wide[0].userData.content == .ucs2([0x68, 0x65, 0x6C, 0x6C, 0x6F]))
    let narrow = options { $0.alphabet = .gsm7 }
    #expect(throws: PDUError.character("न", alphabet: "GSM 7-bit")) { try messages("aन", narrow) }
  }

  @Test func sendsNationalTablesInTheHeader() throws {
    let turkish = options { $0.tables = ShiftTables(locking: .turkish, single: .turkish) }
    let single = try messages("ığş", turkish)
    #expect(single.count == 1)
    #expect(single[0].coding.alphabet == .gsm7)
    #expect(single[0].userData.header?.tables == ShiftTables(locking: .turkish, single: .turkish))
    #expect(single[0].userData.text == "ığş")
    // The header of 7 octets takes 8 septets of the 160.
    #expect(try messages(String(repeating: "ı", count: 152), turkish).count == 1)
    let two = try messages(String(repeating: "ı", count: 153), turkish)
    #expect(two.count == 2)
    #expect(two.allSatisfy { $0.userData.header?.tables.locking == .turkish })
    // What no table holds goes in UCS-2, without them.
    let stranger = try messages("ığşन", turkish)
    #expect(stranger[0].userData.header == nil)
    #expect(stranger[0].coding.alphabet == .ucs2)
  }

  @Test func neverCutsAnEscapePair() throws {
    for lead in 0...3 {
      let text = String(repeating: "A", count: lead) + String(repeating: "€", count: 160)
      for wide in [false, true] {
        let made = try messages(text, options { $0.uses16BitReference = wide })
        for message in made {
          guard case .gsm7(let septets) = message.userData.content else {
            Issue.record("not in the default alphabet")
            return
          }
          #expect(septets.last != 0x1B)
          #expect(septets.count <= (wide ? 152 : 153))
        }
        #expect(made.compactMap(\.userData.text).joined() == text)
      }
    }
  }

  @Test func neverCutsASurrogatePair() throws {
    for lead in 0...3 {
      let text = String(repeating: "न", count: lead) + String(repeating: "😁", count: 70)
      for wide in [false, true] {
        let made = try messages(text, options { $0.uses16BitReference = wide })
        for message in made {
          guard case .ucs2(let units) = message.userData.content else {
            Issue.record("not in UCS-2")
            return
          }
          #expect(!UTF16.isLeadSurrogate(units.last ?? 0))
          #expect(!UTF16.isTrailSurrogate(units.first ?? 0))
        }
        #expect(made.compactMap(\.userData.text).joined() == text)
      }
    }
  }

  @Test func numbersTheParts() throws {
    let text = String(repeating: "A", count: 400)
    let narrow = try messages(text, options { $0.concatenationReference = 0x1234 })
    #expect(
      narrow.map { $0.userData.header?.concatenation }
        == (1...3).map { Concatenation(reference: 0x34, total: 3, part: $0) })
    let wide = try messages(
      text,
      options {
        $0.concatenationReference = 0x1234
        $0.uses16BitReference = true
      })
    #expect(
      wide.map { $0.userData.header?.concatenation }
        == (1...3).map { Concatenation(reference: 0x1234, is16Bit: true, total: 3, part: $0) })
  }

  @Test func carriesTheOptions() throws {
    let made = try messages(
      "hello",
      options {
        $0.requestsStatusReport = false
        $0.validity = .relative(0x0B)
        $0.messageClass = 1
        $0.rejectsDuplicates = true
      })
    #expect(!made[0].requestsStatusReport && made[0].rejectsDuplicates)
    #expect(made[0].validity == .relative(0x0B))
    #expect(made[0].coding.octet == 0x11)
    #expect(try messages("hello")[0].requestsStatusReport)
  }

  @Test func refusesMorePartsThanThereCanBe() throws {
    #expect(throws: PDUError.tooManyParts(256)) {
      try messages(String(repeating: "A", count: 255 * 153 + 1))
    }
    let one = options { $0.maximumParts = 1 }
    // An extension character counts twice.
    #expect(
      throws: PDUError.partsNotAllowed(needed: 2, allowed: 1, length: 161, alphabet: .gsm7)
    ) {
      try messages(String(repeating: "A", count: 159) + "€", one)
    }
    #expect(
      throws: PDUError.partsNotAllowed(needed: 2, allowed: 1, length: 71, alphabet: .ucs2)
    ) {
      try messages(String(repeating: "ब", count: 71), one)
    }
    #expect(try messages(String(repeating: "A", count: 160), one).count == 1)
  }

  // The number for AT+CMGS leaves the SMSC part out (3GPP TS 27.005 4.3).
  @Test func makesWhatAModemTakes() throws {
    let made = try MessageComposer.submit(
      text: "hello", to: recipient, options: options { $0.validity = .relative(0x47) })
    #expect(
      made == [
        EncodedPDU(
          octets: try Hex.decode(
            "00" + "3100" + "0D91799748214365F7" + "0000" + "47" + "05E8329BFD06"))
      ])
    #expect(made[0].hex == "0031000D91799748214365F70000" + "47" + "05E8329BFD06")
    #expect(made[0].length == 20)
    let withCentre = EncodedPDU(octets: [2, 0x91, 0x21, 0x01, 0x00], smscOctets: 3)
    #expect(withCentre.length == 2)
  }

  @Test func bringsEveryTextBack() throws {
    let letters = Array("aA0 |€[]~\\@$_\nÇΞनम ्😁𝄞–")
    for seed in UInt64(0)..<2_000 {
      var random = SplitMix64(seed: seed)
      // Every other text stays within the default alphabet.
      let choice = seed.isMultiple(of: 2) ? letters.prefix(16) : letters[...]
      let count = Int.random(in: 0...400, using: &random)
      let text = String((0..<count).compactMap { _ in choice.randomElement(using: &random) })
      let made = try MessageComposer.submit(
        text: text, to: recipient,
        options: options {
          $0.uses16BitReference = Bool.random(using: &random)
          $0.concatenationReference = UInt16.random(in: 0...UInt16.max, using: &random)
        })
      var units: [UInt16] = []
      var back = ""
      for (index, encoded) in made.enumerated() {
        #expect(encoded.hex.utf8.count == encoded.length * 2 + 2, "seed \(seed)")
        let pdu = try PDU.decode(hex: encoded.hex, direction: .mobileOriginated)
        guard case .submit(let message) = pdu.tpdu else {
          Issue.record("seed \(seed): not a submit")
          return
        }
        if made.count > 1 {
          let place = message.userData.header?.concatenation
          #expect(place?.part == UInt8(index + 1), "seed \(seed)")
          #expect(place?.total == UInt8(made.count), "seed \(seed)")
        }
        back += message.userData.text ?? ""
        units += Array((message.userData.text ?? "").utf16)
      }
      #expect(units == Array(text.utf16), "seed \(seed)")
      #expect(back == text, "seed \(seed)")
    }
  }
}
