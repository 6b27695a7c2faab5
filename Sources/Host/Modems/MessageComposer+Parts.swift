public import GSM

extension MessageComposer {
  /// The number of messages that an operator's text becomes.
  ///
  /// - Throws: `PDUError` when it cannot be sent, or takes more than are allowed.
  public static func parts(
    of text: String, to number: String, allowed: Int
  ) throws(PDUError) -> Int {
    var options = SubmitOptions()
    options.maximumParts = allowed
    return try messages(text: text, to: try Address(number), options: options).count
  }
}
