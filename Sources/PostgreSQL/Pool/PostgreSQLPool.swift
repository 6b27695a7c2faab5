public import EventLoop
public import SeededRandom
import Synchronization
public import Time

/// A fixed number of connections, each with a thread that owns it, which share what they are handed.
///
/// Work is a closure that runs on such a thread, with the connection for itself alone; what it returns goes back
/// to whoever asked. Who came first is served first. Work that leaves a transaction open loses it with the
/// connection; locks and settings of a session stay with the connection, so that work keeps to those of a
/// transaction.
public final class PostgreSQLPool: ServicePart {
  /// The bounds of a pool.
  public struct Limit: Hashable, Sendable {
    /// How many connections; 1 to 64.
    public var connections = 4
    /// How many calls may wait for one; at least 1, for each passes through the queue.
    public var waiting = 1_000
    /// How long a call may wait for one.
    public var patience: Duration = .seconds(10)
    /// The pause before connecting once more, doubled with each failure.
    public var firstPause: Duration = .milliseconds(200)
    /// The longest such pause.
    public var longestPause: Duration = .seconds(30)

    /// The usual bounds.
    public init() {}
  }

  private let limit: Limit
  private let clocks: any Clocks
  private let shared: PoolShared
  private let tickets = Atomic<UInt64>(0)
  private let started = Mutex<[WorkerThread]>([])
  private let owners: [PoolOwner]

  /// A pool that has not started.
  ///
  /// - Parameters:
  ///   - chance: From which the pauses between attempts are drawn.
  ///   - healthChanged: Is called from one of the pool's threads when a connection was made or lost, or could
  ///     not be made.
  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  public init(
    _ settings: PostgreSQLSettings, limit: Limit = Limit(), clocks: any Clocks, chance: SplitMix64,
    healthChanged: @escaping @Sendable (PostgreSQLHealth) -> Void = { _ in }
  ) throws(LinkError) {
    self.limit = limit
    self.clocks = clocks
    let bounds = Limits.poolConnections
    let size = min(max(limit.connections, bounds.lowerBound), bounds.upperBound)
    let shared = try PoolShared(
      size: size, capacity: max(limit.waiting, 1), clocks: clocks, healthChanged: healthChanged)
    self.shared = shared
    var chance = chance
    owners = (0..<size).map { index in
      PoolOwner(
        index, settings, shared, clocks, chance.fork(),
        ReconnectPause(first: limit.firstPause, longest: limit.longestPause))
    }
  }

  /// How its connections are now.
  public var health: PostgreSQLHealth { shared.health }

  /// Its loops, of which each says whether it still turns.
  public var pulses: [Pulse] { owners.map(\.pulse) }

  /// Starts its threads, which connect; once.
  ///
  /// - Throws: `LinkError.system` when the system gives no thread.
  public func start(whenEnded: @escaping @Sendable () -> Void) throws {
    let shared = shared
    let left = PoolCountdown(owners.count + 1, whenZero: whenEnded)
    do {
      try startThread("pg-queue") {
        shared.refuseLate()
        left.count()
      }
      for owner in owners {
        try startThread("pg-\(owner.index)") {
          owner.run()
          left.count()
        }
      }
    } catch {
      stop()
      throw error
    }
  }

  /// Ends it: what runs is finished, what waits is refused with ``PostgreSQLError/ended``.
  public func stop() {
    shared.end()
  }

  /// Blocks until its threads have ended.
  public func join() {
    for thread in started.withLock({ $0 }) { thread.join() }
  }

  /// Runs `work` on one of the connections, and hands what came of it to `completion` from one of the pool's
  /// threads, or from this one when it is not taken.
  ///
  /// - Parameter deadline: When it has to be over, waiting and running together; nil for what the limits and
  ///   the settings give each step.
  /// - Returns: What ``withdraw(_:)`` takes.
  @discardableResult
  public func submit<Value: Sendable>(
    until deadline: BootInstant? = nil,
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, PostgreSQLError>) -> Void
  ) -> UInt64 {
    let ticket = tickets.wrappingAdd(1, ordering: .relaxed).newValue
    submit(ticket, until: deadline, work, completion)
    return ticket
  }

  /// Takes back work that has not begun: its completion is handed ``PostgreSQLError/ended``. What has begun goes
  /// on.
  public func withdraw(_ ticket: UInt64) {
    shared.withdraw(ticket)
  }

  /// Runs `work` on one of the connections; see ``submit(until:_:_:)``. When the task is cancelled before it
  /// began, it does not run.
  public func run<Value: Sendable>(
    until deadline: BootInstant? = nil,
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) async throws(PostgreSQLError) -> Value {
    let ticket = tickets.wrappingAdd(1, ordering: .relaxed).newValue
    let result: Result<Value, PostgreSQLError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(ticket, until: deadline, work) { continuation.resume(returning: $0) }
        // It may have been cancelled before there was anything to take back.
        if Task.isCancelled { withdraw(ticket) }
      }
    } onCancel: {
      withdraw(ticket)
    }
    return try result.get()
  }

  private func submit<Value: Sendable>(
    _ ticket: UInt64, until deadline: BootInstant?,
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value,
    _ completion: @escaping @Sendable (Result<Value, PostgreSQLError>) -> Void
  ) {
    let call = PoolCall(
      run: { connection in
        connection.deadline = deadline
        defer { connection.deadline = nil }
        do throws(PostgreSQLError) {
          let value = try work(connection)
          return { completion(.success(value)) }
        } catch {
          return { completion(.failure(error)) }
        }
      },
      refuse: { completion(.failure($0)) })
    let patience = clocks.boot() + limit.patience
    shared.add(call, ticket: ticket, deadline: deadline.map { min($0, patience) } ?? patience)
  }

  private func startThread(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(LinkError) {
    let thread = WorkerThread()
    try thread.start(name: name, body)
    started.withLock { $0.append(thread) }
  }
}

/// Calls a closure when it was counted down to zero.
private final class PoolCountdown: Sendable {
  private let left: Atomic<Int>
  private let whenZero: @Sendable () -> Void

  init(_ count: Int, whenZero: @escaping @Sendable () -> Void) {
    left = Atomic(count)
    self.whenZero = whenZero
  }

  func count() {
    if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { whenZero() }
  }
}
