public import Passages

/// Why a message is no passage.
public struct Reason: Error, Hashable, Sendable {
  /// A stable name for scripts, logs and metrics: `field_count`, `sender`.
  public var code: String
  /// What is wrong, in words, for an operator. It may hold a plate or a number, so it is kept in the
  /// inbox and not written to a log.
  public var message: String

  /// The code of a text that names a time which is none, or lies too far from its receipt.
  public static let time = "timestamp"

  /// The code of a text from somebody who may not speak for the post that it names.
  public static let sender = "sender"

  /// The code of a text that was too many of its sender.
  public static let rate = "rate"

  /// The code of a part whose others never came.
  public static let missingParts = "missing_parts"

  /// The code of a text of a passage from a time of which nothing is kept any more.
  public static let expired = "expired"

  /// The code of a text whose passage the store refuses: its tables may have rules of their own.
  public static let store = "store"

  /// A reason.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

/// What an operator should know about a passage that was taken all the same.
public enum IntakeWarning: String, CaseIterable, Hashable, Sendable, Codable {
  /// No post of that code has been imported, so it belongs to no segment.
  case unknownPost = "unknown_post"
  /// No ranger of that post has a number that ends so.
  case unknownRanger = "unknown_ranger"
  /// Several rangers of that post have numbers that end so.
  case ambiguousRanger = "ambiguous_ranger"
  /// The number that it came from may not speak for the post, and anybody's texts are taken.
  case unboundSender = "unbound_sender"
  /// An operator took it although the number that it came from may not speak for the post.
  case anySender = "any_sender"
  /// An operator took it although the time that it names is too far from its receipt.
  case anyTime = "any_time"
  /// An operator took it although its sender had texted more than they may.
  case anyRate = "any_rate"

  /// The warning in words.
  public var words: String {
    switch self {
    case .unknownPost: "no post of that code is known; `central import --posts` adds it"
    case .unknownRanger: "no ranger of that post has a number that ends so"
    case .ambiguousRanger: "several rangers of that post have numbers that end so"
    case .unboundSender: "the number that it came from may not speak for that post"
    case .anySender:
      "an operator took it although the number that it came from may not speak for that post"
    case .anyTime:
      "an operator took it although the time that it names is too far from when it came"
    case .anyRate: "an operator took it although its sender had texted more than they may"
    }
  }
}

/// What a message turns out to be.
public enum Decision: Hashable, Sendable {
  /// A passage, to be stored once. It is proven where the configuration trusts the number that it came
  /// from.
  case passage(Passage, warnings: [IntakeWarning], isProven: Bool)
  /// A post tells that it lives; no passage. It is proven where the configuration trusts the number that it came
  /// from: otherwise it is told that the post was heard of, and nothing is final by it.
  case heartbeat(H1Message, isProven: Bool)
  /// No passage; it waits in the inbox for an operator.
  case undecodable(Reason)
}
