import AT

/// The numbers of modem and SIM in what a modem answers, which holds other lines often enough.
enum SerialNumbers {
  /// The modem's number: the first line of digits that can be one (3GPP TS 23.003 6.2), in fifteen
  /// digits. One without its check digit gets it, and one with the version of its software (IMEISV)
  /// loses that for it, so that one modem has one number.
  static func imei(in answer: ATAnswer) -> String? {
    for digits in numbers(in: answer) where (14...16).contains(digits.count) {
      guard digits.contains(where: { $0 != "0" }) else { continue }
      return digits.count == 15 ? digits : withCheckDigit(digits.prefix(14))
    }
    return nil
  }

  /// The subscriber's number: the first line of digits that can be one, up to fifteen with the code of
  /// country and network (3GPP TS 23.003 2.2).
  static func imsi(in answer: ATAnswer) -> String? {
    numbers(in: answer).first { (6...15).contains($0.count) }
  }

  /// The lines that have digits alone for their first value, without a name and quotes.
  private static func numbers(in answer: ATAnswer) -> [String] {
    answer.lines.compactMap { line in
      guard let last = line.split(separator: ":").last else { return nil }
      let value = Parameters(last).text(0) ?? ""
      return value.utf8.allSatisfy { (0x30...0x39).contains($0) } ? value : nil
    }
  }

  /// Fourteen digits with the one that they end in (3GPP TS 23.003 B.2): every second digit is doubled.
  private static func withCheckDigit(_ digits: Substring) -> String {
    var sum = 0
    for (place, byte) in digits.utf8.enumerated() {
      let digit = Int(byte) - 0x30
      let value = place.isMultiple(of: 2) ? digit : digit * 2
      sum += value > 9 ? value - 9 : value
    }
    return digits + "\((10 - sum % 10) % 10)"
  }
}
