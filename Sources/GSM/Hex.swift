/// Octets as pairs of hexadecimal digits, as AT commands carry them (3GPP TS 27.005 3.1, PDU mode).
public enum Hex {
  /// Upper-case digits without spaces.
  public static func encode(_ octets: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: octets.count * 2) { space in
      var position = 0
      for octet in octets {
        space[position] = digit(octet >> 4)
        space[position + 1] = digit(octet & 0x0F)
        position += 2
      }
      return position
    }
  }

  /// The octets of `text`; digits of either case, nothing else.
  ///
  /// - Throws: ``PDUError/notHexadecimal`` for any other character or an odd number of digits,
  ///   ``PDUError/tooLong(octets:)`` for more than a modem ever prints.
  public static func decode(_ text: some StringProtocol) throws(PDUError) -> [UInt8] {
    try decode(utf8: Array(text.utf8))
  }

  /// The octets of a line of digits.
  ///
  /// - Throws: ``PDUError/notHexadecimal`` and ``PDUError/tooLong(octets:)``, as ``decode(_:)`` does.
  public static func decode(utf8 digits: [UInt8]) throws(PDUError) -> [UInt8] {
    guard digits.count <= Limits.hexDigits else { throw .tooLong(octets: digits.count / 2) }
    guard digits.count.isMultiple(of: 2) else { throw .notHexadecimal }
    var isValid = true
    let octets = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { space, count in
      var position = 0
      while position < digits.count {
        let high = values[Int(digits[position])]
        let low = values[Int(digits[position + 1])]
        guard (high | low) < 0x10 else {
          isValid = false
          break
        }
        space[position / 2] = high << 4 | low
        position += 2
      }
      count = position / 2
    }
    guard isValid else { throw .notHexadecimal }
    return octets
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x37 + value
  }

  private static let values: [UInt8] = (0...255).map { byte in
    switch byte {
    case 0x30...0x39: UInt8(byte - 0x30)
    case 0x41...0x46: UInt8(byte - 0x37)
    case 0x61...0x66: UInt8(byte - 0x57)
    default: 0xFF
    }
  }
}
