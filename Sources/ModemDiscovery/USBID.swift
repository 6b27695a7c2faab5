/// What kind of USB device something is: its maker's number and the maker's number for it.
public struct USBID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Its maker.
  public var vendor: UInt16
  /// What its maker counts it as.
  public var product: UInt16

  /// The kind with these numbers.
  public init(vendor: UInt16, product: UInt16) {
    self.vendor = vendor
    self.product = product
  }

  /// Reads `12d1:1506`; nil when it is anything but two numbers of four hexadecimal digits.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let vendor = Hexadecimal.word(parts[0]),
      let product = Hexadecimal.word(parts[1])
    else { return nil }
    self.init(vendor: vendor, product: product)
  }

  /// As `lsusb` writes it: `12d1:1506`.
  public var description: String {
    Hexadecimal.text(vendor, digits: 4) + ":" + Hexadecimal.text(product, digits: 4)
  }

  /// By maker, then by product.
  public static func < (left: USBID, right: USBID) -> Bool {
    (left.vendor, left.product) < (right.vendor, right.product)
  }
}

/// Numbers as USB writes them: hexadecimal, of a fixed width.
public enum Hexadecimal {
  /// The number of exactly four digits.
  public static func word(_ text: some StringProtocol) -> UInt16? {
    isDigits(text, count: 4) ? UInt16(text, radix: 16) : nil
  }

  /// The number of exactly two digits.
  public static func byte(_ text: some StringProtocol) -> UInt8? {
    isDigits(text, count: 2) ? UInt8(text, radix: 16) : nil
  }

  /// `number` with at least so many digits.
  public static func text(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func isDigits(_ text: some StringProtocol, count: Int) -> Bool {
    text.utf8.count == count && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
