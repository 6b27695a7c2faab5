public import Time

/// Decides what a checkpost's node does: when it asks the server, when a passage leaves as a text,
/// through which modem, and what each outcome means.
///
/// The rule for a text: there is **no connectivity**, AND the passage has been **pending longer than
/// five minutes** on the boot clock (or its status is `failed`, at whatever age), AND it is **not yet
/// texted**, AND it is not so old that a text is worth nothing. Among those the most urgent goes
/// first, and of these the oldest by its place in the queue. One text at a time goes through one
/// modem; its intent is on disk before the modem hears of it, and a text that was accepted is never
/// sent again.
///
/// The core does nothing itself: ``handle(_:at:)`` takes what happened and returns what is to be
/// done. Time is the node's own clock, carried over restarts by the store.
public struct NodeCore: Sendable {
  /// The rules that hold; texting decisions follow a change at once.
  public internal(set) var rules: NodeRules

  var connectivity: Connectivity
  var modems: [TextModem]
  var gateways: [String: GatewayState] = [:]
  var manualQueue: [WaitingManual] = []
  var nextTextID: TextID = 1
  var isStarted = false
  var isStopping = false
  /// The store was asked for a passage and has not answered yet.
  var isChoosing = false
  /// Whether something may be due that the store was not asked about yet.
  var needsLook = true
  /// When the first passage becomes due, as the store last said.
  var nextDue: BootInstant?
  /// How many passages were set aside at one moment, and at which.
  var setAside = 0
  var setAsideAt: BootInstant?
  var storageHoldUntil: BootInstant?
  /// The failure of the store that lasts, if one does.
  var storageFailure: StorageFailure?
  var reportedConnectivity: ConnectivityState?

  /// A node that has not started yet.
  ///
  /// - Parameters:
  ///   - rules: what the configuration says.
  ///   - seed: where the jitter of the probes comes from.
  public init(rules: NodeRules, seed: UInt64) {
    self.rules = rules
    connectivity = Connectivity(rules: rules, seed: seed)
    let count = min(max(rules.modems.count, 1), Limits.modems)
    modems = Array(repeating: TextModem(rules: rules), count: count)
  }

  /// Takes what happened at `now` and returns what is to be done, in order.
  public mutating func handle(_ event: NodeEvent, at now: BootInstant) -> [NodeEffect] {
    var effects: [NodeEffect] = []
    switch event {
    case .started(let facts):
      start(facts, &effects)
    case .timePassed:
      break
    case .woke:
      needsLook = true
    case .rulesChanged(let rules):
      changeRules(rules, at: now, &effects)
    case .linkChanged(let isUp):
      connectivity.linkChanged(isUp: isUp, at: now)
    case .probeFinished(let id, let result):
      connectivity.probeFinished(id, result, at: now)
    case .modemChanged(let id, let canSend, let reason):
      modemChanged(id, canSend: canSend, reason: reason, &effects)
    case .modemReturned(let id):
      if modems.indices.contains(id.index) { modems[id.index].startClean() }
      needsLook = true
    case .modemRestarted(let id):
      if modems.indices.contains(id.index), modems[id.index].endHold(of: .doubt) {
        needsLook = true
      }
    case .chosen(let answer):
      chosen(answer, at: now, &effects)
    case .textFinished(let id, let outcome):
      finished(id, outcome, at: now, &effects)
    case .manualText(let text):
      queueManual(text, at: now, &effects)
    case .manualWithdrawn(let requestID):
      withdrawManual(requestID, &effects)
    case .retryNow:
      retryNow()
    case .stopping:
      isStopping = true
      refuseManualTexts(&effects)
    case .storageFailed(let reason):
      storageFailed(reason, at: now, &effects)
      // Nothing can be written, so nothing else is decided: a probe or an outcome would be lost.
      return effects
    case .storageWorks:
      storageHoldUntil = nil
      if let failure = storageFailure {
        effects.append(.report(.storageWorks(after: now - failure.since)))
      }
      storageFailure = nil
    }
    advance(at: now, &effects)
    return effects
  }

