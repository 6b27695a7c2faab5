import Mutants
public import Time

/// Decides what a checkpost's node does: when it asks the server, when a passage leaves as a text,
/// through which modem, and what each outcome means.
///
/// The rule for a text: there has been **no connectivity for longer than five minutes** on the boot clock
/// (or a server that is there has taken nothing for longer than half an hour), AND the passage has been
/// **pending or failed for longer than five minutes**, AND it is **not yet texted**, AND it is not so old
/// that a text is worth nothing. Among those the most urgent goes
/// first, and of these the oldest by its place in the queue. One text at a time goes through one
/// modem; its intent is on disk before the modem hears of it, and a text that was accepted is never
/// sent again.
///
/// The core does nothing itself: ``handle(_:at:)`` takes what happened and returns what is to be
/// done. Time is the node's own clock, carried over restarts by the store.
public struct NodeCore: Sendable {
  /// The rules that hold; texting decisions follow a change at once.
  public var rules: NodeRules { texts.rules }

  var connectivity: Connectivity
  /// What is done with the server: session, uploads, pulls.
  var server: ServerSide
  /// The deliveries over the one queue: passages as texts, and what an operator sends.
  var texts: TextDelivery
  var isStarted = false
  /// The failure of the store that lasts, if one does.
  var storageFailure: StorageFailure?
  var reportedConnectivity: ConnectivityState?

  /// A node that has not started yet.
  ///
  /// - Parameters:
  ///   - rules: what the configuration says.
  ///   - seed: where the jitter of the probes comes from.
  public init(rules: NodeRules, seed: UInt64) {
    connectivity = Connectivity(rules: rules, seed: seed)
    texts = TextDelivery(rules: rules)
    server = ServerSide(rules: rules, seed: seed &+ 1)
  }

  /// Takes what happened at `now` and returns what is to be done, in order.
  public mutating func handle(_ event: NodeEvent, at now: BootInstant) -> [NodeEffect] {
    var effects: [NodeEffect] = []
    switch event {
    case .started(let facts):
      start(facts, at: now, &effects)
    case .timePassed:
      break
    case .woke:
      texts.lookAtAll()
      server.uploads.lookAtAll()
    case .rulesChanged(let rules):
      changeRules(rules, at: now, &effects)
    case .linkChanged(let link):
      connectivity.linkChanged(link, at: now)
    case .answered(let id, let reply):
      answered(id, reply, at: now, &effects)
    case .uploadsChosen(let kind, let answer):
      server.chosen(kind, answer, at: now, &effects)
    case .syncMarkFound(let standing):
      _ = server.found(standing, at: now, &effects)
    case .syncNow:
      server.uploads.tryNow(&effects)
      // Whoever asks for it has put right what kept passages back, perhaps.
      server.directory.lineReturned(at: now)
    case .modemChanged(let id, let canSend, let reason):
      texts.modemChanged(id, canSend: canSend, reason: reason, &effects)
    case .modemReturned(let id):
      texts.modemReturned(id)
    case .modemRestarted(let id):
      texts.modemRestarted(id)
    case .chosen(let answer):
      texts.gate = gate(at: now)
      texts.chosen(answer, at: now, &effects)
    case .heartbeatChosen(let facts):
      texts.gate = gate(at: now)
      texts.chosen(facts, at: now, &effects)
    case .textFinished(let id, let outcome):
      texts.finished(id, outcome, at: now, &effects)
    case .manualText(let text):
      texts.queueManual(text, at: now, &effects)
    case .manualWithdrawn(let requestID):
      texts.withdrawManual(requestID, &effects)
    case .textWithdrawn(let id, let requestID):
      texts.withdraw(id, requestID, &effects)
    case .retryNow:
      texts.retryNow()
      server.uploads.endPauses()
    case .stopping:
      texts.stop(&effects)
      server.uploads.stop(at: now, &effects)
    case .storageFailed(let reason):
      storageFailed(reason, at: now, &effects)
      // Nothing can be written, so nothing else is decided: a probe or an outcome would be lost.
      return effects
    case .storageWorks:
      texts.heldUntil = nil
      if let failure = storageFailure {
        effects.append(.report(.storageWorks(after: now - failure.since)))
      }
      storageFailure = nil
    }
    advance(at: now, &effects)
    return effects
  }

  /// Notes until when it is quiet by the clock on the wall, which this does not know; before each event.
  public mutating func setQuiet(until: BootInstant?) {
    texts.setQuiet(until: until)
  }

