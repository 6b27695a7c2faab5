public import EventLoop
public import ServerModel
import Synchronization
public import Time

/// A ``ServerModel`` behind a socket of this machine, on a thread of its own.
public final class ServerSimulator: Sendable {
  private struct State {
    var model: ServerModel
    var behaviour = ServerBehaviour()
    var failure: ServerSimulatorError?
    var hasToStop = false
  }

  /// The port that it listens at; it stays the same while the server is away.
  public let port: UInt16
  private let state: Mutex<State>
  /// What keeps the port while the server is away.
  private let reservation: Descriptor
  private let first: Mutex<Descriptor?>
  private let journal: Mutex<Journal?>
  private let clocks: any Clocks
  private let wakeup: Wakeup
  private let thread = WorkerThread()

  /// Listens, and takes again what stands in the journal.
  ///
  /// - Parameters:
  ///   - model: What it begins with. With a journal, the same every time: what is done through
  ///     ``withModel(_:)`` does not stand in it.
  ///   - journal: The file that every change is on, flushed to the disk, before its answer leaves; nil for
  ///     a server that forgets when it ends.
  ///   - clocks: What it goes by.
  ///   - port: Where to listen; 0 for any port that is free.
  public init(
    _ model: ServerModel, journal path: String? = nil, clocks: any Clocks = SystemClocks(),
    port: UInt16 = 0
  ) throws(ServerSimulatorError) {
    var model = model
    var journal: Journal?
    if let path { journal = try Journal(path, replayingInto: &model) }
    let (reservation, bound) = try Listener.reserve(port)
    let listener = try Listener.open(bound)
    do throws(LinkError) {
      wakeup = try Wakeup()
    } catch {
      throw .link(error)
    }
    state = Mutex(State(model: model))
    self.reservation = reservation
    first = Mutex(listener)
    self.journal = Mutex(journal)
    self.clocks = clocks
    self.port = bound
  }

  /// What a node's settings name it by.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// Why it ended by itself; nil while it did not.
  public var failure: ServerSimulatorError? { state.withLock { $0.failure } }

  /// Starts to answer.
  ///
  /// - Parameter whenEnded: Called on its thread when it has ended.
  public func start(
    whenEnded: @escaping @Sendable () -> Void = {}
  ) throws(ServerSimulatorError) {
    do throws(LinkError) {
      try thread.start(name: "server") { [self] in
        run()
        whenEnded()
      }
    } catch {
      throw .link(error)
    }
  }

  /// Asks it to end: its connections are reset.
  public func stop() {
    state.withLock { $0.hasToStop = true }
    wakeup.signal()
  }

  /// Waits until it has ended.
  public func join() { thread.join() }

  /// Looks into the server or changes it, between two requests.
  public func withModel<Value: Sendable>(
    _ body: @Sendable (inout ServerModel) -> Value
  ) -> Value {
    state.withLock { body(&$0.model) }
  }

  /// Lets something go wrong with requests to come.
  public func inject(_ fault: InjectedFault) { withModel { $0.inject(fault) } }

  /// Changes how it behaves.
  public func behave(_ change: @Sendable (inout ServerBehaviour) -> Void) {
    state.withLock { change(&$0.behaviour) }
    wakeup.signal()
  }

  // MARK: Its thread

  private func run() {
    var listener = first.withLock { held in
      defer { held = nil }
      return held
    }
    var connections: [Connection] = []
    while true {
      let (behaviour, hasToStop) = state.withLock { ($0.behaviour, $0.hasToStop) }
      if hasToStop { break }
      do throws(ServerSimulatorError) {
        try settle(&listener, &connections, isAway: behaviour.isAway)
        if let listener {
          while let taken = Listener.accept(listener) { connections.append(Connection(taken)) }
        }
        try answer(&connections, behaviour)
      } catch {
        state.withLock { $0.failure = error }
        break
      }
      for place in connections.indices {
        connections[place].flush(piece: behaviour.piece, at: clocks.boot())
      }
      connections.removeAll(where: \.isClosed)
      if !connections.contains(where: \.hasUnread) { wait(listener, connections) }
    }
    listener?.close()
    reservation.close()
    for place in connections.indices { connections[place].reset() }
  }

  /// Goes away, or comes back to the same port.
  private func settle(
    _ listener: inout Descriptor?, _ connections: inout [Connection], isAway: Bool
  ) throws(ServerSimulatorError) {
    if isAway, let open = listener {
      open.close()
      listener = nil
      for place in connections.indices { connections[place].reset() }
      connections = []
    } else if !isAway, listener == nil {
      listener = try Listener.open(port)
    }
  }

  /// Takes what was asked on all connections, commits it at once, and only then has it answered.
  private func answer(
    _ connections: inout [Connection], _ behaviour: ServerBehaviour
  ) throws(ServerSimulatorError) {
    var answers: [(place: Int, response: ModelResponse, staysOpen: Bool)] = []
    for place in connections.indices {
      guard
        let (request, staysOpen) = connections[place].nextRequest(
          over: behaviour, at: clocks.boot())
      else { continue }
      answers.append((place, take(request), staysOpen))
    }
    guard !answers.isEmpty else { return }
    var failure: ServerSimulatorError?
    journal.withLock { journal in
      do throws(ServerSimulatorError) {
        try journal?.commit()
      } catch let error {
        failure = error
      }
    }
    if let failure { throw failure }
    for (place, response, staysOpen) in answers {
      connections[place].answer(
        response, staysOpen: staysOpen, behaviour: behaviour, at: clocks.boot())
    }
  }

  private func take(_ request: ModelRequest) -> ModelResponse {
    let now = clocks.wall()
    let (response, fault) = state.withLock { state in
      let response = state.model.handle(request, at: now)
      return (response, state.model.lastFault)
    }
    if request.method != "GET", request.method != "HEAD", fault?.isDone ?? true {
      journal.withLock { $0?.append(request, fault: fault, at: now) }
    }
    return response
  }

  private func wait(_ listener: Descriptor?, _ connections: [Connection]) {
    let interests =
      [
        Interest(descriptor: wakeup.descriptor), Interest(descriptor: listener?.value ?? -1),
      ] + connections.map(\.interest)
    let deadline = connections.compactMap(\.deadline).min()
    let ready = PollLoop.wait(interests, until: deadline, clocks: clocks)
    if ready[0].contains(.readable) { wakeup.clear() }
  }
}
