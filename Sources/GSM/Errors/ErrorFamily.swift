/// What one code of a modem's errors means.
public struct ErrorCode: Hashable, Sendable {
  /// The number.
  public var code: Int
  /// What it means, in lower-case words.
  public var words: String
  /// What can be done about it.
  public var errorClass: ErrorClass
  /// Whether the message may have gone out all the same: modem or network stopped waiting for an
  /// answer to something that had left.
  public var isOutcomeUnknown: Bool

  /// The meaning of a code.
  public init(
    _ code: Int, _ words: String, _ errorClass: ErrorClass, isOutcomeUnknown: Bool = false
  ) {
    self.code = code
    self.words = words
    self.errorClass = errorClass
    self.isOutcomeUnknown = isOutcomeUnknown
  }
}

/// The errors that are a maker's own: the standards leave the codes from 512 on to makers, who
/// contradict each other.
public struct ErrorFamily: Hashable, Sendable {
  /// A stable name: `cinterion`.
  public let name: String
  /// `+CMS ERROR` by code, in ascending order.
  public let codes: [ErrorCode]
  /// Whether some of its modems answer an SMS command with their general errors (`+CME ERROR`, 256 to
  /// 263) under the name of the other kind.
  public let mixesKinds: Bool

  /// The errors of a maker.
  public init(_ name: String, mixesKinds: Bool = false, _ codes: [ErrorCode]) {
    self.name = name
    self.codes = codes
    self.mixesKinds = mixesKinds
  }

  /// No codes beside those of the standards.
  public static let standard = ErrorFamily("standard", [])
}
