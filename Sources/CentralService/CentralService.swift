public import CentralCore
public import EventLoop
public import Events
public import Storage
import Synchronization
public import Time

/// The central's service: a ``CentralMachine`` on a thread of its own.
///
/// Whatever comes in while the last commit was on its way to the disk shares the next one. Whoever
/// hands a message over is told once it is on disk, before it is processed. While more come in than that, some
/// of what is kept is processed between two commits, and the rest once the crowd is over.
public final class CentralService: ServicePart {
  /// What came of handing a message over.
  public typealias Completion = @Sendable (Result<InboxReceipt, StorageError>) -> Void

  private enum Input: Sendable {
    case message(InboundMessage, Completion, at: BootInstant)
    case rules(CentralRules)
    /// Somebody changed the inbox or the directory.
    case look
    /// What was refused to providers changed.
    case refusals
  }

  private let machine: Mutex<CentralMachine?>
  let clocks: any Clocks
  let onEvent: @Sendable (Event) -> Void
  private let wakeup: Wakeup
  private let mailbox: Mailbox<Input>
  private let thread = WorkerThread()
  private let pulse = Pulse("central")
  private let failure = Mutex<StorageError?>(nil)
  let trouble = Mutex(StorageTrouble())
  let judged = Mutex(JudgingTally())
  let webhooks = Mutex(WebhookStandings())
  let store: any CentralStore
  let removePhotographs: @Sendable ([String]) -> [String]
  let sweepPhotographs: Sweeping
  /// Whether all that the store held was saved, when its file was not there any more.
  private let isSaved = Mutex(false)
  /// Set apart from the mailbox, which may be full when the end is asked for.
  let isStopping = Atomic(false)

  /// A central that has not started.
  ///
  /// - Parameters:
  ///   - removePhotographs: Removes photographs that belong to nothing any more, on the central's thread, and
  ///     returns those that are gone.
  ///   - sweepPhotographs: Likewise removes those that no passage ever named.
  ///   - onEvent: Takes each event of the log, on the thread that did it; must not block.
  public init(
    machine: CentralMachine, clocks: any Clocks,
    removePhotographs: @escaping @Sendable ([String]) -> [String] = { _ in [] },
    sweepPhotographs: @escaping Sweeping = { _, _ in 0 },
    onEvent: @escaping @Sendable (Event) -> Void
  ) throws(LinkError) {
    let wakeup = try Wakeup()
    self.wakeup = wakeup
    mailbox = Mailbox(capacity: Limits.mailbox, wakeup: wakeup)
    self.machine = Mutex(machine)
    store = machine.store
    self.removePhotographs = removePhotographs
    self.sweepPhotographs = sweepPhotographs
    self.clocks = clocks
    self.onEvent = onEvent
  }

  /// Hands a message over from any thread; `completion` is called once it is on disk, or with what
  /// stood in the way: at once while it is known that the store's server is away. False when the central is
  /// overwhelmed or has ended; then it is not called.
  public func submit(_ message: InboundMessage, completion: @escaping Completion) -> Bool {
    if let error = trouble.withLock({ $0.error }), error.kind == .lost, store.isShared {
      completion(.failure(error))
      return true
    }
    return mailbox.post(.message(message, completion, at: clocks.boot()))
  }

  /// Hands a message over, and returns when it is on disk; nil when the central cannot take it.
  public func submit(_ message: InboundMessage) async -> Result<InboxReceipt, StorageError>? {
    await withCheckedContinuation { continuation in
      let isTaken = submit(message) { continuation.resume(returning: $0) }
      if !isTaken { continuation.resume(returning: nil) }
    }
  }

  /// What was done and found since the start.
  public var tally: JudgingTally { judged.withLock { $0 } }

  /// Tells of what a judgement changed, and counts it; also what others who use the store judged, from any thread.
  public func tell(_ changes: JudgedChanges) {
    judged.withLock { $0.add(changes) }
    for event in changes.events(at: clocks.wall()) { onEvent(event) }
  }

