public import Time

/// What happened to a violation beside the changes of what was found: kept with its revisions, for whoever has to
/// know when it became final, and who said that it is so, also of what was something else then.
public struct ViolationNote: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    /// A person said that it is so.
    case confirmed
    /// A person has seen that it is another one than when it was final.
    case seen
    /// It is not final any more.
    case provisional
    /// It became final: the posts had reported.
    case reported
    /// It became final although a post had not reported.
    case unreported
    /// A person recorded what came of it.
    case outcome

    /// That it became so final.
    init(_ finality: Finality) {
      self =
        switch finality {
        case .provisional: .provisional
        case .reported: .reported
        case .unreported: .unreported
        }
    }
  }

  /// What happened.
  public var kind: Kind
  /// When.
  public var at: WallTime
  /// Who did it; nil of what follows from the reports of posts.
  public var author: String?
  /// The revision that stood then.
  public var revision: Int64

  /// A note as a store has it.
  public init(_ kind: Kind, at: WallTime, by author: String? = nil, revision: Int64) {
    self.kind = kind
    self.at = at
    self.author = author
    self.revision = revision
  }
}
