/// The name that somebody signs in with: an address, in small letters.
public struct LoginName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The address: `ram@bnp.local`.
  public let address: String

  /// Reads a name as people type it: an address, or what stands before the `@` of one of `domain`. White
  /// space around it does not count.
  ///
  /// - Returns: Nil for what is neither: letters other than ASCII's, two `@`, a part that is empty or too long.
  public init?(_ text: String, domain: String) {
    var typed = Substring(text)
    while typed.first?.isWhitespace == true { typed.removeFirst() }
    while typed.last?.isWhitespace == true { typed.removeLast() }
    let whole = typed.contains("@") ? String(typed) : "\(typed)@\(domain)"
    let bytes = whole.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard bytes.count <= Limits.loginBytes else { return nil }
    let halves = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard halves.count == 2, (1...Limits.localBytes).contains(halves[0].count), !halves[1].isEmpty,
      halves[0].allSatisfy(LoginName.isOfName), halves[1].allSatisfy(LoginName.isOfDomain)
    else { return nil }
    address = String(decoding: bytes, as: UTF8.self)
  }

  /// The same as ``address``.
  public var description: String { address }

  /// The order of the characters.
  public static func < (left: LoginName, right: LoginName) -> Bool { left.address < right.address }

  private static func isOfName(_ byte: UInt8) -> Bool {
    isOfDomain(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+")
  }

  private static func isOfDomain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }
}
