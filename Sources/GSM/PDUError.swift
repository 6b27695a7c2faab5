/// Why a PDU cannot be read or made.
public enum PDUError: Error, Hashable, Sendable {
  /// The text is not pairs of hexadecimal digits.
  case notHexadecimal
  /// The octets end before the field named here does.
  case truncated(field: String)
  /// The PDU is longer than any short message can be.
  case tooLong(octets: Int)
  /// The message type is one that is never handed to a terminal's user, such as SMS-SUBMIT-REPORT.
  case unsupportedType(String)
  /// The length of an address says more digits than an address can have.
  case addressLength(Int)
  /// A number holds a character that no address can carry.
  case addressCharacter(Character)
  /// A number is empty.
  case emptyAddress
  /// The user data header is longer than the user data.
  case headerLength(Int)
  /// The text is compressed, which no network uses and nothing here reads.
  case compressed
  /// A character cannot be written in the alphabet that was asked for.
  case character(Character, alphabet: String)
  /// The text needs more than the 255 parts that a long message can have.
  case tooManyParts(Int)
  /// The text needs more parts than the caller allows; it is `length` septets, octets or UTF-16 units
  /// long, by its alphabet.
  case partsNotAllowed(needed: Int, allowed: Int, length: Int, alphabet: Alphabet)

  /// A short stable name for scripts.
  public var code: String {
    switch self {
    case .notHexadecimal: "not_hexadecimal"
    case .truncated: "truncated"
    case .tooLong: "too_long"
    case .unsupportedType: "unsupported_type"
    case .addressLength: "address_length"
    case .addressCharacter: "address_character"
    case .emptyAddress: "empty_address"
    case .headerLength: "header_length"
    case .compressed: "compressed"
    case .character: "character"
    case .tooManyParts, .partsNotAllowed: "too_many_parts"
    }
  }

  /// What is wrong, in words.
  public var message: String {
    switch self {
    case .notHexadecimal:
      "not hexadecimal: a PDU is pairs of the digits 0-9 and A-F"
    case .truncated(let field):
      "the PDU ends inside its \(field)"
    case .tooLong(let octets):
      "\(octets) octets are more than any short message has"
    case .unsupportedType(let name):
      "\(name) is not a message that a terminal receives or sends"
    case .addressLength(let length):
      "an address of \(length) digits; at most 20 are possible"
    case .addressCharacter(let character):
      "\"\(character)\" cannot stand in a number; use digits, *, #, a leading +"
    case .emptyAddress:
      "the number is empty"
    case .headerLength(let length):
      "the user data header claims \(length) octets, more than there are"
    case .compressed:
      "compressed text cannot be read"
    case .character(let character, let alphabet):
      "\"\(character)\" is not in the \(alphabet) alphabet"
    case .tooManyParts(let parts):
      "the text needs \(parts) parts; a long message has at most 255"
    case .partsNotAllowed(let needed, let allowed, let length, let alphabet):
      "the text is \(length) \(alphabet.units) long, of which one message holds"
        + " \(alphabet.capacity), so it needs \(needed) messages where"
        + " \(allowed) \(allowed == 1 ? "is" : "are") allowed; shorten it"
    }
  }
}
