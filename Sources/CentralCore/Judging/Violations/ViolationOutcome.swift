public import Time

/// What came of a violation: recorded once, by a person, and not judged.
public struct ViolationOutcome: Hashable, Sendable {
  /// What was done.
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    /// The driver was warned.
    case warned
    /// The driver was fined.
    case fined
    /// The driver was let go.
    case letGo = "let_go"
    /// The vehicle was not found.
    case notFound = "not_found"
    /// Something else, which the notes tell.
    case other
  }

  /// What was done.
  public var kind: Kind
  /// The fine in hundredths of a rupee; nil where there was none, or nobody said how much it was.
  public var fine: Int64?
  /// What else there is to say.
  public var notes: String?
  /// Who recorded it: a name, or the identifier of a profile that nobody has any more.
  public var author: String
  /// When.
  public var at: WallTime

  /// An outcome.
  public init(
    _ kind: Kind, fine: Int64? = nil, notes: String? = nil, by author: String, at: WallTime
  ) {
    self.kind = kind
    self.fine = fine
    self.notes = notes
    self.author = author
    self.at = at
  }

  /// The fine as people write it; nil where there is none.
  public var fineWords: String? {
    fine.map { fine in
      let rest = fine % 100
      return rest == 0 ? "\(fine / 100)" : "\(fine / 100).\(rest / 10)\(rest % 10)"
    }
  }
}

/// What came of recording an outcome.
public enum OutcomeReceipt: Hashable, Sendable {
  /// It is recorded.
  case recorded(StoredViolation)
  /// Another one was recorded before, and stays.
  case known(StoredViolation)
  /// No violation of that name stands.
  case unknown
}
