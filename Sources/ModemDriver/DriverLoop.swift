import AT
import EventLoop
import Glibc
import ModemSession
import Time

/// The state of a driver's thread: the session, its link, and the bytes that wait to leave.
struct DriverLoop {
  private var session: ModemSession
  private var link: (any ByteLink)?
  private var waiting: [UInt8] = []
  private var hungUp = false
  private var mayRead = false
  private var watch: PathWatch?
  private var path: String
  private(set) var hasStopped = false
  private let directory: String?
  private let openLink: @Sendable (String) throws(LinkError) -> any ByteLink
  private let hooks: ModemHooks
  private let onReset: @Sendable (String) -> Void
  private let onEvent: @Sendable (ModemEvent) -> Void
  private var recorder = FlightRecorder()

  init(
    session: ModemSession, directory: String?,
    openLink: @escaping @Sendable (String) throws(LinkError) -> any ByteLink,
    hooks: ModemHooks, onReset: @escaping @Sendable (String) -> Void,
    onEvent: @escaping @Sendable (ModemEvent) -> Void
  ) {
    self.session = session
    path = session.configuration.port
    self.hooks = hooks
    self.onReset = onReset
    self.directory = directory
    self.openLink = openLink
    self.onEvent = onEvent
  }

  /// Tells the session something, and does what it wants.
  mutating func handle(_ input: SessionInput, _ clocks: any Clocks) {
    if case .request(.trace(let id, let isWhole)) = input {
      let trace = recorder.trace
      onEvent(.trace(id: id, isWhole ? trace : trace.masked))
      return
    }
    var inputs = [input]
    while let next = inputs.first {
      inputs.removeFirst()
      for effect in session.handle(next, at: clocks.boot()) {
        switch effect {
        case .open: inputs.append(open())
        case .write(let bytes):
          recorder.note(.toModem, bytes, at: clocks.boot())
          inputs += write(bytes)
        case .claimPIN(let card, let left): inputs.append(.pinClaimed(hooks.claimPIN(card, left)))
        case .pinTried(let card, let isRight): hooks.pinTried(card, isRight)
        case .reset(let step): reset(step)
        case .keepTrace(let reason): hooks.keepTrace(reason, recorder.trace.masked)
        case .close: close()
        case .event(let event):
          if case .accessChanged(let note) = event { hooks.noteAccess(note) }
          onEvent(event)
        case .stopped: hasStopped = true
        }
      }
    }
  }

  /// Takes what has come from the port.
  mutating func readAll(_ clocks: any Clocks) {
    guard mayRead else { return }
    for _ in 0..<Limits.readsInARow {
      guard let link else { return }
      var bytes: [UInt8] = []
      switch link.read(into: &bytes, limit: Limits.readBytes) {
      case .bytes:
        recorder.note(.fromModem, bytes, at: clocks.boot())
        handle(.received(bytes), clocks)
      case .wouldBlock:
        mayRead = false
        // A hang-up is told with what was left to read.
        if hungUp { handle(.closed(reason: gone), clocks) }
        return
      case .closed:
        mayRead = false
        handle(.closed(reason: gone), clocks)
        return
      }
    }
  }

  /// Writes what the port did not take at first.
  mutating func writeWaiting(_ clocks: any Clocks) {
    guard !waiting.isEmpty else { return }
    for input in flush() { handle(input, clocks) }
  }

  /// Tells the session of its deadline once that has come.
  mutating func letTimePass(_ clocks: any Clocks) {
    guard let deadline = session.deadline, deadline <= clocks.boot() else { return }
    handle(.timePassed, clocks)
  }

  /// Sleeps until the port, a request or the session's deadline wakes.
  mutating func wait(_ wakeup: Wakeup, _ pulse: Pulse, _ clocks: any Clocks) {
    if mayRead { return }
    var interests = [Interest(descriptor: wakeup.descriptor)]
    if let link {
      interests.append(Interest(descriptor: link.descriptor, writable: !waiting.isEmpty))
    } else if let watch {
      interests.append(Interest(descriptor: watch.descriptor))
    }
    let ready = pulse.sleeping(clocks) {
      PollLoop.wait(interests, until: session.deadline, clocks: clocks)
    }
    if ready[0].contains(.readable) { wakeup.clear() }
    guard ready.count > 1, !ready[1].isEmpty else { return }
    if link != nil {
      hungUp = ready[1].contains(.hungUp)
      mayRead = ready[1].contains(.readable) || hungUp
    } else {
      watch?.clear()
      handle(.portChanged, clocks)
    }
  }

  private var gone: String {
    LinkError.gone(path: path).description
  }

  private mutating func open() -> SessionInput {
    close()
    do {
      let opened = try openLink(session.configuration.port)
      path = opened.path
      link = opened
      watch = nil
      mayRead = true
      return .opened(path: path)
    } catch {
      watchForPort()
      return .openFailed(reason: error.description, error.failure)
    }
  }

  /// A reset takes its time, and a stop must be heard meanwhile.
  private func reset(_ step: RecoveryStep) {
    let thread = WorkerThread()
    do {
      try thread.start(name: "modem reset") { [hooks, path, onReset] in
        onReset(hooks.reset(step, path))
      }
    } catch {
      onReset("it could not be begun: \(error)")
    }
  }

  private mutating func close() {
    link?.close()
    if link != nil { watchForPort() }
    link = nil
    waiting = []
    hungUp = false
    mayRead = false
  }

  /// Waits for the name of the port to appear, where its directory is there to be watched.
  private mutating func watchForPort() {
    guard watch == nil else { return }
    if let directory {
      watch = PathWatch(directory: directory)
      return
    }
    let path = session.configuration.port
    guard let slash = path.lastIndex(of: "/") else { return }
    watch = PathWatch(directory: slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  private mutating func write(_ bytes: [UInt8]) -> [SessionInput] {
    guard link != nil else { return [] }
    waiting += bytes
    return flush()
  }

  private mutating func flush() -> [SessionInput] {
    guard let link else { return [] }
    do {
      while !waiting.isEmpty {
        let count = try link.write(waiting[...])
        guard count > 0 else { break }
        waiting.removeFirst(count)
      }
      return []
    } catch {
      waiting = []
      return [.closed(reason: error.description)]
    }
  }
}

extension LinkError {
  /// What it means for a modem.
  fileprivate var failure: OpenFailure {
    switch self {
    case .notFound, .gone, .noPort: .absent
    // A port that cannot even be closed is one whose device hangs.
    case .system(_, _, EIO), .system(_, _, EPROTO), .system(_, _, ETIMEDOUT),
      .system(_, _, EBUSY):
      .failed
    case .busy, .permission, .isDirectory, .notATerminal, .system: .refused
    }
  }
}
