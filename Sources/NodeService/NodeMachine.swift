import Events
import ModemSession
public import NodeCore
import Passages
public import Storage
public import Time

/// A node without its threads: the core's decisions turned into changes of the store and requests
/// to modem and server.
///
/// The service drives it on its own thread; the simulation drives the very same value under a clock
/// of its own. All that happens together is one transaction, and nothing goes out before it is on
/// disk: the intent to send a text, above all, stands there before the modem hears of it. Outcomes
/// that come while the last commit was being written share the next one with the intents that follow
/// from them.
///
/// When the store fails for now (it is full, or locked by another process), the core is put back to
/// where it was, no text is sent, and what happened meanwhile is kept and handed in again. Any other
/// failure ends the node: an error is thrown, and a new start reads what is true from the disk.
public struct NodeMachine: Sendable {
  /// What a machine is made of, beside its store.
  public struct Settings: Hashable, Sendable {
    /// When and how often texts are sent.
    public var rules: NodeRules
    /// How long the network keeps trying to deliver a text; nil for the network's own choice.
    public var validity: Duration?
    /// Whether to ask the network to report what became of each text.
    public var requestStatusReports = true
    /// How long what the server has stays in the store; nil for ever.
    public var keep: Duration?
    /// Bytes that the database and the photographs may take before the oldest that the server has are
    /// removed; nil for as many as there are.
    public var capacity: Int64?

    /// Settings with these rules and everything else at its default.
    public init(rules: NodeRules) {
      self.rules = rules
    }
  }

  /// The store that the machine keeps everything in.
  public let store: any NodeStore
  private let localClock: LocalClock
  private let isClockKept: @Sendable () -> Bool
  /// What a round changes, as the last one left it that is on disk.
  var state: NodeRound.State
  var unstored: [NodeInput] = []
  var storageRetryAt: BootInstant?
  var nextLook: BootInstant
  var knownChanges: Int64?
  var waiting = 0
  var isStarted = false
  /// Whether the start is still to come, because the store failed for now.
  var isStartDue = false
  /// Why the store takes nothing just now.
  var storageFailure: NodeFacts.StoreFailure?
  /// Where all that it held was saved when its file was not there any more.
  var savedCopy: String?
  /// The last passage that was looked at whether another process recorded it.
  var lastQueueID: Int64 = 0
  /// Passages that were recorded through this machine since then.
  var ownPassages: Set<ClientID> = []

  /// A machine that has not started.
  ///
  /// - Parameters:
  ///   - seed: where the jitter of the probes comes from.
  ///   - localClock: the clock on the wall of the post, for quiet hours.
  ///   - isClockKept: whether a time service keeps this machine's clock; asked when it was set, and while nobody
  ///     has vouched for times that were read from it.
  public init(
    store: any NodeStore, settings: Settings, seed: UInt64, localClock: LocalClock = .utc,
    isClockKept: @escaping @Sendable () -> Bool = { false }
  ) {
    self.store = store
    self.localClock = localClock
    self.isClockKept = isClockKept
    state = NodeRound.State(settings: settings, seed: seed)
    nextLook = .zero
  }

  /// Recovers the store from however the last service ended, and starts; while the store fails for now,
  /// with the first round in which it does not.
  ///
  /// - Parameters:
  ///   - boot: the machine's boot clock.
  ///   - wall: the wall clock.
  public mutating func start(
    at boot: BootInstant, wall: WallTime
  ) throws(StorageError) -> [NodeOutput] {
    let moment = Moment(boot: store.clock.time(at: boot), wall: wall)
    isStartDue = true
    do {
      return try begin(at: moment)
    } catch {
      guard error.isTransient else { throw error }
      return postpone([], error, at: moment)
    }
  }

  private mutating func begin(at moment: Moment) throws(StorageError) -> [NodeOutput] {
    let facts = try store.recover(rules: state.settings.rules, at: moment)
    lastQueueID = facts.lastQueueID
    let outputs = try round(at: moment) { round throws(StorageError) in
      try round.tell(.started(facts))
    }
    isStarted = true
    isStartDue = false
    return outputs
  }

