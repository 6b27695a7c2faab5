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
  /// Why there is a fine although something could still be wrong (``StandingViolation/fineDoubts``). It is
  /// recorded with the notes, so that it is nil of one that is read.
  public var although: String?

  /// An outcome.
  public init(
    _ kind: Kind, fine: Int64? = nil, notes: String? = nil, by author: String, at: WallTime,
    although: String? = nil
  ) {
    self.kind = kind
    self.fine = fine
    self.notes = notes
    self.although = although
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

extension ViolationOutcome {
  /// The notes as they are recorded: with the reason, where one is given.
  public var recordedNotes: String? {
    guard let although else { return notes }
    return [notes, "fined all the same: \(although)"].compactMap { $0 }.joined(separator: "; ")
  }

  /// Whether it may not be recorded of a violation as it stands: a fine needs a reason where something could
  /// still be wrong.
  public func lacksReason(for violation: StandingViolation) -> Bool {
    kind == .fined && although == nil && !violation.fineDoubts.isEmpty
  }
}

extension StandingViolation {
  /// Why a fine for it needs a reason, by names that stay: it is `provisional`, or an end is known
  /// `by_text_alone`, no matter who confirmed it. Nothing where it may be fined as it is.
  public var fineDoubts: [String] {
    let text = TravelDoubt.byTextAlone
    return (finality == .provisional ? [finality.rawValue] : [])
      + (finding.doubts.contains(text) ? [text.rawValue] : [])
  }
}

/// What came of recording an outcome.
public enum OutcomeReceipt: Hashable, Sendable {
  /// It is recorded.
  case recorded(StoredViolation)
  /// Another one was recorded before, and stays.
  case known(StoredViolation)
  /// It is a fine without a reason, for what could still be wrong: nothing was recorded.
  case unsure(StoredViolation)
  /// No violation of that name stands.
  case unknown
}
