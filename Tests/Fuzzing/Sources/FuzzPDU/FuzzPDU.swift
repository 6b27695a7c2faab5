import FuzzSupport
import GSM

/// Any octets give a message or an error; what was understood is written and understood again; and
/// parts of long messages come together or do not.
@main
struct FuzzPDU {
  static func main() {
    Fuzzing.run { start, count in
      FuzzPDU.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    var parts: [SMSDeliver] = []
    while !input.isEmpty {
      let choice = input.byte()
      let direction: Direction = choice & 1 == 0 ? .mobileTerminated : .mobileOriginated
      let octets = choice & 4 == 0 ? input.all() : input.bytes(Int(input.byte()))
      let tpduOnly = choice & 2 != 0
      guard let pdu = understand(octets, direction, tpduOnly: tpduOnly) else { continue }
      if case .deliver(let message) = pdu.tpdu {
        parts.append(message)
        let whole = SMSDeliver.joined(parts)
        let total = whole?.userData.header?.concatenation?.total ?? 1
        require(total <= 1, "joined, and still a part")
        if whole != nil || parts.count > Limits.parts { parts = [] }
      }
    }
  }
}

private func understand(_ octets: [UInt8], _ direction: Direction, tpduOnly: Bool) -> PDU? {
  // The same in hexadecimal digits, and what is not hexadecimal at all.
  _ = try? PDU.decode(hex: String(decoding: octets, as: UTF8.self), direction: direction)
  let pdu: PDU
  do {
    pdu = try PDU.decode(octets, direction: direction, tpduOnly: tpduOnly)
  } catch {
    require(!error.message.isEmpty, "an error without words")
    return nil
  }
  do {
    let written = try pdu.encoded()
    let again = try PDU.decode(written, direction: direction)
    // DCS F8 to FF: the length tells the alphabet, and a message cut short has lost its length.
    if coding(of: pdu) < 0xF8 {
      require(again == pdu, "read, written and read again it is another: \(Hex.encode(octets))")
    }
  } catch {
    found("what was read cannot be written: \(error) \(Hex.encode(octets))")
  }
  return pdu
}

private func coding(of pdu: PDU) -> UInt8 {
  switch pdu.tpdu {
  case .deliver(let message): message.coding.octet
  case .submit(let message): message.coding.octet
  case .statusReport: 0
  }
}
