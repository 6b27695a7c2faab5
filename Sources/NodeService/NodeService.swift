public import EventLoop
public import Events
public import ModemSession
public import NodeCore
public import Storage
import Synchronization
public import Time

/// What a node reaches the world through. All of these are called on the node's thread and must not
/// block: they post to threads of their own.
public struct NodePorts: Sendable {
  /// Hands a request to a modem's driver.
  public var modem: @Sendable (ModemID, ModemRequest) -> Void
  /// Asks something of the server, showing the token if there is one; the reply is posted back as
  /// ``NodeInput/answered(_:_:)`` under the same number.
  public var call: @Sendable (CallID, ServerCall, Token?) -> Void
  /// Reads the network link.
  public var link: @Sendable () -> LinkState
  /// What tells that the link may have changed; without it the link is read every few seconds.
  public var linkNews: NetlinkSocket?
  /// Removes the files of photographs, before it returns.
  public var removePhotos: @Sendable ([String]) -> Void
  /// Warns those on the spot.
  public var alert: @Sendable (TravelAlert) -> Void
  /// Takes each event of the log, after it is in the store.
  public var log: @Sendable (Event) -> Void

  /// The ports of a node.
  public init(
    modem: @escaping @Sendable (ModemID, ModemRequest) -> Void,
    call: @escaping @Sendable (CallID, ServerCall, Token?) -> Void,
    link: @escaping @Sendable () -> LinkState, linkNews: NetlinkSocket? = nil,
    removePhotos: @escaping @Sendable ([String]) -> Void = { _ in },
    alert: @escaping @Sendable (TravelAlert) -> Void = { _ in },
    log: @escaping @Sendable (Event) -> Void
  ) {
    self.modem = modem
    self.call = call
    self.link = link
    self.linkNews = linkNews
    self.removePhotos = removePhotos
    self.alert = alert
    self.log = log
  }
}

/// The node's service: a ``NodeMachine`` on a thread of its own, asleep until something comes in or
/// its next deadline.
///
/// Whatever happens together while the last commit was on its way to the disk shares the next one.
public final class NodeService: ServicePart {
  private let machine: Mutex<NodeMachine?>
  private let clocks: any Clocks
  private let ports: NodePorts
  private let wakeup: Wakeup
  private let mailbox: Mailbox<NodeInput>
  private let thread = WorkerThread()
  private let pulse = Pulse("node")
  private let requests = PendingRequests()
  private let lastReport = Mutex<NodeReport?>(nil)
  private let failure = Mutex<StorageError?>(nil)

  /// A node that has not started.
  ///
  /// - Parameters:
  ///   - store: the node's store; for a file, this process should hold its `ServiceLock`.
  ///   - settings: what the configuration says.
  ///   - seed: where the jitter of the probes comes from.
  ///   - clocks: the machine's clocks.
  ///   - localClock: the clock on the wall of the post, for quiet hours.
  ///   - ports: what the node reaches the world through.
  public init(
    store: any NodeStore, settings: NodeMachine.Settings, seed: UInt64, clocks: any Clocks,
    localClock: LocalClock = .utc, ports: NodePorts
  ) throws(LinkError) {
    let wakeup = try Wakeup()
    self.wakeup = wakeup
    mailbox = Mailbox(capacity: Limits.mailbox, wakeup: wakeup)
    machine = Mutex(
      NodeMachine(
        store: store, settings: settings, seed: seed, localClock: localClock,
        isClockKept: { SystemClocks.isSynchronised }))
    self.clocks = clocks
    self.ports = ports
  }

  /// Hands something in from any thread; false when the node is overwhelmed or has ended.
  @discardableResult
  public func post(_ input: NodeInput) -> Bool {
    mailbox.post(input)
  }

  /// Says that somebody changed the queue: a passage was recorded by another process.
  public func wake() {
    mailbox.post(.woke)
  }

  /// Records passages; when this returns they are on disk. Requests that come together share one
  /// commit.
  public func record(
    _ passages: [RecordRequest]
  ) async throws(NodeServiceError) -> [RecordOutcome] {
    let answer = await withCheckedContinuation { continuation in
      record(passages) { continuation.resume(returning: $0) }
    }
    return try answer.get()
  }

  /// Records passages, and hands `whenDone` what came of it, on any thread: once they are on disk.
  ///
  /// - Parameter moment: When they were put down elsewhere, by the store's clocks; nil for now.
  public func record(
    _ passages: [RecordRequest], at moment: Moment? = nil,
    whenDone: @escaping @Sendable (Result<[RecordOutcome], NodeServiceError>) -> Void
  ) {
    guard passages.count <= Limits.recordRequest else {
      return whenDone(.failure(.tooMany(limit: Limits.recordRequest)))
    }
    requests.recorded(whenDone) { requestID in
      mailbox.post(
        moment.map { .recordEarlier(requestID: requestID, passages, at: $0) }
          ?? .record(requestID: requestID, passages))
    }
  }

  /// Sends a text of an operator's through one of the node's modems, and returns what became of it.
  public func sendText(to number: String, body: String) async -> TextOutcome {
    await requests.texted { requestID in
      mailbox.post(.manualText(ManualText(requestID: requestID, to: number, body: body)))
    }.outcome
  }

  /// Sends a text of an operator's, and hands `whenDone` what became of it, on any thread.
  ///
  /// - Parameters:
  ///   - parts: parts that it is sent in, each of which counts against the budget.
  ///   - modem: the modem that is to send it; nil for any.
  /// - Returns: the number of the request, by which it can be withdrawn; nil when the node has ended.
  @discardableResult
  public func sendText(
    to number: String, body: String, parts: Int, modem: ModemID?,
    whenDone: @escaping @Sendable (TextAnswer) -> Void
  ) -> Int64? {
    requests.texted(whenDone) { requestID in
      mailbox.post(
        .manualText(
          ManualText(requestID: requestID, to: number, body: body, parts: parts, modem: modem)))
    }
  }

