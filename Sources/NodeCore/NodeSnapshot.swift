public import Timing

/// What a node is doing, for people who ask.
public struct NodeSnapshot: Hashable, Sendable {
  /// One modem as the node sees it.
  public struct Modem: Hashable, Sendable {
    /// Whether it would send a text that is handed to it now.
    public var canSend: Bool
    /// A text is with it.
    public var isSending: Bool
    /// It is left alone until then.
    public var holdUntil: BootInstant?
    /// Outcomes in a row that were no acceptance.
    public var failuresInARow: Int
  }

  /// Whether passages can go to the server, and if not, why.
  public var connectivity: ConnectivityState
  /// The modems in the order of the configuration.
  public var modems: [Modem]
  /// Texts that count against the budget of the last 60 seconds.
  public var textsLastMinute: Int
  /// Texts that count against the budget of the last 24 hours.
  public var textsLastDay: Int
  /// Texts that the budget allows within 60 seconds.
  public var textsPerMinute: Int
  /// Texts that the budget allows within 24 hours.
  public var textsPerDay: Int
  /// When the budget opens again, if it is used up.
  public var budgetOpens: BootInstant?
  /// When the next passage becomes due, as far as it was looked for.
  public var nextDue: BootInstant?
  /// Texting waits for the store until then.
  public var storageHoldUntil: BootInstant?
}

extension NodeCore {
  /// What this node is doing at `now`.
  public func snapshot(at now: BootInstant) -> NodeSnapshot {
    let used = budget.used(at: now)
    return NodeSnapshot(
      connectivity: connectivity.state(at: now),
      modems: modems.map { modem in
        NodeSnapshot.Modem(
          canSend: modem.canSend, isSending: modem.flight != nil,
          holdUntil: modem.holdUntil.flatMap { $0 > now ? $0 : nil },
          failuresInARow: modem.streak.total)
      },
      textsLastMinute: used.minute, textsLastDay: used.day,
      textsPerMinute: rules.textsPerMinute, textsPerDay: rules.textsPerDay,
      budgetOpens: budget.exhausted(at: now)?.until, nextDue: nextDue,
      storageHoldUntil: storageHoldUntil.flatMap { $0 > now ? $0 : nil })
  }
}
