/// The code of a checkpost, such as `BNP-A`.
public struct CheckpostCode: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// One to ten of `A–Z`, `0–9` and `-`.
  public let code: String

  /// Reads a code; small letters become capitals.
  ///
  /// - Throws: `CheckpostCodeError` that says what is wrong with it.
  public init(_ text: String) throws(CheckpostCodeError) {
    let count = text.unicodeScalars.count
    guard count > 0 else { throw .empty }
    guard count <= Limits.checkpostCode.upperBound else { throw .tooLong(count) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value), CheckpostCode.isAllowed(byte.uppercased) else {
        throw .character(scalar)
      }
      bytes.append(byte.uppercased)
    }
    code = String(decoding: bytes, as: UTF8.self)
  }

  /// A code as a directory has it, also where another program wrote one there that nothing here would give.
  public init(asItStands text: String) {
    code = text
  }

  /// A code whose bytes have been checked by the caller.
  init(checked code: String) {
    self.code = code
  }

  /// The code as it stands in a V1 text.
  public var description: String { code }

  /// The order of the letters, by their codes in ASCII.
  public static func < (left: CheckpostCode, right: CheckpostCode) -> Bool {
    left.code < right.code
  }

  static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isUpper || byte.isDigit || byte == UInt8(ascii: "-")
  }
}

/// Why a text is no code of a post.
public enum CheckpostCodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing in it.
  case empty
  /// More than ten characters; the count.
  case tooLong(Int)
  /// A character other than `A–Z`, `0–9` and `-`.
  case character(Unicode.Scalar)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .empty:
      "the code of the post is empty; write one such as BNP-A"
    case .tooLong(let count):
      "the code of the post has \(count) characters; 10 are the most"
    case .character(let scalar):
      "the code of the post has the character \(Unseen.quoted(String(scalar))); there may be"
        + " A-Z, 0-9 and -"
    }
  }
}
