public import Time

/// What a node is doing, for people who ask.
public struct NodeSnapshot: Hashable, Sendable {
  /// One modem as the node sees it.
  public struct Modem: Hashable, Sendable {
    /// What people call it.
    public var name: String
    /// Whether it would send a text that is handed to it now.
    public var canSend: Bool
    /// A text is with it.
    public var isSending: Bool
    /// It is left alone until then.
    public var holdUntil: BootInstant?
    /// Since when its texts fail; nil when it is not left alone.
    public var holdSince: BootInstant?
    /// Why it is left alone; nil when it is not.
    public var holdReason: String?
    /// Whether somebody has to look at it, its card or its account.
    public var needsOperator: Bool
    /// Whether its refusals look like those of an empty account.
    public var isCreditSuspected: Bool
    /// Since when they do.
    public var creditSuspectedSince: BootInstant?
    /// What its SIM has used of its budgets, the shortest first.
    public var budget: [BudgetUse]
    /// When its budget opens again, if it is used up.
    public var budgetOpens: BootInstant?
  }

  /// Whether passages can go to the server, and if not, why.
  public var connectivity: ConnectivityState
  /// The modems in the order of the configuration.
  public var modems: [Modem]
  /// When the first budget opens again, if those of all modems are used up.
  public var budgetOpens: BootInstant?
  /// The most texts that can leave within any 24 hours.
  public var worstDay: Int
  /// When the next passage becomes due, as far as it was looked for.
  public var nextDue: BootInstant?

  /// What all modems together have used of a budget.
  public func budget(_ window: BudgetWindow) -> BudgetUse {
    let uses = modems.flatMap(\.budget).filter { $0.window == window }
    return BudgetUse(
      window: window, used: uses.map(\.used).reduce(0, +), limit: uses.map(\.limit).reduce(0, +))
  }
}

extension NodeCore {
  /// What this node is doing at `now`.
  public func snapshot(at now: BootInstant) -> NodeSnapshot {
    func ahead(_ moment: BootInstant?) -> BootInstant? { moment.flatMap { $0 > now ? $0 : nil } }
    let opens = texts.modems.map { $0.budget.exhausted(at: now)?.until }
    return NodeSnapshot(
      connectivity: connectivity.state(at: now),
      modems: texts.modems.indices.map { index in
        let modem = texts.modems[index]
        return NodeSnapshot.Modem(
          name: texts.name(of: ModemID(index)), canSend: modem.canSend,
          isSending: modem.flight != nil, holdUntil: ahead(modem.holdUntil),
          holdSince: ahead(modem.holdUntil).flatMap { _ in modem.holdSince },
          holdReason: ahead(modem.holdUntil).flatMap { _ in modem.holdReason },
          needsOperator: modem.needsOperator, isCreditSuspected: modem.credit.isTold,
          creditSuspectedSince: modem.credit.toldAt,
          budget: BudgetWindow.allCases.map { modem.budget.use(of: $0, at: now) },
          budgetOpens: opens[index])
      },
      budgetOpens: opens.contains(nil) ? nil : opens.compactMap { $0 }.min(),
      worstDay: rules.worstDay, nextDue: texts.outbox.nextDue)
  }
}
