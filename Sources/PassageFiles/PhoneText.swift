/// Phone numbers as people write them.
public enum PhoneText {
  /// What is wrong with a phone number, in words; nil when its last digits can be taken.
  ///
  /// A missing number is none of these: then nobody is named, and the text says 0000.
  public static func problem(with text: String) -> String? {
    let between = Array("+ -.()/".utf8)
    let isNumber =
      text.utf8.allSatisfy { isDigit($0) || between.contains($0) }
      && text.utf8.contains(where: isDigit)
    return isNumber
      ? nil : "is no phone number; write +977 and the digits, or leave it out when it is not known"
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