  /// The same of what one request of the API changed, of which a bounded number is written singly.
  public func tell(ofRequest changes: JudgedChanges) {
    // The directory changed, by which what is there is to be judged.
    if changes.isEmpty { wake() }
    judged.withLock { $0.add(changes) }
    let events = changes.events(at: clocks.wall(), most: Limits.toldOfRequest)
    for event in events { onEvent(event) }
  }

  /// Takes up rules that were read again.
  public func change(_ rules: CentralRules) {
    mailbox.post(.rules(rules))
  }

  /// Says that somebody changed the inbox: messages are to be processed again.
  public func wake() {
    mailbox.post(.look)
  }

  /// What is to be kept of refusals has changed.
  func wakeForRefusals() {
    mailbox.post(.refusals)
  }

  /// Whether somebody waits for the central's thread.
  var isAwaited: Bool { mailbox.count > 0 }

  /// Its loop.
  public var pulses: [Pulse] { [pulse] }

  /// Starts the central's thread.
  ///
  /// - Parameter whenEnded: Called on that thread when the central has ended: as asked to, or because
  ///   its store fails beyond what time mends, which ``join()`` throws.
  /// - Throws: `LinkError.system` when the system has no more threads.
  public func start(whenEnded: @escaping @Sendable () -> Void = {}) throws(LinkError) {
    try thread.start(name: "central") { [self] in
      loop()
      whenEnded()
    }
  }

