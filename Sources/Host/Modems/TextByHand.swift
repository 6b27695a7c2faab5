import GSM

/// What an operator may hand to a modem as a text.
public enum TextByHand {
  /// Digits of a number that can be dialled: from a short code to the longest of E.164.
  private static let digits = 3...15
  /// Digits of one with its country's code.
  private static let internationalDigits = 7...15

  /// Why nothing can be sent to a number, with what helps; nil when something can.
  public static func refusal(ofNumber number: String) -> String? {
    let example = "write +977… with the country code, or a short code of digits"
    let address: Address
    do throws(PDUError) {
      address = try Address(number)
    } catch {
      return "\(error.message); \(example)"
    }
    if address.digits.contains(where: { $0 == "*" || $0 == "#" }) {
      return "a code with * or # is asked by `checkpost modem ussd`, and takes no text"
    }
    let isInternational = address.typeOfNumber == .international
    guard (isInternational ? internationalDigits : digits).contains(address.digits.utf8.count),
      !isInternational || address.digits.first != "0"
    else { return "this is no number that can be dialled; \(example)" }
    return nil
  }

  /// Why a text is none; nil when it is one.
  public static func refusal(ofBody body: String) -> String? {
    let isEmpty = body.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
        || $0.properties.generalCategory == .format
    }
    return isEmpty ? "the text is empty; nothing is sent" : nil
  }
}
