import Mutants
public import Storage
public import Time

/// A text whose outcome was still to come when the service ended.
public struct OpenText: Hashable, Sendable {
  /// The text.
  public var id: TextID
  /// The passage that it is for; nil for an operator's text.
  public var queueID: Int64?
  /// When it was begun.
  public var begun: BootInstant
  /// Other texts for the same passage that are or may be on air.
  public var otherAttempts: Int

  /// An open text.
  public init(id: TextID, queueID: Int64?, begun: BootInstant, otherAttempts: Int) {
    self.id = id
    self.queueID = queueID
    self.begun = begun
    self.otherAttempts = otherAttempts
  }

  /// What becomes of it at the next start: nobody knows whether it left, so its passage is due again
  /// only where one more text for it is allowed.
  func consequence(_ rules: NodeRules) -> TextConsequence {
    guard queueID != nil, otherAttempts + 1 < rules.textsAllowed else { return .leftUnknown }
    return .againAfterUnknown(at: begun + rules.unknownSpacing)
  }
}

extension NodeStore {
  /// Makes the store true again after the last service ended, however it ended: what was being sent
  /// to the server is pending, and a text whose outcome nobody waited for is unknown.
  ///
  /// Only the service that owns the store calls this, once, before it starts.
  public func recover(rules: NodeRules, at moment: Moment) throws(StorageError) -> StartFacts {
    try transaction { transaction throws(StorageError) in
      let inFlight =
        Mutant.inFlightIsNotRecovered.isActive ? 0 : try transaction.returnInFlight()
      let open = try transaction.openTexts()
      for text in open {
        try transaction.apply(
          .outcome(
            text.id, .unknown(reason: "the service ended before the outcome was known"),
            text.consequence(rules)),
          at: moment)
      }
      try transaction.changeFallback(
        to: Mutant.textsYoungPassages.isActive ? .zero : rules.fallbackAfter)
      try transaction.setOthers(rules.others)
      var facts = try transaction.startFacts(
        modems: rules.modems.map(\.name), since: moment.boot - BudgetWindow.month.length)
      facts.memory = try transaction.memory()
      facts.inFlight = inFlight
      facts.intents = open.count
      return facts
    }
  }
}