  /// Withdraws a text of an operator's that still waits for a modem; it ends as not sent. One that is
  /// with a modem runs its course.
  public func withdrawText(_ requestID: Int64) {
    mailbox.post(.manualWithdrawn(requestID: requestID))
  }

  /// Withdraws a text of an operator's by its number, and hands `whenDone` whether it still waited, on any
  /// thread.
  public func withdrawText(id: TextID, whenDone: @escaping @Sendable (Bool) -> Void) {
    let answered: @Sendable (TextAnswer) -> Void = { answer in
      if case .notSent = answer.outcome { whenDone(true) } else { whenDone(false) }
    }
    requests.texted(answered) { requestID in
      mailbox.post(.textWithdrawn(id, requestID: requestID))
    }
  }

  /// What the node was doing after it last did something; nil before it has started.
  public var report: NodeReport? {
    lastReport.withLock { $0 }
  }

  /// Its loop.
  public var pulses: [Pulse] { [pulse] }

  /// Starts the node's thread.
  ///
  /// - Parameter whenEnded: Called on that thread when the node has ended: as asked to, or because
  ///   its store fails beyond what time mends, which ``join()`` throws.
  /// - Throws: `LinkError.system` when the system has no more threads.
  public func start(whenEnded: @escaping @Sendable () -> Void = {}) throws(LinkError) {
    try thread.start(name: "node") { [self] in
      loop()
      whenEnded()
    }
  }

  /// Asks the node to end; a text that is being sent is finished first.
  public func stop() {
    mailbox.post(.stopping)
  }

  /// Blocks until the node has ended.
  ///
  /// - Throws: What its store failed with.
  public func join() throws(StorageError) {
    thread.join()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

extension NodeService {
  /// The thread's body. The machine lives here, in a local variable, from start to end.
  private func loop() {
    let taken = machine.withLock { held in
      defer { held = nil }
      return held
    }
    guard var machine = taken else { return }
    do {
      let now = clocks.boot()
      tell(try machine.start(at: now, wall: clocks.wall()), of: machine, at: now)
      try turn(&machine)
    } catch {
      failure.withLock { $0 = error }
    }
    mailbox.close()
    requests.endAll()
  }

  private func turn(_ machine: inout NodeMachine) throws(StorageError) {
    var watch = LinkWatch(news: ports.linkNews)
    watch.isWanted(machine.watchesLink, at: .zero)
    var stopBy: BootInstant?
    while true {
      let now = clocks.boot()
      var inputs = mailbox.drain()
      if stopBy == nil, inputs.contains(where: \.isStopping) {
        stopBy = now + Limits.stopWithin
      }
      if inputs.contains(where: \.changesSettings) { watch.look(at: now) }
      if let link = watch.change(at: now, by: ports.link) { inputs.append(.linkChanged(link)) }
      let isDue = machine.nextDeadline.map { $0 <= now } ?? false
      let outputs =
        inputs.isEmpty && !isDue ? [] : try machine.handle(inputs, at: now, wall: clocks.wall())
      tell(outputs, of: machine, at: now)
      // The configuration may name a server since, or none any more.
      watch.isWanted(machine.watchesLink, at: now)
      if let stopBy, !machine.isSending || stopBy <= now {
        return
      }
      wait(
        until: [machine.nextDeadline, watch.nextLook, stopBy].compactMap { $0 }.min(), &watch)
    }
  }

  private func wait(until deadline: BootInstant?, _ watch: inout LinkWatch) {
    let interests = [wakeup.descriptor, watch.descriptor].map { Interest(descriptor: $0) }
    let ready = pulse.sleeping(clocks) {
      PollLoop.wait(interests, until: deadline, clocks: clocks)
    }
    if ready.first?.isEmpty == false {
      wakeup.clear()
    }
    if ready.last?.isEmpty == false {
      watch.takeNews(at: clocks.boot())
    }
  }

  /// Tells what came of a turn, and first how the node stands after it: whoever hears of something and then
  /// asks gets no older answer.
  private func tell(_ outputs: [NodeOutput], of machine: NodeMachine, at now: BootInstant) {
    lastReport.withLock { $0 = machine.report(at: now) }
    deliver(outputs)
  }

  private func deliver(_ outputs: [NodeOutput]) {
    // Everything is on disk. What goes out goes first: writing the log takes its time.
    for output in outputs {
      switch output {
      case .modem(let id, let request): ports.modem(id, request)
      case .call(let id, let call, let token): ports.call(id, call, token)
      case .removePhotos(let names): ports.removePhotos(names)
      case .alert(let alert): ports.alert(alert)
      case .log, .recorded, .manualQueued, .manualKept, .manualFinished, .again: break
      }
    }
    for output in outputs {
      switch output {
      case .modem, .call, .alert, .removePhotos: break
      case .again(let input):
        if !mailbox.post(input), let requestID = input.recordID {
          requests.answer(requestID, Result<[RecordOutcome], NodeServiceError>.failure(.busy))
        }
      case .log(let event):
        ports.log(event)
      case .recorded(let requestID, let result):
        requests.answer(requestID, result.mapError { .storage($0) })
      case .manualQueued(let requestID, let id): requests.named(requestID, id)
      case .manualKept(let requestID): requests.kept(requestID)
      case .manualFinished(let requestID, let outcome):
        requests.answer(requestID, outcome)
      }
    }
  }
}

extension NodeInput {
  fileprivate var isStopping: Bool {
    if case .stopping = self { true } else { false }
  }

  fileprivate var changesSettings: Bool {
    if case .settingsChanged = self { true } else { false }
  }
}
