/// What the network says in a USSD dialogue, out of the string of `+CUSD`.
///
/// Modems disagree on what they put there: the text itself, UCS-2 in hexadecimal digits, octets in
/// hexadecimal digits, or septets packed as in the air (3GPP TS 23.038 6.1.2.3) in hexadecimal digits.
/// The coding (3GPP TS 23.038 5) says what the network sent, not always what the modem gave, so the
/// string is looked at too.
public struct USSDText: Hashable, Sendable {
  /// How the string was written.
  public enum Form: String, CaseIterable, Hashable, Sendable {
    /// The text itself.
    case plain
    /// UCS-2, four hexadecimal digits a character.
    case ucs2
    /// Octets of the default alphabet or of Latin letters, two digits each.
    case octets
    /// Packed septets.
    case packed
  }

  /// The text.
  public let text: String
  /// How it was written.
  public let form: Form

  /// Reads the string of a `+CUSD` and its coding; nil when the modem gave none. Every string has some
  /// reading.
  public init(_ string: String, coding: Int?) {
    let alphabet = coding.flatMap { USSDText.alphabet($0) }
    let string = USSDText.withoutRest(string, alphabet)
    let octets = try? Hex.decode(utf8: Array(string.utf8))
    guard let octets, octets.count >= 2 else {
      (text, form) = (string, .plain)
      return
    }
    let wide = USSDText.ucs2(octets)
    let packed = USSDText.unpacked(octets)
    let single = USSDText.single(octets)
    // The first reading that is a text people would write, in the order that the coding suggests.
    let order: [(String?, Form)] =
      switch alphabet {
      case .ucs2: [(wide, .ucs2), (single, .octets), (packed, .packed)]
      case .gsm7: [(packed, .packed), (wide, .ucs2), (single, .octets)]
      case .eightBit: [(single, .octets), (wide, .ucs2), (packed, .packed)]
      case nil: [(wide, .ucs2), (packed, .packed), (single, .octets)]
      }
    let found = order.first { reading, _ in reading.map { USSDText.isLegible($0) } ?? false }
    // A balance of digits alone looks like hexadecimal digits too.
    let isNumber = string.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if let found, let reading = found.0, !(isNumber && found.1 != .ucs2 && alphabet != .gsm7) {
      (text, form) = (reading, found.1)
    } else {
      (text, form) = (string, .plain)
    }
  }

  /// Whether that can be a code for a network: digits, `*`, `#` and `+` (3GPP TS 22.030 6.5.1).
  public static func isCode(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { "0123456789*#+".utf8.contains($0) }
  }

  /// A code as packed septets in hexadecimal digits, for modems that want it so; as it is when it has a
  /// character that is not in the alphabet.
  public static func packed(_ code: String) -> String {
    guard var septets = GSMText.septets(code) else { return code }
    // Seven septets leave seven bits over, which would read as an `@`: filled up with a CR (6.1.2.3.1).
    if septets.count % 8 == 7 { septets.append(0x0D) }
    return Hex.encode(Septets.pack(septets))
  }

  /// The alphabet of a coding of cell broadcast and USSD (3GPP TS 23.038 5).
  private static func alphabet(_ coding: Int) -> Alphabet? {
    switch coding {
    case 0x11: .ucs2
    case 0x00...0x0F, 0x10, 0x20...0x2F: .gsm7
    case 0x40...0x7F:
      switch (coding >> 2) & 3 {
      case 0: .gsm7
      case 1: .eightBit
      case 2: .ucs2
      default: nil
      }
    case 0xF0...0xFF: coding & 4 == 0 ? .gsm7 : .eightBit
    default: nil
    }
  }

  /// UCS-2 to its U+0000, where it has one and is a text before: some sticks hand over what happened to
  /// stand in their memory after it, whole digits or not.
  private static func withoutRest(_ string: String, _ alphabet: Alphabet?) -> String {
    let digits = Array(string.utf8)
    // A sum of money has zeros too.
    let mayBeNumber = alphabet != .ucs2 && digits.allSatisfy { (0x30...0x39).contains($0) }
    guard !mayBeNumber else { return string }
    for place in stride(from: 4, to: digits.count - 3, by: 4) {
      guard digits[place..<place + 4].allSatisfy({ $0 == 0x30 }) else { continue }
      let octets = try? Hex.decode(utf8: Array(digits[..<place]))
      guard let octets, let text = ucs2(octets), isLegible(text) else { return string }
      return String(decoding: digits[..<place], as: UTF8.self)
    }
    return string
  }

  private static func ucs2(_ octets: [UInt8]) -> String? {
    guard octets.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: 0, to: octets.count, by: 2).map {
      UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
    }
    return String(validating: units, as: UTF16.self)
  }

  private static func unpacked(_ octets: [UInt8]) -> String {
    var septets = Septets.unpack(octets[...], count: octets.count * 8 / 7)
    if septets.count.isMultiple(of: 8), septets.last == 0x0D || septets.last == 0 {
      septets.removeLast()
    }
    return GSMText.text(septets: septets)
  }

  private static func single(_ octets: [UInt8]) -> String {
    octets.allSatisfy { $0 < 0x80 }
      ? GSMText.text(septets: octets)
      : String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
  }

  /// Whether a reading is what people would write: letters, digits, blanks and marks, one script for
  /// the most part, no controls, none of the default alphabet's rarities that come of a wrong reading.
  private static func isLegible(_ text: String) -> Bool {
    guard !text.isEmpty else { return false }
    let odd = text.unicodeScalars.count { scalar in
      switch scalar.value {
      case 0x20...0x7E, 0x0A, 0x0D: false
      case 0xA3, 0xA5, 0xC0...0xFF: false
      case 0x900...0x97F, 0x400...0x4FF, 0x600...0x6FF, 0x20A0...0x20CF: false
      case 0x980...0xDFF, 0x4E00...0x9FFF, 0x2010...0x2027, 0x200C, 0x200D: false
      default: true
      }
    }
    let rare = text.unicodeScalars.count {
      "@_¡¿§¤ΔΦΓΛΩΠΨΣΘΞÆæßÉ£¥òÇØøÅå{}[]~^|\\".unicodeScalars.contains($0)
    }
    let total = text.unicodeScalars.count
    return odd == 0 && rare * 4 <= total
  }
}
