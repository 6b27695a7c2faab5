import AT
public import EventLoop
public import ModemSession
public import Time

/// A modem's session on a thread of its own: opens the port, carries bytes both ways, and sleeps
/// until bytes, a request or a deadline come.
///
/// Nothing is decided here. A port that hangs up is seen at once; while there is none, the thread
/// waits for its name to appear.
public final class ModemDriver: ServicePart {
  private let configuration: ModemConfiguration
  private let seed: UInt16
  private let clocks: any Clocks
  private let directory: String?
  private let openLink: @Sendable (String) throws(LinkError) -> any ByteLink
  private let hooks: ModemHooks
  private let onEvent: @Sendable (ModemEvent) -> Void
  private let wakeup: Wakeup
  private let mailbox: Mailbox<SessionInput>
  private let thread = WorkerThread()
  private let pulse = Pulse("modem")

  /// A driver that has not started.
  ///
  /// - Parameters:
  ///   - configuration: The port, and what the operator settled.
  ///   - seed: Where the references of long messages begin.
  ///   - clocks: The machine's clocks.
  ///   - hooks: What is needed of the machine beside the port.
  ///   - directory: Where the port appears, to be watched while there is none; by default, the
  ///     directory of its path.
  ///   - openLink: Opens the port of a path, non-blocking and for this process alone.
  ///   - onEvent: Called on the driver's thread with each event; must not block.
  /// - Throws: `LinkError.system` when the system has no more descriptors.
  public init(
    configuration: ModemConfiguration, seed: UInt16 = 0, clocks: any Clocks,
    hooks: ModemHooks = ModemHooks(), directory: String? = nil,
    openLink: @escaping @Sendable (String) throws(LinkError) -> any ByteLink,
    onEvent: @escaping @Sendable (ModemEvent) -> Void
  ) throws(LinkError) {
    self.configuration = configuration
    self.seed = seed
    self.clocks = clocks
    self.directory = directory
    self.openLink = openLink
    self.hooks = hooks
    self.onEvent = onEvent
    wakeup = try Wakeup()
    mailbox = Mailbox(capacity: Limits.mailbox, wakeup: wakeup)
  }

  /// Starts the thread, which opens the port.
  ///
  /// - Parameter whenEnded: Called on that thread when the driver has ended.
  /// - Throws: `LinkError.system` when the system has no more threads.
  public func start(whenEnded: @escaping @Sendable () -> Void = {}) throws(LinkError) {
    try thread.start(name: "modem") { [self] in
      run()
      whenEnded()
    }
  }

  /// Its loop.
  public var pulses: [Pulse] { [pulse] }

  /// Hands a request in from any thread. One that cannot be taken, as the driver is overwhelmed or
  /// has ended, is answered at once.
  ///
  /// - Returns: Whether it was taken.
  @discardableResult
  public func post(_ request: ModemRequest) -> Bool {
    if mailbox.post(.request(request)) { return true }
    let reason = "the modem's driver has ended or is overwhelmed"
    switch request {
    case .send(let text): onEvent(.sendOutcome(id: text.id, .notSent(reason: reason)))
    case .command(let id, _, _), .reset(let id, _):
      onEvent(.commandFinished(id: id, lines: [], final: "refused: \(reason)"))
    case .ussd(let id, _): onEvent(.ussdFinished(id: id, .refused(reason)))
    case .trace(let id, _): onEvent(.trace(id: id, ModemTrace()))
    case .confirmStored, .sweep, .stop: break
    }
    return false
  }

  /// Lets the thread look at the clock again: for clocks that somebody moves.
  public func wake() {
    wakeup.signal()
  }

  /// Asks the driver to finish what is being sent, close the port and end.
  public func stop() {
    mailbox.post(.request(.stop))
  }

  /// Waits until the driver has ended.
  public func finished() async {
    await thread.finished()
  }

  /// Blocks until the driver has ended.
  public func join() {
    thread.join()
  }

  /// The thread's body.
  private func run() {
    var configuration = configuration
    configuration.accessNote = configuration.accessNote ?? hooks.notedAccess()
    var loop = DriverLoop(
      session: ModemSession(configuration: configuration, seed: seed), directory: directory,
      openLink: openLink, hooks: hooks,
      onReset: { [mailbox] words in mailbox.post(.resetFinished(words)) }, onEvent: onEvent)
    loop.handle(.start, clocks)
    while !loop.hasStopped {
      pulse.turns(clocks)
      for input in mailbox.drain() { loop.handle(input, clocks) }
      loop.readAll(clocks)
      loop.writeWaiting(clocks)
      loop.letTimePass(clocks)
      if loop.hasStopped { break }
      if mailbox.count == 0 { loop.wait(wakeup, pulse, clocks) }
    }
    mailbox.close()
    // Whoever posted between the last look and the close is answered too.
    for case .request(let request) in mailbox.drain() { post(request) }
  }
}
