/// The type of a number (3GPP TS 23.040 9.1.2.5, bits 6 to 4 of the type octet).
public enum TypeOfNumber: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing is known of the number; it is dialled as it stands.
  case unknown = 0
  /// With its country code, without the `+`.
  case international = 1
  /// Without a country code.
  case national = 2
  /// For use within the network alone, such as a service of the operator.
  case networkSpecific = 3
  /// A subscriber's number within the local network.
  case subscriber = 4
  /// No number: a name of up to 11 characters in the 7-bit alphabet.
  case alphanumeric = 5
  /// Shortened by agreement.
  case abbreviated = 6
  /// Kept for later versions of the specification.
  case reserved = 7

  /// The name that command line and JSON use.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .international: "international"
    case .national: "national"
    case .networkSpecific: "network_specific"
    case .subscriber: "subscriber"
    case .alphanumeric: "alphanumeric"
    case .abbreviated: "abbreviated"
    case .reserved: "reserved"
    }
  }
}

/// An originating, destination or service centre address (3GPP TS 23.040 9.1.2.5).
public struct Address: Hashable, Sendable {
  /// What kind of number it is; only an international one is shown with a `+`.
  public var typeOfNumber: TypeOfNumber
  /// The numbering plan, 0 to 15; 1 is the telephone plan of E.164.
  public var numberingPlan: UInt8
  /// The digits (`0-9 * # a b c`) without a `+`, or the text of an alphanumeric address. May be
  /// empty: networks do send messages from nobody.
  public var digits: String

  /// An address from its parts.
  public init(typeOfNumber: TypeOfNumber, numberingPlan: UInt8 = 1, digits: String) {
    self.typeOfNumber = typeOfNumber
    self.numberingPlan = numberingPlan & 0x0F
    self.digits = digits
  }

  /// A number as people write it: `+977…` is international, anything else of unknown type, as short
  /// codes and national numbers must be. Spaces, hyphens and parentheses are passed over.
  ///
  /// - Throws: ``PDUError`` when nothing is left, there are more than 20 digits, or another
  ///   character stands in it.
  public init(_ number: String) throws(PDUError) {
    var digits = ""
    var isInternational = false
    for character in number {
      switch character {
      case "+" where digits.isEmpty && !isInternational: isInternational = true
      case "0"..."9" where character.isASCII, "*", "#": digits.append(character)
      case " ", "-", "(", ")", "\u{A0}": continue
      default: throw .addressCharacter(character)
      }
    }
    guard !digits.isEmpty else { throw .emptyAddress }
    guard digits.utf8.count <= Limits.addressDigits else {
      throw .addressLength(digits.utf8.count)
    }
    self.init(typeOfNumber: isInternational ? .international : .unknown, digits: digits)
  }

  /// A sender with a name instead of a number: at most 11 characters of the default alphabet.
  ///
  /// - Throws: ``PDUError`` when it is empty, longer, or has a character of another alphabet.
  public static func alphanumeric(_ name: String) throws(PDUError) -> Address {
    guard let septets = GSMText.septets(name) else {
      let stranger = name.first { GSMText.septets(String($0)) == nil } ?? "?"
      throw .character(stranger, alphabet: "GSM 7-bit")
    }
    guard !septets.isEmpty else { throw .emptyAddress }
    guard septets.count <= 11 else { throw .addressLength(septets.count) }
    return Address(typeOfNumber: .alphanumeric, numberingPlan: 0, digits: name)
  }

  /// The number as people write it, with its `+` when it is international.
  public var number: String {
    typeOfNumber == .international ? "+" + digits : digits
  }

  /// Who a message says it is from. A name that spells a number stands in quotes: who may choose a name may choose
  /// that one, and no number is proven by it.
  public var sender: String {
    guard isAlphanumeric, !digits.isEmpty, digits.utf8.allSatisfy(Address.isOfNumber) else {
      return number
    }
    return "\"\(digits)\""
  }

  /// Whether a byte may stand in a number as people write it.
  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.() ".utf8.contains(byte)
  }

  /// Whether the address is a name, to which nothing can be sent.
  public var isAlphanumeric: Bool { typeOfNumber == .alphanumeric }

  var typeOctet: UInt8 {
    0x80 | typeOfNumber.rawValue << 4 | numberingPlan
  }
}

extension Address {
  private static let digitCharacters = Array("0123456789*#abc".utf8)