  /// Asks the central to end; what was handed over before is kept first.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Blocks until the central has ended.
  ///
  /// - Throws: What its store failed with.
  public func join() throws(StorageError) {
    thread.join()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func loop() {
    let taken = machine.withLock { held in
      defer { held = nil }
      return held
    }
    guard var machine = taken else { return }
    var agenda = CentralAgenda(at: clocks.boot())
    if store.isShared { agenda.othersAt = clocks.boot() + Limits.othersLookEvery }
    settleRefusals(&agenda)
    // By the numbers of the configuration from the first message on.
    rejudge(machine, &agenda)
    agenda.processAgainAt = process(&machine, &agenda)
    while !isStopping.load(ordering: .acquiring) {
      pulse.turns(clocks)
      turn(&machine, &agenda)
      if !isAwaited {
        var moments = [agenda.next, trouble.withLock { $0.triedAgainAt }].compactMap { $0 }
        if agenda.isCrowded { moments.append(clocks.boot() + Limits.crowdPause) }
        let readiness = pulse.sleeping(clocks) {
          PollLoop.wait(
            [Interest(descriptor: wakeup.descriptor)], until: moments.min(), clocks: clocks)
        }
        wakeup.clear()
        // It may have been woken by what was taken before it slept.
        let isQuiet = readiness.allSatisfy(\.isEmpty) && !isAwaited
        if agenda.isCrowded, isQuiet { agenda.endCrowd(at: clocks.boot()) }
      }
    }
    mailbox.close()
    turn(&machine, &agenda)
    settleRefusals(&agenda)
  }

  /// Takes all that waits.
  private func turn(_ machine: inout CentralMachine, _ agenda: inout CentralAgenda) {
    var messages: [HandedMessage] = []
    let now = clocks.boot()
    var isLookDue = agenda.processAgainAt.map { $0 <= now } ?? false
    for input in mailbox.drain() {
      switch input {
      case .message(let message, let completion, let at):
        messages.append(HandedMessage(message: message, completion: completion, at: at))
      case .rules(let rules):
        machine.rules = rules
        isLookDue = true
        agenda.rejudgeAt = now
        agenda.expireAt = now
      case .look:
        isLookDue = true
        agenda.rejudgeAt = now
      case .refusals:
        agenda.refusalsAt =
          agenda.refusalsAt ?? max(now, agenda.refusalsKeptAt + Limits.refusalsKeptEvery)
      }
    }
    if let due = agenda.othersAt, due <= now {
      agenda.refusalsAt = now
      isLookDue = true
      agenda.rejudgeAt = now
      agenda.othersAt = now + Limits.othersLookEvery
    }
    let count = messages.count
    while !messages.isEmpty {
      let batch = messages.prefix(Limits.batch)
      messages.removeFirst(batch.count)
      keep(Array(batch), &machine, &agenda)
      isLookDue = true
    }
    if count > 0 { agenda.kept(count, at: now) }
    // Whoever was told just now may come again at once.
    if isLookDue, !agenda.isCrowded || isStopping.load(ordering: .acquiring) {
      agenda.processAgainAt = process(&machine, &agenda)
      agenda.processedAt = clocks.boot()
      // What was judged may have to be looked at before the rest of a crowd is.
      agenda.clockAt = agenda.processAgainAt == nil ? now : agenda.clockAt ?? now
    }
    if let due = agenda.rejudgeAt, due <= now { rejudge(machine, &agenda) }
    if let due = agenda.clockAt, due <= now { agenda.clockAt = clock(machine) }
    if let due = agenda.expireAt, due <= now { expire(machine, &agenda) }
    if let due = agenda.refusalsAt, due <= now { settleRefusals(&agenda) }
    if let due = trouble.withLock({ $0.triedAgainAt }), due <= clocks.boot() { tryAgain(machine) }
  }

  /// Does what the clock asks for; returns when that is looked at again.
  private func clock(_ machine: CentralMachine) -> BootInstant? {
    do {
      let wall = clocks.wall()
      let duties = try machine.clock(at: wall)
      tell(duties.changes)
      return duties.next.map { next in
        // The wall clock may be set meanwhile.
        clocks.boot() + min(max(.zero, next - wall), Limits.clockLookEvery)
      }
    } catch {
      return putOff(error, "the clock's duties could not be done yet")
    }
  }

  /// Judges a part again, where anything has to be; the rest follows after what came in meanwhile.
  private func rejudge(_ machine: CentralMachine, _ agenda: inout CentralAgenda) {
    do {
      let wall = clocks.wall()
      let step = try machine.rejudge(at: wall)
      tell(step.changes)
      agenda.rejudged.vehicles += step.vehicles
      agenda.rejudged.changes += step.changes.violations.count
      agenda.rejudgeAt = step.isDone ? nil : clocks.boot()
      agenda.clockAt = clocks.boot()
      guard step.isDone else { return }
      let (vehicles, changes) = agenda.rejudged
      agenda.rejudged = (0, 0)
      if vehicles > 0 {
        onEvent(Event(judgedAgain: vehicles, changes: changes, at: wall))
      }
    } catch {
      agenda.rejudgeAt = putOff(error, "what is there could not be judged again yet")
    }
  }

  /// Drops some of what is too old; the rest follows after what came in meanwhile.
  private func expire(_ machine: CentralMachine, _ agenda: inout CentralAgenda) {
    do {
      let wall = clocks.wall()
      guard let step = try machine.expire(at: wall) else {
        agenda.expireAt = nil
        return
      }
      agenda.dropped += step.dropped
      try removeDroppedPhotographs()
      let pause = step.next.map { $0 - wall } ?? CentralCore.Limits.expiredEvery
      // The wall clock may be set meanwhile, so it is asked again before that.
      agenda.expireAt = clocks.boot() + min(max(.zero, pause), Limits.expiryLookEvery)
      if let since = step.keptSince { try sweep(writtenBefore: since, &agenda) }
      guard pause > .zero, !agenda.dropped.isEmpty else { return }
      onEvent(Event(dropped: agenda.dropped, at: wall))
      agenda.dropped = Dropped()
    } catch {
      agenda.expireAt = putOff(error, "what is too old could not be dropped yet")
    }
  }

  /// Tells of a failure; returns when the same is tried again.
  func putOff(_ error: StorageError, _ words: String) -> BootInstant {
    let pause = Limits.retryProcessingAfter
    report(error, words, next: NextStep("tried again", at: clocks.wall() + pause))
    return clocks.boot() + pause
  }

  /// Looks whether something can be written again.
  private func tryAgain(_ machine: CentralMachine) {
    do {
      try machine.proveWritable()
      noteSuccess()
    } catch {
      noteFailure(error)
      report(error, CentralService.notKept)
    }
  }

  private static let notKept =
    "what comes in cannot be kept; a modem's sweep finds it again, a provider repeats it"

  private func noteFailure(_ error: StorageError) {
    let now = clocks.boot()
    trouble.withLock { $0.failed(error, at: now, wall: clocks.wall()) }
  }

  private func noteSuccess() {
    guard trouble.withLock({ $0.succeeded() }) else { return }
    onEvent(
      Event(
        "central_storage_works", .notice, at: clocks.wall(), words: "what comes in is kept again"))
  }

  private func keep(
    _ batch: [HandedMessage], _ machine: inout CentralMachine, _ agenda: inout CentralAgenda
  ) {
    do {
      let outcomes = try machine.keep(batch.map(\.message))
      noteSuccess()
      noteCrowded(outcomes.count { $0 == .crowded })
      for (entry, outcome) in zip(batch, outcomes) {
        entry.completion(.success(outcome))
        if case .kept(let id) = outcome, agenda.waiting.count < Limits.timedMessages {
          agenda.waiting[id] = entry.at
        }
      }
    } catch {
      // A change that the rules of the store refuse concerns one message, not the store.
      if error.kind != .refused { noteFailure(error) }
      report(error, CentralService.notKept)
      for entry in batch { entry.completion(.failure(error)) }
    }
  }

  /// Tells of messages that were not kept for want of room, at a bounded rate.
  private func noteCrowded(_ count: Int) {
    guard count > 0 else { return }
    judged.withLock { $0.add(notKept: count) }
    let now = clocks.boot()
    guard let all = trouble.withLock({ $0.crowded(by: count, at: now) }) else { return }
    onEvent(
      Event(
        "inbox_crowded", .warning, at: clocks.wall(),
        words: "texts that are no passage were not kept, as too many wait in `checkpost central"
          + " inbox` already; passages are",
        fields: [EventField("not_kept", .integer(Int64(all)))]))
  }

  /// Tells of a failure, and ends the service when time alone will not mend it: a device that failed
  /// once may have lost what it said it had written, and only a new start reads what is true.
  func report(_ error: StorageError, _ words: String, next: NextStep? = nil) {
    // A server that lets nobody in for now lets somebody in again.
    let ends = error.endsService && !(error.kind == .denied && store.isShared)
    if ends {
      failure.withLock { $0 = $0 ?? error }
      stop()
    }
    if error.kind == .lost { saveOnce() }
    let now = clocks.boot()
    let leftOut = trouble.withLock { $0.leftOut(words, error, at: now) }
    guard leftOut != nil || ends else { return }
    let end = ends ? " The service ends; mend that, and start it again" : ""
    let more = leftOut.flatMap { $0 > 0 ? " (\($0) more of these were not written)" : nil } ?? ""
    onEvent(
      Event(
        "central_storage_failed", .error, at: clocks.wall(),
        words: "\(words): \(error.message)\(end)\(more)",
        next: ends ? nil : next))
  }

  /// Saves what was acknowledged and stands in no file any more: it would end with this process.
  private func saveOnce() {
    let isFirst = isSaved.withLock { isSaved in
      defer { isSaved = true }
      return !isSaved
    }
    guard isFirst, let copy = try? store.saveCopy() else { return }
    onEvent(
      Event(
        "central_storage_saved", .error, at: clocks.wall(),
        words: "all that the database held is in \(copy); end the service before you put it back"))
  }
}

extension StorageError {
  /// Whether a running service can do nothing more with the store.
  fileprivate var endsService: Bool {
    // A change that the rules of the store refuse concerns one message, not the store.
    kind != .refused && !isTransient
  }
}
