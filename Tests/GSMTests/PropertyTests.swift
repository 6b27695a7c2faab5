import GSM
import SeededRandom
import Testing

/// Any octets give a message or an error, and what was understood once is understood again.
struct PropertyTests {
  /// Checks one PDU; true when it decoded.
  private func check(_ octets: [UInt8], _ direction: Direction, seed: UInt64) -> Bool {
    do throws(PDUError) {
      let pdu = try PDU.decode(octets, direction: direction)
      let again = try PDU.decode(pdu.encoded(), direction: direction)
      // F8 to FF: the length tells the alphabet, and a message cut short has lost its length.
      if coding(of: pdu) < 0xF8 {
        #expect(again == pdu, "seed \(seed): \(Hex.encode(octets))")
      }
      return true
    } catch {
      #expect(!error.message.isEmpty)
      // Whatever decodes also encodes: an error can only come from the first line.
      let decodes = (try? PDU.decode(octets, direction: direction)) != nil
      #expect(!decodes, "seed \(seed): \(error) for \(Hex.encode(octets))")
      return false
    }
  }

  private func coding(of pdu: PDU) -> UInt8 {
    switch pdu.tpdu {
    case .deliver(let message): message.coding.octet
    case .submit(let message): message.coding.octet
    case .statusReport: 0
    }
  }

  @Test func understandsRandomOctetsOrRefusesThem() {
    var decoded = 0
    for seed in UInt64(0)..<25_000 {
      var random = SplitMix64(seed: seed)
      let count = Int.random(in: 0...200, using: &random)
      var octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Half of them begin like a message, or hardly any would get beyond the addresses.
      if seed.isMultiple(of: 2), octets.count > 3 {
        octets[0] = 0
        octets[2] = UInt8.random(in: 0...20, using: &random)
      }
      let direction: Direction = Bool.random(using: &random) ? .mobileTerminated : .mobileOriginated
      if check(octets, direction, seed: seed) { decoded += 1 }
    }
    #expect(decoded > 500)
  }

  @Test func understandsMutatedMessagesOrRefusesThem() throws {
    let originals = [
      ("0891799708000000F1040D91799748214365F700006230418050903205E8329BFD06", true),
      ("0891799708000000F1640DD0E730BD7C0FE701000862304180509032" + "0A0500030102010048D83D", true),
      ("0891799708000000F1440D91799748214365F70004623041805090320B0605040B8423F001020304", true),
      ("0891799708000000F144048141510000623041805090320E060804BEEF0302C8329BFD6601", true),
      ("0891799708000000F1062A0D91799748214365F7623041805090326230418060103200", true),
      ("0031000D91799748214365F700004705E8329BFD06", false),
      ("00D92A048141514111623041805090320C050003CC0201D06536FB0D", false),
      ("0009000D91799748214365F700080147000000000004D83DDE01", false),
    ]
    let parsed = try originals.map { (try Hex.decode($0.0), $0.1) }
    for (octets, isTerminated) in parsed {
      #expect(check(octets, isTerminated ? .mobileTerminated : .mobileOriginated, seed: 0))
    }
    var decoded = 0
    for seed in UInt64(0)..<25_000 {
      var random = SplitMix64(seed: seed)
      guard let (original, isTerminated) = parsed.randomElement(using: &random) else { return }
      var octets = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutate(&octets, using: &random)
      }
      let direction: Direction = isTerminated ? .mobileTerminated : .mobileOriginated
      if check(octets, direction, seed: seed) { decoded += 1 }
    }
    #expect(decoded > 5_000)
  }

  private func mutate(_ octets: inout [UInt8], using random: inout SplitMix64) {
    guard let index = octets.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0...4, using: &random) {
    case 0: octets[index] = UInt8.random(in: 0...255, using: &random)
    case 1: octets[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 2: octets.remove(at: index)
    case 3: octets.insert(UInt8.random(in: 0...255, using: &random), at: index)
    default: octets.removeLast(Int.random(in: 0...octets.count, using: &random))
    }
  }

  @Test func takesAnyTextForHexadecimalDigitsOrRefusesIt() {
    for seed in UInt64(0)..<2_000 {
      var random = SplitMix64(seed: seed)
      let count = Int.random(in: 0...80, using: &random)
      let digits = Array("0123456789ABCDEFabcdef0123456789ABCDEFg ")
      let text = String((0..<count).compactMap { _ in digits.randomElement(using: &random) })
      guard let octets = try? Hex.decode(text) else { continue }
      #expect(Hex.encode(octets) == text.uppercased(), "seed \(seed)")
    }
  }

  @Test func bringsEveryDeliveryBack() throws {
    for seed in UInt64(0)..<5_000 {
      var random = SplitMix64(seed: seed)
      let message = try randomDelivery(using: &random)
      let octets = try message.encoded()
      let pdu = try PDU.decode(octets, direction: .mobileTerminated, tpduOnly: true)
      #expect(pdu.tpdu == .deliver(message), "seed \(seed): \(Hex.encode(octets))")
    }
  }

  private func randomDelivery(using random: inout SplitMix64) throws -> SMSDeliver {
    let digits = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
      "0123456789*#abc".randomElement(using: &random)
    }
    let originator =
      Int.random(in: 0...3, using: &random) == 0
      ? try Address.alphanumeric(
        String("gateway|{€".prefix(Int.random(in: 1...8, using: &random))))
      : Address(
        typeOfNumber: Bool.random(using: &random) ? .international : .subscriber,
        digits: String(digits))
    let place = Concatenation(
      reference: UInt16.random(in: 0...UInt16.max, using: &random),
      is16Bit: Bool.random(using: &random), total: 9,
      part: UInt8.random(in: 1...9, using: &random))
    let header = Bool.random(using: &random) ? UserDataHeader(concatenation: place) : nil
    let count = Int.random(in: 0...132, using: &random)
    let content: UserContent =
      switch Int.random(in: 0...2, using: &random) {
      case 0: .gsm7((0..<count).map { _ in UInt8.random(in: 0...127, using: &random) })
      case 1: .octets((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      default: .ucs2((0..<count / 2).map { _ in UInt16.random(in: 0...UInt16.max, using: &random) })
      }
    return SMSDeliver(
      from: originator, userData: UserData(header: header, content: content),
      timestamp: ServiceCentreTime(
        epochSeconds: Int64.random(in: 0...3_155_759_999, using: &random),
        quarterHours: Int.random(in: -79...79, using: &random)),
      moreMessagesWait: Bool.random(using: &random),
      statusReportIndication: Bool.random(using: &random),
      replyPath: Bool.random(using: &random),
      protocolIdentifier: UInt8.random(in: 0...255, using: &random))
  }
}
