import EventLoop
import Synchronization
import Time

/// A call of a pool: what to run, and whom to tell.
struct PoolCall: Sendable {
  /// Runs it; what it returns tells whoever asked.
  var run: @Sendable (PostgreSQLConnection) -> @Sendable () -> Void
  /// Tells whoever asked that it was not run.
  var refuse: @Sendable (PostgreSQLError) -> Void
}

/// What the threads of a pool share: the queue, and how the connections are.
final class PoolShared: Sendable {
  private struct State {
    var queue: PoolQueue<PoolCall>
    var health: PostgreSQLHealth
  }

  let interrupt: PostgreSQLInterrupt
  private let state: Mutex<State>
  private let clocks: any Clocks
  private let wakeups: [Wakeup]
  /// Wakes the thread that refuses calls whose time is over.
  private let lateWakeup: Wakeup
  private let healthChanged: @Sendable (PostgreSQLHealth) -> Void

  init(
    size: Int, capacity: Int, clocks: any Clocks,
    healthChanged: @escaping @Sendable (PostgreSQLHealth) -> Void
  ) throws(LinkError) {
    interrupt = try PostgreSQLInterrupt()
    lateWakeup = try Wakeup()
    var wakeups: [Wakeup] = []
    for _ in 0..<size { wakeups.append(try Wakeup()) }
    self.wakeups = wakeups
    self.clocks = clocks
    self.healthChanged = healthChanged
    state = Mutex(
      State(
        queue: PoolQueue(capacity: capacity),
        health: PostgreSQLHealth(
          size: size, connected: 0, running: 0, waiting: 0, lastError: nil, since: clocks.boot())))
  }

  var health: PostgreSQLHealth {
    state.withLock { state in
      var health = state.health
      health.waiting = state.queue.waiting.count
      return health
    }
  }

  var isEnded: Bool { state.withLock { $0.queue.isEnded } }

  func wakeup(of owner: Int) -> Wakeup { wakeups[owner] }

  // MARK: Calls

  func add(_ call: PoolCall, ticket: UInt64, deadline: BootInstant) {
    let (added, isEarliest, capacity) = state.withLock { state in
      let before = state.queue.earliest
      let added = state.queue.add(call, ticket: ticket, deadline: deadline)
      return (added, before.map { deadline < $0 } ?? true, state.queue.capacity)
    }
    switch added {
    case .waits(let owner):
      if let owner { wakeups[owner].signal() }
      if isEarliest { lateWakeup.signal() }
    case .overloaded: call.refuse(.overloaded(limit: capacity))
    case .ended: call.refuse(.ended)
    }
  }

  func withdraw(_ ticket: UInt64) {
    state.withLock { $0.queue.withdraw(ticket) }?.refuse(.ended)
  }

  /// The next call for an owner; nil when there is none, and then it is woken by the next.
  func take(for owner: Int) -> PoolCall? {
    state.withLock { state in
      guard let call = state.queue.take(for: owner) else { return nil }
      state.health.running += 1
      return call
    }
  }

  func finished() {
    state.withLock { $0.health.running -= 1 }
  }

  /// Refuses calls whose time is over, until the pool ends.
  func refuseLate() {
    while true {
      lateWakeup.clear()
      let (late, earliest, health, isEnded) = state.withLock { state in
        let late = state.queue.expire(at: clocks.boot())
        return (late, state.queue.earliest, state.health, state.queue.isEnded)
      }
      // Without any connection the reason for that tells more than that it took long.
      let connecting = health.isConnected ? nil : health.lastError
      for call in late { call.refuse(connecting ?? .timedOut(.queue)) }
      if isEnded { return }
      _ = PollLoop.wait(
        [Interest(descriptor: lateWakeup.descriptor)], until: earliest, clocks: clocks)
    }
  }

  func end() {
    let waiting = state.withLock { $0.queue.end() }
    for call in waiting { call.refuse(.ended) }
    interrupt.interrupt()
    for wakeup in wakeups { wakeup.signal() }
    lateWakeup.signal()
  }

  // MARK: Connections

  func connected() {
    change { health in
      health.connected += 1
      health.lastError = nil
      if health.connected == 1 { health.since = clocks.boot() }
    }
  }

  func lost(_ owner: Int, _ error: PostgreSQLError) {
    state.withLock { $0.queue.leave(owner) }
    change { health in
      health.connected -= 1
      health.lastError = error
      if health.connected == 0 { health.since = clocks.boot() }
    }
  }

  func failed(_ error: PostgreSQLError) {
    change { $0.lastError = error }
  }

  private func change(_ body: (inout PostgreSQLHealth) -> Void) {
    let health = state.withLock { state in
      body(&state.health)
      var health = state.health
      health.waiting = state.queue.waiting.count
      return health
    }
    healthChanged(health)
  }
}
