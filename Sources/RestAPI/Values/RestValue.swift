/// A value of a column.
public enum RestValue: Hashable, Sendable {
  /// None.
  case null
  /// A text; of a column of identifiers, the canonical text of the UUID.
  case text(String)
  /// A truth value.
  case flag(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number, always finite.
  case number(Double)
  /// A moment: microseconds since 1970-01-01T00:00:00Z.
  case time(Int64)

  /// Whether there is none.
  public var isNull: Bool { self == .null }

  /// The text, if it is one.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The truth value, if it is one.
  public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  /// The microseconds, if it is a moment.
  public var time: Int64? { if case .time(let time) = self { time } else { nil } }
  /// The number, whole or not, if it is one.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

/// Names of rows: UUIDs.
public enum RestIdentifier {
  /// The UUID of a text in the form in which a database tells it: small letters, with hyphens. As PostgreSQL
  /// reads them, with or without hyphens after every four digits, and with or without braces. Nil when it is
  /// none.
  public static func canonical(_ text: String) -> String? {
    var bytes = Array(text.utf8.prefix(60))[...]
    guard bytes.count < 60 else { return nil }
    if bytes.first == UInt8(ascii: "{") {
      guard bytes.last == UInt8(ascii: "}") else { return nil }
      bytes = bytes.dropFirst().dropLast()
    }
    var digits: [UInt8] = []
    var mayHyphenate = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "-"):
        guard mayHyphenate else { return nil }
        mayHyphenate = false
        continue
      case 0x30...0x39, 0x61...0x66: digits.append(byte)
      case 0x41...0x46: digits.append(byte | 0x20)
      default: return nil
      }
      mayHyphenate = digits.count.isMultiple(of: 4) && digits.count < 32
    }
    guard digits.count == 32 else { return nil }
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: digits, as: UTF8.self)
  }
}
