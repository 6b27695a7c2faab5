/// Which account something belongs to: a UUID in its usual form, in small letters.
public struct AccountID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The 36 characters.
  public let text: String

  /// Reads a UUID in its usual form, of any version and in letters of either size; nil for what is none.
  public init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    var bytes: [UInt8] = []
    for (position, byte) in text.utf8.enumerated() {
      switch (position, byte) {
      case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
        (23, UInt8(ascii: "-")):
        bytes.append(byte)
      case (8, _), (13, _), (18, _), (23, _): return nil
      case (_, 0x30...0x39), (_, 0x61...0x66): bytes.append(byte)
      case (_, 0x41...0x46): bytes.append(byte | 0x20)
      default: return nil
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  /// A UUID of version 4 from random bits.
  public init(random high: UInt64, _ low: UInt64) {
    let values = [high & ~0xF000 | 0x4000, low & ~(0b11 << 62) | 0b10 << 62]
    let digits = values.map { value in
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined().utf8
    var bytes: [UInt8] = []
    for (position, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(position) { bytes.append(UInt8(ascii: "-")) }
      bytes.append(digit)
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The same as ``text``.
  public var description: String { text }

  /// The order of the characters, which is that of the bytes.
  public static func < (left: AccountID, right: AccountID) -> Bool { left.text < right.text }
}
