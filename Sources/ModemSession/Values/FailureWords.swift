/// What is wrong with a modem, as a session says it: the reason and, behind a semicolon, the act that
/// helps.
public struct FailureWords: Hashable, Sendable {
  /// What is wrong.
  public var problem: String
  /// What helps, where the session knows.
  public var remedy: String?

  /// The two halves of a session's words: ``ModemStatus/lastError``, the reason of a state.
  public init(_ words: String) {
    let halves = words.split(separator: "; ", maxSplits: 1).map(String.init)
    problem = halves.first ?? words
    remedy = halves.count > 1 ? halves[1] : nil
  }

  /// What helps when the session knows of nothing better.
  public static let anyRemedy =
    "`checkpost modem reset`; where that does not help, pull the modem out and plug it in"
}
