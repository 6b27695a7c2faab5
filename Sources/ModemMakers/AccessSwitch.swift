public import AT

/// How a maker's modem is told which access technologies it may use, and how that is read first, so that
/// it can be put back.
public struct AccessSwitch: Hashable, Sendable {
  /// What tells the setting: `AT+CNMP?`.
  public let query: String
  /// What changes it, up to its values: `AT+CNMP=`.
  public let command: String
  /// Which value of the answer is the first of the setting.
  public let first: Int
  /// How many values choose the technology; what stands behind them is kept as it was.
  public let count: Int
  /// What stands behind all values of a change.
  public let suffix: String
  /// The values for one technology alone.
  public let values: [AccessTechnology: String]

  /// A query and a command, and the values of each technology.
  public init(
    _ query: String, _ command: String, _ values: [AccessTechnology: String], first: Int = 0,
    count: Int = 1, suffix: String = ""
  ) {
    self.query = query
    self.command = command
    self.first = first
    self.count = count
    self.suffix = suffix
    self.values = values
  }

  /// The command that makes the setting what the answer to ``query`` says; nil when it says nothing.
  public func putBack(_ answer: some StringProtocol) -> String? {
    let kept = fields(of: answer).dropFirst(first)
    guard kept.first.map({ !$0.isEmpty }) ?? false else { return nil }
    return command + kept.joined(separator: ",") + suffix
  }

  /// The command that leaves a technology alone, with all else as the answer to ``query`` says.
  public func leave(_ technology: AccessTechnology, _ answer: some StringProtocol) -> String? {
    guard let value = values[technology] else { return nil }
    let rest = fields(of: answer).dropFirst(first + count)
    return command + ([value] + rest).joined(separator: ",") + suffix
  }

  /// The values as they stand there, quotes and all.
  private func fields(of answer: some StringProtocol) -> [String] {
    answer.split(separator: ",", maxSplits: 32, omittingEmptySubsequences: false).map {
      String($0.filter { $0 != " " && $0 != "\r" })
    }
  }

  /// The standard's own (3GPP TS 27.007 5.9), which few have.
  public static let standard = AccessSwitch(
    "AT+WS46?", "AT+WS46=", [.gsm: "12", .umts: "22", .lte: "28"])
}