  /// The moment at which this node has something to do if nothing happens before; hand in
  /// ``NodeEvent/timePassed`` then. Nil when nothing ever will be.
  public var nextDeadline: BootInstant? {
    guard isStarted else { return nil }
    return earlier(
      earlier(connectivity.nextDeadline, server.deadline), texts.nextDeadline)
  }

  /// Whether a text is with a modem, or something on its way to the server, whose outcome is still to come.
  public var isSending: Bool {
    texts.isSending || server.isSending
  }

  private mutating func start(
    _ facts: StartFacts, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    isStarted = true
    texts.start(facts)
    server.start(facts.memory)
    connectivity.start(facts.memory, at: now)
    effects.append(.report(.started(facts)))
    effects.append(.report(.budgetsSet(rules)))
  }

  private mutating func changeRules(
    _ rules: NodeRules, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let hasNewBudgets = BudgetWindow.allCases.contains {
      rules.limit(of: $0) != self.rules.limit(of: $0)
    }
    connectivity.changeRules(rules, at: now)
    texts.changeRules(rules)
    server.changeRules(rules, at: now)
    if hasNewBudgets { effects.append(.report(.budgetsSet(self.rules))) }
  }

  private mutating func storageFailed(
    _ reason: String, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let until = now + Limits.storageHold
    texts.heldUntil = until
    texts.outbox.storeFailed()
    texts.untaken.storeFailed()
    texts.heartbeat.isAsking = false
    server.uploads.storeFailed()
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

  private mutating func advance(at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard isStarted else { return }
    texts.giveUpLostOutcomes(at: now, &effects)
    texts.tellEndedHolds(at: now, &effects)
    for id in server.lostCalls(at: now) {
      let lost = ServerFailure(.outage(.noAnswer), words: "no answer ever came")
      answered(id, ServerReply(.failure(lost)), at: now, &effects)
    }
    connectivity.noted(server.standing(at: now), at: now)
    if connectivity.advance(at: now) {
      server.ask(.probe, for: .probe, at: now, &effects)
    }
    let state = connectivity.state(at: now)
    if reportedConnectivity?.isSame(as: state) != true {
      reportedConnectivity = state
      effects.append(.report(.connectivityChanged(state)))
    }
    server.isDoubted = connectivity.isDoubted
    server.isHealthyButTakesNothing =
      connectivity.pushImpairment != nil && connectivity.reach(at: now) == .online
    server.takesPhotos = connectivity.link.map { rules.sync.takesPhotos(over: $0) } ?? true
    _ = server.advance(connectivity.reach(at: now), at: now, &effects)
    for case .call(let id, let call, let token) in effects {
      connectivity.callBegan(
        id, call, isSignedOut: server.signIn.isNeeded && token == nil, at: now)
    }
    server.memory.offlineSince = connectivity.offlineSince
    server.memory.serverDownSince = connectivity.serverDownSince
    server.memory.pushFailedAt = connectivity.pushFailedAt
    server.memory.pushImpairment = connectivity.pushImpairment
    if let memory = server.takeMemory() { effects.append(.remember(memory)) }
    texts.gate = gate(at: now)
    texts.setUntaken(after: untakenAfter(at: now))
    if effects.contains(where: \.leavesUntaken) { texts.untaken.look() }
    texts.heartbeat.absentSince = connectivity.offlineSince ?? connectivity.serverDownSince
    texts.text(at: now, &effects)
  }

  /// Whether passages may leave as texts: one answer for the search for a passage and for the second look
  /// at what was found.
  private func gate(at now: BootInstant) -> TextGate {
    if Mutant.textsAtOnceWithoutALine.isActive, connectivity.state(at: now).isOffline {
      return .open
    }
    return connectivity.textsMayLeave(at: now)
  }

  /// How long a passage may not have been taken before it leaves as a text all the same; nil while the server
  /// is not there, or all may leave.
  private func untakenAfter(at now: BootInstant) -> Duration? {
    guard rules.hasServer, texts.gate != .open, !Mutant.untakenIsNeverTexted.isActive else {
      return nil
    }
    switch connectivity.state(at: now) {
    case .online, .impaired:
      return rules.textsWhenServerDown ? rules.offlineFor : rules.serverDownAfter
    case .offline, .unknown: return nil
    }
  }

  private mutating func answered(
    _ id: CallID, _ reply: ServerReply, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard server.answered(id, reply, at: now, &effects) != nil else { return }
    connectivity.callEnded(id, reply, at: now)
  }
}

extension NodeEffect {
  /// Whether it says of a passage that the server did not take it.
  fileprivate var leavesUntaken: Bool {
    switch self {
    case .upload(.missed), .upload(.failed): true
    default: false
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