  /// Takes everything that came in, and lets time pass up to now; returns what is to be done
  /// outside, in order.
  ///
  /// - Throws: a failure of the store that time alone will not mend.
  public mutating func handle(
    _ inputs: [NodeInput], at boot: BootInstant, wall: WallTime
  ) throws(StorageError) -> [NodeOutput] {
    let moment = Moment(boot: store.clock.time(at: boot), wall: wall)
    let all = NodeInput.lineFirst(unstored + inputs)
    var opening: [NodeOutput] = []
    do {
      if isStartDue { opening = try begin(at: moment) }
      let looks = moment.boot >= nextLook
      let asks = looks || inputs.contains(where: \.isWake)
      var changes = knownChanges
      let outputs = try round(at: moment) {
        [known = knownChanges, hadFailed = storageRetryAt != nil] round throws(StorageError) in
        if asks { changes = try round.transaction.foreignChanges() }
        // Another process changed the queue and did not say so.
        let isDue = looks && changes != known
        // The program that changed the queue may have seen more of the clock.
        if changes != known { round.state.clock.reload() }
        try round.watchClock()
        // Answers that came meanwhile are none that came too late.
        for input in all {
          try round.take(input)
        }
        if hadFailed { try round.tell(.storageWorks) }
        if looks {
          try round.verify(by: nil)
          try round.dateUndated()
        }
        if changes != known { try round.matchChanged() }
        try round.tell(isDue ? .woke : .timePassed)
      }
      noteOwnPassages(outputs)
      let mayHaveMore = changes != knownChanges || ownPassages.count > Limits.ownPassages
      knownChanges = changes
      if looks { nextLook = moment.boot + Limits.lookEvery }
      unstored = []
      storageRetryAt = nil
      storageFailure = nil
      return opening + (mayHaveMore ? passagesOfOthers(at: moment) : []) + outputs
    } catch {
      guard error.isTransient else { throw error }
      return opening + postpone(all, error, at: moment)
    }
  }

  /// When the machine has something to do if nothing comes in, by the machine's boot clock: call
  /// ``handle(_:at:wall:)`` then. Nil when nothing ever will be.
  public var nextDeadline: BootInstant? {
    guard isStarted else { return storageRetryAt.map { store.clock.boot(at: $0) } }
    var deadline = nextLook
    if let next = state.core.nextDeadline {
      deadline = min(deadline, next)
    }
    if let look = state.matching.nextLook { deadline = min(deadline, look) }
    if waiting > 0 {
      deadline = min(deadline, state.timeKept + Limits.keepTimeEvery)
    }
    if let storageRetryAt {
      // While the store fails, all waits for the next attempt, and nothing is looked at before.
      deadline = storageRetryAt
    }
    return store.clock.boot(at: deadline)
  }

  /// Whether the network link matters: whether there is a server to reach over it.
  public var watchesLink: Bool { state.core.rules.hasServer }

  /// Whether a text is with a modem whose outcome is still to come.
  public var isSending: Bool { state.core.isSending }

  /// What the node is doing.
  public func report(at boot: BootInstant) -> NodeReport {
    let now = store.clock.time(at: boot)
    return NodeReport(
      time: now, node: state.core.snapshot(at: now), modems: state.modemStatus, waiting: waiting,
      unstored: unstored.count,
      alerts: state.core.matchingPlace.map { _ in state.core.alerts },
      place: state.core.matchingPlace,
      serverTime: state.core.serverTime, clockBehind: state.clock.behind,
      storageFailure: storageFailure)
  }
}

extension NodeMachine {
  /// Runs one round of work in one transaction, and takes over what came of it only when it is on
  /// disk.
  private mutating func round(
    at moment: Moment, _ work: (inout NodeRound) throws(StorageError) -> Void
  ) throws(StorageError) -> [NodeOutput] {
    let quiet = state.settings.rules.quietHours?.left(at: moment.wall, by: localClock)
    state.core.setQuiet(until: quiet.map { moment.boot + $0 })
    let before = state
    let store = store
    let isClockKept = isClockKept
    let hadBallast = store.hasBallast
    var isSwept = false
    let keepsTime = waiting > 0 && moment.boot - state.timeKept >= Limits.keepTimeEvery
    let (state, outputs, waiting) = try store.transaction { transaction throws(StorageError) in
      var round = NodeRound(
        transaction: transaction, moment: moment, start: store.clock.time(at: .zero),
        shortage: { store.shortage }, freeBytes: { store.freeBytes },
        isClockKept: isClockKept, state: before)
      try work(&round)
      // Nobody waits for it, and a text on its way does.
      if round.state.nextSweep <= moment.boot, !round.state.core.isSending {
        try round.sweep()
        let isMore = try round.prune()
        round.state.nextSweep = moment.boot + (isMore ? Limits.pruneAgain : Limits.sweepEvery)
        isSwept = true
      }
      if let look = round.state.matching.nextLook, look <= moment.boot {
        try round.lookForOverdue()
        // What was told is kept with what else the core remembers.
        try round.tell(.timePassed)
      }
      if keepsTime {
        try round.keepTime()
      }
      return (round.state, round.outputs, try transaction.waiting())
    }
    self.state = state
    self.state.settings.rules = state.core.rules
    self.waiting = waiting
    return outputs + tendBallast(had: hadBallast, looks: isSwept, at: moment)
  }

  /// Tells that the space for a full disk was given up, and has it held again now and then.
  private func tendBallast(had: Bool?, looks: Bool, at moment: Moment) -> [NodeOutput] {
    let words = NodeLogMessages(settings: state.settings, moment: moment)
    if had == true, store.hasBallast == false { return [.log(words.ballastDropped)] }
    return looks && store.restoreBallast() ? [.log(words.ballastHeld)] : []
  }

  private mutating func noteOwnPassages(_ outputs: [NodeOutput]) {
    for case .recorded(_, .success(let outcomes)) in outputs {
      for case .recorded(let client, let queueID) in outcomes {
        // One that follows the last need not be read back: nobody else's stands between.
        if queueID == lastQueueID + 1 {
          lastQueueID = queueID
        } else {
          ownPassages.insert(client)
        }
      }
    }
  }

