public import Time

/// What a node is doing, for people who ask.
public struct NodeSnapshot: Hashable, Sendable {
  /// One modem as the node sees it.
  public struct Modem: Hashable, Sendable {
    /// What people call it.
    public var name: String
    /// Whether it would send a text that is handed to it now.
    public var canSend: Bool
    /// Why it would not, in words; nil while it would, and before it has said anything.
    public var unableReason: String?
    /// A text is with it.
    public var isSending: Bool
    /// Since when one is.
    public var sendingSince: BootInstant?
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

  /// One number that passages are texted to.
  public struct Gateway: Hashable, Sendable {
    /// It is left alone until then; nil when it is not.
    public var restUntil: BootInstant?
    /// Since when it is, one refusal after the other.
    public var restSince: BootInstant?
    /// What was said last.
    public var reason: String?
  }

  /// A number besides central's that each passage is texted to, and that is left alone.
  public struct RestingRecipient: Hashable, Sendable {
    /// Its place among the settings' further numbers, counted from 1; nil of the opposite post.
    public var place: Int?
    /// It is left alone until then.
    public var restUntil: BootInstant

    /// A number that rests.
    public init(place: Int?, restUntil: BootInstant) {
      self.place = place
      self.restUntil = restUntil
    }
  }

  /// Whether passages can go to the server, and if not, why.
  public var connectivity: ConnectivityState
  /// Since when nothing of the server answers; nil while it does, or without a server.
  public var offlineSince: BootInstant?
  /// Since when the server takes nothing, whether it is there or not; nil where it takes what it is handed.
  public var serverDownSince: BootInstant?
  /// When connectivity lets passages leave as texts.
  public var textGate: TextGate
  /// The modems in the order of the configuration.
  public var modems: [Modem]
  /// When the first budget opens again, if those of all modems are used up.
  public var budgetOpens: BootInstant?
  /// The most texts that can leave within any 24 hours.
  public var worstDay: Int
  /// Numbers that passages are texted to, in the order of the configuration.
  public var gateways: [Gateway]
  /// Numbers besides central's that are left alone after they refused.
  public var restingRecipients: [RestingRecipient]
  /// Why the server refuses what this node shows, once only a person can change that.
  public var credentialAlarm: String?
  /// How long there may be no connectivity before that is more than usual.
  public var usualAbsence: Duration
  /// What the way to the server is doing, as far as the node's decisions know: what the store knows of it
  /// stands in ``sync(_:)``.
  public var sync: SyncState
  /// How much of its work the node can do.
  public var level: DegradationLevel
  /// What it knows of its server and its line.
  public var memory: NodeMemory
  /// Whether passages have a server to go to.
  public var hasServer: Bool
  /// How long a passage waits for it before it is texted.
  public var fallbackAfter: Duration
  /// Why no text leaves just now, and when one may.
  public var outlook: TextOutlook
  /// When the next passage becomes due, as far as it was looked for.
  public var nextDue: BootInstant?
  /// When the first passage leaves as a text that the server did not take, though the line is there, as far as it was
  /// looked for; nil where there is none, or all may leave as texts.
  public var untakenDue: BootInstant?

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
      offlineSince: rules.hasServer ? connectivity.offlineSince : nil,
      serverDownSince: rules.hasServer ? connectivity.serverDownSince : nil,
      textGate: connectivity.textsMayLeave(at: now),
      modems: texts.modems.indices.map { index in
        let modem = texts.modems[index]
        return NodeSnapshot.Modem(
          name: texts.name(of: ModemID(index)), canSend: modem.canSend,
          unableReason: modem.reason, isSending: modem.flight != nil,
          sendingSince: modem.flight?.since, holdUntil: ahead(modem.holdUntil),
          holdSince: ahead(modem.holdUntil).flatMap { _ in modem.holdSince },
          holdReason: ahead(modem.holdUntil).flatMap { _ in modem.holdReason },
          needsOperator: modem.needsOperator, isCreditSuspected: modem.credit.isTold,
          creditSuspectedSince: modem.credit.toldAt,
          budget: BudgetWindow.allCases.map { modem.budget.use(of: $0, at: now) },
          budgetOpens: opens[index])
      },
      budgetOpens: opens.contains(nil) ? nil : opens.compactMap { $0 }.min(),
      worstDay: rules.worstDay,
      gateways: rules.gateways.map { number in
        let state = texts.gateways[number]
        let until = ahead(state?.restUntil)
        return NodeSnapshot.Gateway(
          restUntil: until, restSince: until.flatMap { _ in state?.restSince },
          reason: until.flatMap { _ in state?.reason })
      },
      restingRecipients: rules.others.compactMap { other -> NodeSnapshot.RestingRecipient? in
        guard let number = rules.number(of: other), let state = texts.recipients[number],
          let until = ahead(state.restUntil)
        else { return nil }
        return NodeSnapshot.RestingRecipient(
          place: rules.recipients.firstIndex(of: number).map { $0 + 1 }, restUntil: until)
      },
      credentialAlarm: rules.hasServer ? server.signIn.alarm : nil,
      usualAbsence: rules.offlineFor,
      sync: server.state(absence: connectivity.state(at: now).absence, at: now),
      level: level(at: now), memory: server.memory,
      hasServer: rules.hasServer, fallbackAfter: rules.fallbackAfter,
      outlook: texts.outlook(
        connectivity.state(at: now), storageReason: storageFailure?.reason, at: now),
      nextDue: texts.outbox.nextDue,
      untakenDue: texts.mayTextUntaken ? texts.untaken.nextDue : nil)
  }
}
