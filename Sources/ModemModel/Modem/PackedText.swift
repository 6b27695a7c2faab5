import GSM

/// Text of the default alphabet in packed septets, as hexadecimal digits: how some makers write USSD
/// (3GPP TS 23.038 6.1.2.3).
enum PackedText {
  /// The digits of a text.
  static func digits(_ text: String) -> String {
    var octets: [UInt8] = []
    var bits: UInt16 = 0
    var count = 0
    var septets = GSMText.septets(text) ?? text.flatMap { GSMText.septets(String($0)) ?? [0x3F] }
    // Seven bits that are left over would be taken for an `@`.
    if septets.count % 8 == 7 { septets.append(0x0D) }
    for septet in septets {
      bits |= UInt16(septet & 0x7F) << count
      count += 7
      while count >= 8 {
        octets.append(UInt8(bits & 0xFF))
        bits >>= 8
        count -= 8
      }
    }
    if count > 0 { octets.append(UInt8(bits & 0xFF)) }
    return Hex.encode(octets)
  }

  /// The text of digits; nil when they are none.
  static func text(_ digits: String) -> String? {
    guard let octets = try? Hex.decode(digits), !octets.isEmpty else { return nil }
    var septets: [UInt8] = []
    var bits: UInt16 = 0
    var count = 0
    for octet in octets {
      bits |= UInt16(octet) << count
      count += 8
      while count >= 7 {
        septets.append(UInt8(bits & 0x7F))
        bits >>= 7
        count -= 7
      }
    }
    // What fills the last octet is no character.
    if septets.count % 8 == 0, septets.last == 0x0D || septets.last == 0 { septets.removeLast() }
    return GSMText.text(septets: septets)
  }
}