  /// The moment at which this node has something to do if nothing happens before; hand in
  /// ``NodeEvent/timePassed`` then. Nil when nothing ever will be.
  public var nextDeadline: BootInstant? {
    guard isStarted else { return nil }
    var deadline = connectivity.nextDeadline
    for modem in modems {
      if let flight = modem.flight {
        deadline = earlier(deadline, flight.since + Limits.textOutcomeWithin)
      }
    }
    for manual in manualQueue where !isStopping {
      let until = manual.since + Limits.manualWithin
      deadline = earlier(deadline, max(until, storageHoldUntil ?? .zero))
    }
    return earlier(deadline, textingDeadline)
  }

  /// Whether a text is with a modem whose outcome is still to come.
  public var isSending: Bool {
    modems.contains { $0.flight != nil }
  }

  private mutating func start(_ facts: StartFacts, _ effects: inout [NodeEffect]) {
    isStarted = true
    nextTextID = facts.nextTextID
    let charges = Dictionary(grouping: facts.charges, by: \.modem)
    for index in modems.indices {
      modems[index].budget.restore(charges[ModemID(index), default: []].map(\.at))
    }
    for (modem, numbers) in facts.reached where modems.indices.contains(modem.index) {
      for number in numbers { modems[modem.index].credit.accepted(to: number) }
    }
    effects.append(.report(.started(facts)))
    effects.append(.report(.budgetsSet(rules)))
  }

  /// The number of modems stays as it was: theirs are threads that only a restart makes.
  private mutating func changeRules(
    _ rules: NodeRules, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let hasNewBudgets = BudgetWindow.allCases.contains {
      rules.limit(of: $0) != self.rules.limit(of: $0)
    }
    let names = self.rules.modems
    self.rules = rules
    self.rules.modems = names
    connectivity.changeRules(rules, at: now)
    for index in modems.indices {
      modems[index].budget.changeRules(rules)
      modems[index].budgetUntil = nil
    }
    gateways = gateways.filter { rules.recipients.contains($0.key) }
    if hasNewBudgets { effects.append(.report(.budgetsSet(self.rules))) }
    needsLook = true
  }

  private mutating func modemChanged(
    _ id: ModemID, canSend: Bool, reason: String, _ effects: inout [NodeEffect]
  ) {
    guard modems.indices.contains(id.index) else { return }
    modems[id.index].reason = canSend ? nil : reason
    guard modems[id.index].canSend != canSend else { return }
    modems[id.index].canSend = canSend
    // What it waited for is there: the network, mostly.
    if canSend, modems[id.index].endHold(of: .passing) { needsLook = true }
    effects.append(
      .report(canSend ? .modemReady(id) : .modemNotReady(id, reason: reason)))
  }

  private mutating func storageFailed(
    _ reason: String, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let until = now + Limits.storageHold
    storageHoldUntil = until
    isChoosing = false
    var failure =
      storageFailure ?? StorageFailure(since: now, reason: reason, toldAt: now - Limits.storageTold)
    // It is tried again every second; who reads the log needs to be told less often.
    if failure.reason != reason || now - failure.toldAt >= Limits.storageTold {
      failure.toldAt = now
      failure.reason = reason
      effects.append(.report(.storageFailed(reason: reason, until: until)))
    }
    storageFailure = failure
  }

  private mutating func retryNow() {
    for index in modems.indices {
      modems[index].startClean()
    }
    gateways = [:]
    storageHoldUntil = nil
    needsLook = true
  }

  private mutating func advance(at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard isStarted else { return }
    giveUpLostOutcomes(at: now, &effects)
    if let probe = connectivity.advance(at: now) {
      effects.append(.probe(id: probe))
    }
    let state = connectivity.state(at: now)
    if state != reportedConnectivity {
      reportedConnectivity = state
      effects.append(.report(.connectivityChanged(state)))
    }
    text(at: now, &effects)
  }

  private mutating func giveUpLostOutcomes(at now: BootInstant, _ effects: inout [NodeEffect]) {
    for modem in modems {
      guard let flight = modem.flight, now - flight.since >= Limits.textOutcomeWithin else {
        continue
      }
      let reason = "the modem's driver gave no outcome"
      finished(flight.id, .unknown(reason: reason), at: now, &effects)
    }
  }
}

/// A failure of the store that lasts.
struct StorageFailure: Hashable, Sendable {
  var since: BootInstant
  var reason: String
  /// When it was told of last.
  var toldAt: BootInstant
}

/// The earlier of two moments, either of which may be missing.
func earlier(_ left: BootInstant?, _ right: BootInstant?) -> BootInstant? {
  guard let left else { return right }
  guard let right else { return left }
  return min(left, right)
}
