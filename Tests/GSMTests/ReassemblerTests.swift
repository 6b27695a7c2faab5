import GSM
import SeededRandom
import Testing

/// 3GPP TS 23.040 9.2.3.24.1, at the receiver's end.
struct ReassemblerTests {
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

  private func text(_ outcome: Reassembler.Outcome) -> String? {
    if case .complete(let message) = outcome { message.userData.text } else { nil }
  }

  @Test func passesAMessageOfOnePartThrough() throws {
    var reassembler = Reassembler()
    let whole = SMSDeliver(from: sender, userData: UserData(text: "hello"), timestamp: nil)
    #expect(reassembler.add(whole, at: 0) == .complete(whole))
    let alone = part(Concatenation(reference: 1, total: 1, part: 1), .gsm7([0x41]))
    #expect(reassembler.add(alone, at: 0) == .complete(alone))
    let senseless = part(Concatenation(reference: 1, total: 2, part: 3), .gsm7([0x41]))
    #expect(reassembler.add(senseless, at: 0) == .complete(senseless))
    #expect(reassembler.count == 0)
  }

  @Test func joinsPartsInAnyOrder() throws {
    let body = String(repeating: "passage|", count: 60)
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      var reassembler = Reassembler()
      let shuffled = try parts(body, wide: seed.isMultiple(of: 2)).shuffled(using: &random)
      for (index, part) in shuffled.enumerated() {
        let outcome = reassembler.add(part, at: Int64(index))
        if index + 1 < shuffled.count {
          #expect(outcome == .waiting(missing: shuffled.count - index - 1), "seed \(seed)")
        } else {
          #expect(text(outcome) == body, "seed \(seed)")
        }
      }
      #expect(reassembler.count == 0)
    }
  }

  @Test func keepsTheEnvelopeOfTheFirstPartWithoutItsPlace() throws {
    var reassembler = Reassembler()
    var pieces = try parts(String(repeating: "A", count: 200))
    pieces[0].timestamp = ServiceCentreTime(epochSeconds: 1_000, quarterHours: 0)
    _ = reassembler.add(pieces[1], at: 0)
    guard case .complete(let whole) = reassembler.add(pieces[0], at: 1) else {
      Issue.record("not complete")
      return
    }
    #expect(whole.timestamp?.epochSeconds == 1_000)
    #expect(whole.userData.header == nil)
    #expect(whole.originator == sender)
  }

  @Test func tellsARepeatedPart() throws {
    var reassembler = Reassembler()
    let pieces = try parts(String(repeating: "A", count: 400))
    #expect(reassembler.add(pieces[0], at: 0) == .waiting(missing: 2))
    #expect(reassembler.add(pieces[0], at: 1) == .duplicate)
    #expect(reassembler.add(pieces[2], at: 2) == .waiting(missing: 1))
    #expect(reassembler.add(pieces[2], at: 3) == .duplicate)
    #expect(text(reassembler.add(pieces[1], at: 4)) == String(repeating: "A", count: 400))
  }

  // Cheap senders come round to the same reference soon.
  @Test func startsAnewWhenAFilledPlaceGetsAnotherText() throws {
    var reassembler = Reassembler()
    let old = try parts(String(repeating: "A", count: 200))
    let new = try parts(String(repeating: "B", count: 200))
    _ = reassembler.add(old[0], at: 0)
    #expect(reassembler.add(new[0], at: 1) == .waiting(missing: 1))
    #expect(text(reassembler.add(new[1], at: 2)) == String(repeating: "B", count: 200))
    #expect(reassembler.count == 0)
  }

  @Test func keepsApartWhatHasAnotherKey() throws {
    var reassembler = Reassembler()
    let other = Address(typeOfNumber: .international, digits: "9779800000000")
    let sets = [
      try parts(String(repeating: "A", count: 200)),
      try parts(String(repeating: "B", count: 200), from: other),
      try parts(String(repeating: "C", count: 200), reference: 8),
      try parts(String(repeating: "D", count: 200), wide: true),
      try parts(String(repeating: "E", count: 400)),
    ]
    for (index, set) in sets.enumerated() {
      #expect(reassembler.add(set[0], at: 0) == .waiting(missing: set.count - 1), "set \(index)")
    }
    #expect(reassembler.count == sets.count)
    for (set, letter) in zip(sets.dropLast(), "ABCD") {
      #expect(text(reassembler.add(set[1], at: 1)) == String(repeating: letter, count: 200))
    }
  }

  // Senders do cut inside pairs, so parts are joined before they are decoded.
  @Test func joinsASurrogatePairThatTheSenderCut() {
    var reassembler = Reassembler()
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .ucs2([0x41, 0xD83D]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .ucs2([0xDE01, 0x42]))
    _ = reassembler.add(second, at: 0)
    #expect(text(reassembler.add(first, at: 0)) == "A😁B")
  }

  @Test func joinsAnEscapePairThatTheSenderCut() {
    var reassembler = Reassembler()
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .gsm7([0x41, 0x1B]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .gsm7([0x65, 0x42]))
    _ = reassembler.add(first, at: 0)
    #expect(text(reassembler.add(second, at: 0)) == "A€B")
  }

  @Test func joinsOctets() {
    var reassembler = Reassembler()
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .octets([1, 2]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .octets([3]))
    _ = reassembler.add(second, at: 0)
    guard case .complete(let whole) = reassembler.add(first, at: 0) else {
      Issue.record("not complete")
      return
    }
    #expect(whole.userData.data == [1, 2, 3])
  }

  @Test func joinsPartsInDifferentAlphabets() {
    var reassembler = Reassembler()
    let first = part(Concatenation(reference: 1, total: 2, part: 1), .gsm7([0x00, 0x1B, 0x65]))
    let second = part(Concatenation(reference: 1, total: 2, part: 2), .ucs2([0x0928]))
    _ = reassembler.add(first, at: 0)
    #expect(text(reassembler.add(second, at: 0)) == "@€न")
  }

  @Test func decodesEachPartByItsOwnTables() {
    var reassembler = Reassembler()
    let turkish = SMSDeliver(
      from: sender,
      userData: UserData(
        header: UserDataHeader(
          concatenation: Concatenation(reference: 1, total: 2, part: 1),
          tables: ShiftTables(locking: .turkish)), content: .gsm7([0x07])), timestamp: nil)
    let plain = part(Concatenation(reference: 1, total: 2, part: 2), .gsm7([0x07]))
    _ = reassembler.add(turkish, at: 0)
    #expect(text(reassembler.add(plain, at: 0)) == "ıì")
  }

  @Test func keepsTheTablesThatAllPartsShare() throws {
    var options = SubmitOptions()
    options.tables = ShiftTables(locking: .turkish)
    let body = String(repeating: "ı", count: 200)
    let pieces = try MessageComposer.messages(text: body, to: sender, options: options).map {
      SMSDeliver(from: sender, userData: $0.userData, timestamp: nil)
    }
    var reassembler = Reassembler()
    _ = reassembler.add(pieces[0], at: 0)
    #expect(text(reassembler.add(pieces[1], at: 0)) == body)
  }

  @Test func givesUpTheOldestWhenItIsFull() throws {
    var reassembler = Reassembler()
    for reference in 0..<Limits.reassemblies {
      let pieces = try parts(
        String(repeating: "A", count: 200), reference: UInt16(reference), wide: true)
      _ = reassembler.add(pieces[0], at: Int64(reference))
    }
    #expect(reassembler.count == Limits.reassemblies)
    let late = try parts(String(repeating: "B", count: 200), reference: 9_999, wide: true)
    _ = reassembler.add(late[0], at: 1_000)
    #expect(reassembler.count == Limits.reassemblies)
    // The second oldest is still there, the oldest begins anew.
    let second = try parts(String(repeating: "A", count: 200), reference: 1, wide: true)
    #expect(text(reassembler.add(second[1], at: 1_001)) != nil)
    let oldest = try parts(String(repeating: "A", count: 200), reference: 0, wide: true)
    #expect(reassembler.add(oldest[1], at: 1_002) == .waiting(missing: 1))
  }

  @Test func handsOutWhatThereIsOfAMessageThatStaysIncomplete() throws {
    var reassembler = Reassembler()
    let pieces = try parts(String(repeating: "A", count: 400))
    let young = try parts(String(repeating: "B", count: 400), reference: 8)
    _ = reassembler.add(pieces[2], at: 100)
    _ = reassembler.add(pieces[0], at: 150)
    _ = reassembler.add(young[0], at: 140)
    #expect(reassembler.expire(before: 100).isEmpty)
    let expired = reassembler.expire(before: 101)
    #expect(expired.count == 1)
    #expect(expired.first?.key.reference == 7)
    #expect(expired.first?.key.total == 3)
    #expect(expired.first?.parts == [pieces[0], pieces[2]])
    #expect(reassembler.count == 1)
    #expect(reassembler.expire(before: .max).count == 1)
    #expect(reassembler.count == 0)
  }
}