  /// The events of passages that other processes recorded, each once: whoever follows the log sees a
  /// passage from its beginning, whichever command recorded it.
  ///
  /// What the round decided is on disk already and must go out: passages that cannot be read now are
  /// read with the next ones.
  private mutating func passagesOfOthers(at moment: Moment) -> [NodeOutput] {
    var query = QueueQuery()
    var outputs: [NodeOutput] = []
    var found: [Passage] = []
    for _ in 0..<Limits.pagesAtOnce {
      query.afterID = lastQueueID
      let leftOut = (try? store.photosLeftOut(after: lastQueueID)) ?? [:]
      guard let items = try? store.list(query) else {
        knownChanges = nil
        return outputs + match(found, at: moment)
      }
      lastQueueID = items.last?.queueID ?? lastQueueID
      for item in items where !ownPassages.contains(item.passage.clientID) {
        let recorded = Moment(boot: item.since, wall: item.createdAt)
        outputs.append(.log(.recorded(item.passage, at: recorded, state.settings.rules)))
        if let reason = leftOut[item.queueID] {
          outputs.append(.log(.photoLeftOut(of: item.passage, reason, at: recorded)))
        }
        found.append(item.passage)
      }
      if items.count < query.limit {
        ownPassages = []
        return outputs + match(found, at: moment)
      }
    }
    // The rest is found with the next look.
    knownChanges = nil
    return outputs + match(found, at: moment)
  }

  /// Looks for the other end of the way of passages that other processes recorded. A store that fails now
  /// keeps no warning back that would be worth another attempt.
  private mutating func match(_ passages: [Passage], at moment: Moment) -> [NodeOutput] {
    guard !passages.isEmpty, state.core.matchingPlace != nil else { return [] }
    let outputs = try? round(at: moment) { round throws(StorageError) in
      for passage in passages { try round.match(passage) }
      try round.tell(.timePassed)
    }
    return outputs ?? []
  }

  /// Keeps what happened until the store works again, answers those who wait for it now, and lets
  /// no text go meanwhile.
  private mutating func postpone(
    _ inputs: [NodeInput], _ error: StorageError, at moment: Moment
  ) -> [NodeOutput] {
    var outputs: [NodeOutput] = []
    unstored = []
    for input in inputs {
      switch input {
      case .record(let requestID, _), .recordEarlier(let requestID, _, _):
        outputs.append(.recorded(requestID: requestID, .failure(error)))
      case .manualText(let text):
        // Whoever typed it would type it again, and each of them would go once the store works.
        outputs.append(
          .manualFinished(requestID: text.requestID, .notSent(reason: error.message)))
      case .modem(_, .received(let message))
      where unstored.count
        >= (message.index == nil ? Limits.unstoredMessages : Limits.unstoredEvents):
        // The modem keeps what is not confirmed, and its next sweep finds it again.
        break
      case .woke where unstored.contains(where: \.isWake): break
      case .modem(let id, .status):
        // Only the last one matters.
        unstored.removeAll { $0.isStatus(of: id) }
        unstored.append(input)
      default:
        unstored.append(input)
      }
    }
    nextLook = moment.boot + Limits.lookEvery
    knownChanges = nil
    storageRetryAt = moment.boot + Limits.storageRetry
    if error.kind == .lost, savedCopy == nil {
      // What was acknowledged stands in no file any more, and ends with this process.
      savedCopy = try? store.saveCopy()
    }
    let failure = NodeFacts.StoreFailure(
      error, savedCopy: error.kind == .lost ? savedCopy : nil,
      since: storageFailure?.since ?? moment.boot)
    storageFailure = failure
    for case .report(let fact) in state.core.handle(
      .storageFailed(reason: failure.words), at: moment.boot)
    {
      let words = NodeLogMessages(settings: state.settings, moment: moment)
      outputs.append(.log(words.event(for: fact, waiting: waiting)))
    }
    return outputs
  }
}

extension NodeInput {
  /// The same with the last word of the line first, and then the answers: one that came before the line went
  /// gives rise to no question any more, and none that is there counts as late.
  fileprivate static func lineFirst(_ inputs: [NodeInput]) -> [NodeInput] {
    guard inputs.count > 1 else { return inputs }
    let line = inputs.last(where: \.isOfTheLine)
    let rest = inputs.filter { !$0.isOfTheLine }
    return [line].compactMap { $0 } + rest.filter(\.isAnswer) + rest.filter { !$0.isAnswer }
  }

  private var isAnswer: Bool {
    if case .answered = self { true } else { false }
  }

  private var isOfTheLine: Bool {
    if case .linkChanged = self { true } else { false }
  }

  fileprivate func isStatus(of modem: ModemID) -> Bool {
    if case .modem(modem, .status) = self { true } else { false }
  }

  /// Whether somebody says that the queue was changed from outside.
  fileprivate var isWake: Bool {
    if case .woke = self { true } else { false }
  }
}