  /// The character of a semi-octet below 15, without the cost of reaching for a table.
  private static func character(_ value: UInt8) -> UInt8 {
    switch value {
    case 0...9: UInt8(ascii: "0") &+ value
    case 10: UInt8(ascii: "*")
    case 11: UInt8(ascii: "#")
    default: UInt8(ascii: "a") &+ value &- 12
    }
  }

  /// Reads an address whose length octet counts semi-octets, as OA, DA and RA do.
  init(reading reader: inout OctetReader, field: StaticString) throws(PDUError) {
    let length = Int(try reader.next(field))
    guard length <= Limits.addressDigits else { throw .addressLength(length) }
    let type = try reader.next(field)
    let octets = try reader.next((length + 1) / 2, field)
    if type >> 4 & 0x07 == TypeOfNumber.alphanumeric.rawValue {
      let septets = Septets.unpack(octets, count: length * 4 / 7)
      self.init(
        typeOfNumber: .alphanumeric, numberingPlan: type & 0x0F,
        digits: GSMText.text(septets: septets))
    } else {
      self.init(type: type, semiOctets: length, octets: octets)
    }
  }

  /// Reads a service centre address, whose length octet counts octets with the type (3GPP TS 24.011
  /// 8.2.5); nil when the length is 0. Its type 5 is no name but a dedicated access number, in
  /// digits (3GPP TS 24.008 10.5.4.7).
  static func serviceCentre(
    reading reader: inout OctetReader
  ) throws(PDUError) -> Address? {
    let length = Int(try reader.next("SMSC address"))
    guard length > 0 else { return nil }
    guard length <= Limits.addressDigits / 2 + 1 else { throw .addressLength((length - 1) * 2) }
    let type = try reader.next("SMSC address")
    let octets = try reader.next(length - 1, "SMSC address")
    // Here nothing but the filler F tells whether the number of digits is odd.
    let isOdd = octets.last.map { $0 >> 4 == 0x0F } ?? false
    return Address(
      type: type, semiOctets: octets.count * 2 - (isOdd ? 1 : 0), octets: octets)
  }

  private init(type: UInt8, semiOctets: Int, octets: ArraySlice<UInt8>) {
    let kind = TypeOfNumber(rawValue: type >> 4 & 0x07) ?? .unknown
    let digits = String(unsafeUninitializedCapacity: max(semiOctets, 1)) { space in
      var written = 0
      for index in 0..<semiOctets {
        let octet = octets[octets.startIndex + index / 2]
        let value = index.isMultiple(of: 2) ? octet & 0x0F : octet >> 4
        // F inside a number is filler that some devices leave; the length decides, not the F.
        if value < 0x0F {
          space[written] = Address.character(value)
          written += 1
        }
      }
      return written
    }
    self.init(typeOfNumber: kind, numberingPlan: type & 0x0F, digits: digits)
  }

  /// The address with a length octet that counts semi-octets.
  func encoded() throws(PDUError) -> [UInt8] {
    if isAlphanumeric {
      guard let septets = GSMText.septets(digits) else {
        throw .character(digits.first ?? "?", alphabet: "GSM 7-bit")
      }
      guard septets.count <= 11 else { throw .addressLength(septets.count) }
      return [UInt8((septets.count * 7 + 3) / 4), typeOctet] + Septets.pack(septets)
    }
    let (count, octets) = try semiOctets()
    return [UInt8(count), typeOctet] + octets
  }

  /// The address with a length octet that counts octets, as the SMSC part has it.
  func encodedAsServiceCentre() throws(PDUError) -> [UInt8] {
    let (_, octets) = try semiOctets()
    return [UInt8(octets.count + 1), typeOctet] + octets
  }

  private func semiOctets() throws(PDUError) -> (count: Int, octets: [UInt8]) {
    var values: [UInt8] = []
    for byte in digits.utf8 {
      guard let value = Address.digitCharacters.firstIndex(of: byte) else {
        throw .addressCharacter(Character(Unicode.Scalar(byte)))
      }
      values.append(UInt8(value))
    }
    guard values.count <= Limits.addressDigits else { throw .addressLength(values.count) }
    let octets = stride(from: 0, to: values.count, by: 2).map { index in
      values[index] | (index + 1 < values.count ? values[index + 1] : 0x0F) << 4
    }
    return (values.count, octets)
  }
}
