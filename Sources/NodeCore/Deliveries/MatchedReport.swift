/// What came of keeping something received.
public enum KeepOutcome: Hashable, Sendable {
  /// It is kept. `textID` is the text that a status report is about; `resolved` when nobody knew
  /// before whether that text had left.
  case kept(textID: TextID?, resolved: Bool = false)
  /// It was kept before: the modem or the network gave it twice.
  case known
}

/// A status report that found its text.
public struct MatchedReport: Hashable, Sendable {
  /// The text that it is about.
  public var textID: TextID
  /// What it says.
  public var report: StatusReport
  /// Whether nobody knew before whether that text had left.
  public var resolved: Bool
  /// By what it was found out that the report is about this text, where nobody had known.
  public var rule: SettlingRule?

  /// A status report that found its text.
  public init(textID: TextID, report: StatusReport, resolved: Bool, rule: SettlingRule? = nil) {
    self.textID = textID
    self.report = report
    self.resolved = resolved
    self.rule = rule
  }
}

/// By what the outcome of a text was settled that nobody had known.
public enum SettlingRule: String, CaseIterable, Hashable, Sendable {
  /// There was no other text that the report can be about.
  case onlyText = "only_text"
  /// Of several it is the only one to which the count of its modem's references comes.
  case count = "reference_count"
  /// It was its modem's newest text, refused with an error that says little of what became of it.
  case doubtfulRefusal = "doubtful_refusal"
  /// The references of its modem, which count by one, run on around it without a gap.
  case noGap = "no_gap"

  /// The rule in words, after "settled by".
  public var words: String {
    switch self {
    case .onlyText: "the report: it is the only text that this can be about"
    case .count: "the count of its modem's references, which comes to no other text"
    case .doubtfulRefusal: "the report: the modem's error was none of the network's"
    case .noGap: "its modem's references, which run on without a gap"
    }
  }
}

/// A text of which nobody knew whether it left, and which the references of its modem leave no room for.
public struct TextThatNeverLeft: Hashable, Sendable {
  /// The text.
  public var textID: TextID
  /// The reference of the last text before it.
  public var before: UInt8
  /// The reference of the first text after it.
  public var after: UInt8

  /// A text that never left.
  public init(textID: TextID, before: UInt8, after: UInt8) {
    self.textID = textID
    self.before = before
    self.after = after
  }
}
