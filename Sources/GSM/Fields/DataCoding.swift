/// The alphabets of user data.
public enum Alphabet: String, CaseIterable, Hashable, Sendable {
  /// The 7-bit default alphabet or a national one.
  case gsm7
  /// Octets without a meaning known here.
  case eightBit = "8bit"
  /// UTF-16, big-endian, under its old name.
  case ucs2

  /// What a text in it is counted in.
  var units: String {
    switch self {
    case .gsm7: "septets"
    case .eightBit: "octets"
    case .ucs2: "UTF-16 units"
    }
  }

  /// Of these, so many fit one message without a header.
  var capacity: Int {
    switch self {
    case .gsm7: Limits.userDataSeptets
    case .eightBit: Limits.userDataOctets
    case .ucs2: Limits.userDataOctets / 2
    }
  }
}

/// The data coding scheme: which alphabet, which class, and whether the message only switches an
/// indicator (3GPP TS 23.038 4).
public struct DataCoding: Hashable, Sendable {
  /// The octet itself.
  public var octet: UInt8

  /// A data coding scheme from its octet; every octet means something.
  public init(octet: UInt8) {
    self.octet = octet
  }

  /// The scheme for an alphabet, with a message class 0 to 3 or none.
  public init(alphabet: Alphabet, messageClass: UInt8? = nil) {
    let code: UInt8 =
      switch alphabet {
      case .gsm7: 0x00
      case .eightBit: 0x04
      case .ucs2: 0x08
      }
    octet = messageClass.map { 0x10 | code | $0 & 0x03 } ?? code
  }

  /// The alphabet that the scheme names; reserved values count as 7-bit, as the specification asks.
  public var alphabet: Alphabet {
    switch octet >> 4 {
    case 0x0...0x7:
      switch octet >> 2 & 0x03 {
      case 1: .eightBit
      case 2: .ucs2
      default: .gsm7
      }
    case 0xE: .ucs2
    case 0xF: octet & 0x04 == 0 ? .gsm7 : .eightBit
    default: .gsm7
    }
  }

  /// The message class 0 to 3, or nil.
  public var messageClass: UInt8? {
    switch octet >> 4 {
    case 0x0...0x7: octet & 0x10 != 0 ? octet & 0x03 : nil
    case 0xF: octet & 0x03
    default: nil
    }
  }

  /// Whether the user data is compressed, which nothing here reads.
  public var isCompressed: Bool {
    octet >> 7 == 0 && octet & 0x20 != 0
  }

  /// Which waiting-message indicator the message switches, and whether on; nil when it is an
  /// ordinary message.
  public var waitingIndication: WaitingIndication? {
    guard (0xC...0xE).contains(octet >> 4) else { return nil }
    return WaitingIndication(
      kind: octet & 0x03, isActive: octet & 0x08 != 0, discards: octet >> 4 == 0xC)
  }

  /// Whether the scheme is of the reserved half of the class group (`F8` to `FF`), which networks
  /// use so differently that only the length tells the alphabet.
  var isAmbiguous: Bool { octet >= 0xF8 }
}

/// A waiting-message indicator (3GPP TS 23.038 4, groups 1100 to 1110).
public struct WaitingIndication: Hashable, Sendable {
  /// 0 voice mail, 1 fax, 2 e-mail, 3 other.
  public var kind: UInt8
  /// Whether the indicator is switched on.
  public var isActive: Bool
  /// Whether the text may be thrown away.
  public var discards: Bool
}
