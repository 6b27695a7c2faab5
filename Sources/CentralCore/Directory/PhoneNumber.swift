/// A phone number in the one form in which two spellings of it are equal: digits with the country
/// code, without `+`.
///
/// A sender that is a name, as networks and companies have, is no number, and nothing is bound to it.
public struct PhoneNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The digits with the country code, or a short number as it is.
  public let digits: String

  /// Reads a number as people, modems and providers write it: with `+` or `00` before the country
  /// code, with spaces, hyphens, dots and brackets, or in Nepal's national form of ten digits that
  /// begin with 9, with or without a 0 before them.
  public init?(_ text: String) {
    guard text.utf8.count <= Limits.phoneCharacters else { return nil }
    var digits: [UInt8] = []
    var hasPlus = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte)
      case UInt8(ascii: "+") where digits.isEmpty && !hasPlus: hasPlus = true
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        continue
      default: return nil
      }
    }
    let zero = UInt8(ascii: "0")
    if !hasPlus {
      if digits.starts(with: [zero, zero]) {
        digits.removeFirst(2)
      } else {
        if digits.count == 11, digits.first == zero { digits.removeFirst() }
        if digits.count == 10, digits.first == UInt8(ascii: "9") {
          digits.insert(contentsOf: "977".utf8, at: 0)
        }
      }
    }
    guard Limits.phoneDigits.contains(digits.count) else { return nil }
    self.digits = String(decoding: digits, as: UTF8.self)
  }

  /// The ways in which messages may name a sender that somebody wrote so: as it is, and a number with and without
  /// its `+` and its country code.
  static func spellings(of sender: String) -> [String] {
    guard let number = PhoneNumber(sender) else { return [sender] }
    var spellings = [sender, number.digits, "+" + number.digits, "00" + number.digits]
    if number.digits.utf8.count == 13, number.digits.hasPrefix("977") {
      spellings += [String(number.digits.dropFirst(3)), "0" + number.digits.dropFirst(3)]
    }
    return Set(spellings).sorted()
  }

  /// The number with its `+`; a short number without.
  public var description: String {
    digits.utf8.count > 6 ? "+" + digits : digits
  }

  /// The order of the digits as text, for lists that are always in the same order.
  public static func < (left: PhoneNumber, right: PhoneNumber) -> Bool {
    left.digits < right.digits
  }
}
