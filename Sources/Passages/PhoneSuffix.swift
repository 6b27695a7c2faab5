/// The last four digits of a ranger's phone number: who recorded, as far as a text says it.
public struct PhoneSuffix: Hashable, Sendable, CustomStringConvertible {
  /// Four digits; `0000` when the number is not known.
  public let digits: String

  /// When the number is not known.
  public static let unknown = PhoneSuffix(checked: "0000")

  /// Exactly four digits, or nil.
  public init?(_ digits: String) {
    guard digits.utf8.count == 4, digits.utf8.allSatisfy(\.isDigit) else { return nil }
    self.digits = digits
  }

  /// The last four digits of a number written in any way, with zeros before them when there are
  /// fewer; `0000` when there is no number or no digit in it.
  public init(phoneNumber: String?) {
    let last = (phoneNumber ?? "").utf8.filter(\.isDigit).suffix(4)
    let zeros = repeatElement(UInt8(ascii: "0"), count: 4 - last.count)
    digits = String(decoding: zeros + last, as: UTF8.self)
  }

  /// Digits that have been checked by the caller.
  init(checked digits: String) {
    self.digits = digits
  }

  /// The digits alone.
  public var description: String { digits }
}
