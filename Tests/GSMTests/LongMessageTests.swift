import GSM
import SeededRandom
import Testing

/// 3GPP TS 23.040 9.2.3.24.1, at the receiver's end.
struct LongMessageTests {
  private let sender = Address(typeOfNumber: .international, digits: "9779841234567")

  private func parts(
    _ text: String, reference: UInt16 = 7, wide: Bool = false, from: Address? = nil
  ) throws -> [SMSDeliver] {
    var options = SubmitOptions()
    options.concatenationReference = reference
    options.uses16BitReference = wide
    return try MessageComposer.messages(text: text, to: sender, options: options).map {
      SMSDeliver(from: from ?? sender, userData: $0.userData, timestamp: nil)
    }
  }

  private func part(_ place: Concatenation, _ content: UserContent) -> SMSDeliver {
    SMSDeliver(
      from: sender,
      userData: UserData(header: UserDataHeader(concatenation: place), content: content),
      timestamp: nil)
  }

  private func text(_ parts: SMSDeliver...) -> String? {
    SMSDeliver.joined(parts)?.userData.text
  }

  @Test func passesAMessageOfOnePartThrough() throws {
    let whole = SMSDeliver(from: sender, userData: UserData(text: "hello"), timestamp: nil)
    #expect(SMSDeliver.joined([whole]) == whole)
    let alone = part(Concatenation(reference: 1, total: 1, part: 1), .gsm7([0x41]))
    #expect(SMSDeliver.joined([alone]) == alone)
    let senseless = part(Concatenation(reference: 1, total: 2, part: 3), .gsm7([0x41]))
    #expect(SMSDeliver.joined([senseless]) == senseless)
    #expect(SMSDeliver.joined([whole, whole]) == nil)
    #expect(SMSDeliver.joined([]) == nil)
  }

  @Test func joinsPartsInAnyOrder() throws {
    let body = String(repeating: "passage|", count: 60)
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      let shuffled = try parts(body, wide: seed.isMultiple(of: 2)).shuffled(using: &random)
      for count in 1..<shuffled.count {
        #expect(SMSDeliver.joined(Array(shuffled.prefix(count))) == nil, "seed \(seed)")
      }
      #expect(SMSDeliver.joined(shuffled)?.userData.text == body, "seed \(seed)")
    }
  }

  @Test func keepsTheEnvelopeOfTheFirstPartWithoutItsPlace() throws {
    var pieces = try parts(String(repeating: "A", count: 200))
    pieces[0].timestamp = ServiceCentreTime(epochSeconds: 1_000, quarterHours: 0)
    let whole = try #require(SMSDeliver.joined([pieces[1], pieces[0]]))
    #expect(whole.timestamp?.epochSeconds == 1_000)
    #expect(whole.userData.header == nil)
    #expect(whole.originator == sender)
  }

  @Test func aRepeatedPartIsNotTheMissingOne() throws {
    let pieces = try parts(String(repeating: "A", count: 400))
    #expect(text(pieces[0], pieces[0]) == nil)
    #expect(text(pieces[0], pieces[0], pieces[2]) == nil)
    #expect(text(pieces[0], pieces[2], pieces[1]) == String(repeating: "A", count: 400))
  }

  @Test func keepsApartWhatHasAnotherKey() throws {
    let other = Address(typeOfNumber: .international, digits: "9779800000000")
    let sets = [
      try parts(String(repeating: "A", count: 200)),
      try parts(String(repeating: "B", count: 200), from: other),
      try parts(String(repeating: "C", count: 200), reference: 8),
      try parts(String(repeating: "D", count: 200), wide: true),
      try parts(String(repeating: "E", count: 400)),
    ]
    for (index, set) in sets.enumerated() {
      for (another, others) in sets.enumerated() where another != index {
        #expect(text(set[0], others[1]) == nil, "sets \(index) and \(another)")
      }
    }
    for (set, letter) in zip(sets.dropLast(), "ABCD") {
      #expect(text(set[0], set[1]) == String(repeating: letter, count: 200))
    }
  }

  // Senders do cut inside pairs, so parts are joined before they are decoded.
  @Test func joinsASurrogatePairThatTheSenderCut() {
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .ucs2([0x41, 0xD83D]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .ucs2([0xDE01, 0x42]))
    #expect(text(second, first) == "A😁B")
  }

  @Test func joinsAnEscapePairThatTheSenderCut() {
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .gsm7([0x41, 0x1B]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .gsm7([0x65, 0x42]))
    #expect(text(first, second) == "A€B")
  }

  @Test func joinsOctets() {
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .octets([1, 2]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .octets([3]))
    #expect(SMSDeliver.joined([second, first])?.userData.data == [1, 2, 3])
  }

  @Test func joinsPartsInDifferentAlphabets() {
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .gsm7([0x00, 0x1B, 0x65]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .ucs2([0x0928]))
    #expect(text(first, second) == "@€न")
    let empty = part(Concatenation(reference: 1, total: 2, part: 1), .gsm7([]))
    #expect(text(empty, second) == "न")
  }

  @Test func decodesEachPartByItsOwnTables() {
    let turkish = SMSDeliver(
      from: sender,
      userData: UserData(
        header: UserDataHeader(
          concatenation: Concatenation(reference: 1, total: 2, part: 1),
          tables: ShiftTables(locking: .turkish)), content: .gsm7([0x07])), timestamp: nil)
    let plain = part(Concatenation(reference: 1, total: 2, part: 2), .gsm7([0x07]))
    #expect(text(turkish, plain) == "ıì")
  }

  @Test func keepsTheTablesThatAllPartsShare() throws {
    var options = SubmitOptions()
    options.tables = ShiftTables(locking: .turkish)
    let body = String(repeating: "ı", count: 200)
    let pieces = try MessageComposer.messages(text: body, to: sender, options: options).map {
      SMSDeliver(from: sender, userData: $0.userData, timestamp: nil)
    }
    #expect(text(pieces[0], pieces[1]) == body)
  }
}
