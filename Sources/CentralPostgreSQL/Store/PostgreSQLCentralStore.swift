public import CentralCore
public import EventLoop
public import PostgreSQL
public import SeededRandom
public import Storage
public import Time

/// The central's posts, segments, rangers, inbox and passages in a PostgreSQL server, into which ``Migration``
/// has written the schema. Any number of services may share one.
///
/// Its calls block: what they ask runs on the threads of a pool, each of which owns a connection.
public final class PostgreSQLCentralStore: CentralStore {
  /// The bounds of a store.
  public struct Limit: Hashable, Sendable {
    /// How many connections it has; at least 3, so that messages are kept while others are processed and somebody
    /// signs in.
    public var connections = 4
    /// How long a call waits for a connection, also while there is none to the server.
    public var patience: Duration = .seconds(10)
    /// How often a transaction is tried, where the server says that it may succeed at once or the connection was
    /// lost before anything was done.
    public var attempts = 5

    /// The usual bounds.
    public init() {}
  }

  /// Who asks which database where, without any password.
  public let place: String
  let pool: PostgreSQLPool
  /// How many connections it has.
  let connections: Int
  private let attempts: Int
  private let clocks: any Clocks
  /// The transactions that decide what becomes of messages.
  let turn = Turn(lock: 7064)
  /// Those of accounts, which wait for no others.
  let accountTurn = Turn(lock: 7065)

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - chance: From which the pauses between attempts to connect are drawn.
  ///   - healthChanged: Is called from one of its threads when a connection was made or lost.
  /// - Throws: Of the kind `lost` while the server is not there; `missing` where the schema is not there, or not
  ///   all of it, and `otherVersion` where it is another one than this program needs: the remedy names the command.
  public init(
    _ settings: PostgreSQLSettings, limit: Limit = Limit(), clocks: any Clocks,
    chance: SplitMix64 = SplitMix64(seed: .random(in: .min ... .max)),
    healthChanged: @escaping @Sendable (PostgreSQLHealth) -> Void = { _ in }
  ) throws(StorageError) {
    place = settings.description
    attempts = max(limit.attempts, 1)
    self.clocks = clocks
    var bounds = PostgreSQLPool.Limit()
    bounds.connections = max(limit.connections, 3)
    connections = bounds.connections
    bounds.patience = limit.patience
    let fault: StorageError?
    do throws(PostgreSQLError) {
      let connection = try PostgreSQLConnection(settings, clocks: clocks)
      defer { connection.close() }
      fault = try Self.fault(of: connection, settings.description)
    } catch {
      throw StorageError(error, of: settings.description)
    }
    if let fault { throw fault }
    do {
      pool = try PostgreSQLPool(
        settings, limit: bounds, clocks: clocks, chance: chance, healthChanged: healthChanged)
      try pool.start {}
    } catch {
      throw StorageError(noThreads: String(describing: error), of: settings.description)
    }
  }

  /// Why a database cannot be used as it is; nil when it can.
  private static func fault(
    of connection: PostgreSQLConnection, _ place: String
  ) throws(PostgreSQLError) -> StorageError? {
    let status = try Migration.status(connection, countsRows: false)
    if let fault = StorageError(status, of: place) { return fault }
    let setting = try connection.query("SHOW synchronous_commit", isReading: true).firstRow()
    return try setting.value(0, .text) == "off" ? StorageError(notDurable: place) : nil
  }

  deinit {
    // Whoever lets go of it without ending it leaves no threads behind that connect again and again.
    pool.stop()
  }

  /// How its connections are.
  public var health: PostgreSQLHealth { pool.health }

  /// Its loops, of which each says whether it still turns.
  public var pulses: [Pulse] { pool.pulses }

  /// Ends its connections; nothing can be done with the store afterwards.
  public func close() throws(StorageError) {
    pool.stop()
    pool.join()
  }

  /// There is nothing to save: what was confirmed is with the server.
  public func saveCopy() throws(StorageError) -> String? { nil }

  /// Others may work on the same database.
  public var isShared: Bool { true }

  /// What is free at the server does not show without writing.
  public var shortage: StorageError? { nil }
}

// MARK: Transactions

extension PostgreSQLCentralStore {
  /// Runs `body` in one transaction. Those of all processes come one after the other, by a lock of the database;
  /// messages are kept beside them. It runs again when the server asks for that, or the connection is lost before
  /// the end was asked for.
  public func transaction<Value: Sendable>(
    _ body: (any CentralTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try lend(in: turn) { connection throws(StorageError) in
      try body(PostgreSQLTransaction(connection: connection))
    }
  }

  /// Runs `body`, which asks one thing after the other, in one of the transactions that come one after the other.
  ///
  /// - Parameters:
  ///   - turn: Whose turn it is; nil of one that changes nothing and sees all as it was at one moment.
  ///   - limit: How long it may take; nil where each statement alone has a bound.
  func lend<Value: Sendable>(
    in turn: Turn?, within limit: Duration? = nil,
    _ body: (LentConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try awaitConnection()
    var left = attempts
    while true {
      left -= 1
      let lent: LentConnection
      do throws(LinkError) {
        lent = try LentConnection(of: place, clocks: clocks)
      } catch {
        throw StorageError(noThreads: error.description, of: place)
      }
      do throws(StorageError) {
        guard let turn else { return try use(lent, in: nil, within: limit, body) }
        return try turn.withLock { () throws(StorageError) in
          try use(lent, in: turn, within: limit, body)
        }
      } catch {
        guard left > 0, lent.mayTryAgain else { throw error }
      }
    }
  }

  private func use<Value: Sendable>(
    _ lent: LentConnection, in turn: Turn?, within limit: Duration?,
    _ body: (LentConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    let lock = turn?.lock
    pool.submit { connection throws(PostgreSQLError) in
      try connection.transaction(
        isolation: lock == nil ? .repeatableRead : .readCommitted, isReadOnly: lock == nil,
        within: limit
      ) { connection throws(PostgreSQLError) in
        if let lock { try connection.query(lock) }
        if !lent.serve(connection) { connection.rollBackAtEnd() }
      }
    } _: {
      lent.isOver($0)
    }
    let value: Value
    do throws(StorageError) {
      value = try body(lent)
    } catch {
      // What it failed with at the server says more than that it is undone.
      lent.end(commits: false)
      throw error
    }
    if let failure = lent.end(commits: true) { throw StorageError(failure, of: place) }
    return value
  }

  /// Runs `work` in one transaction, beside all others. It may run again.
  ///
  /// - Parameter limit: How long it may take; nil where each statement alone has a bound.
  func write<Value: Sendable>(
    within limit: Duration? = nil,
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(StorageError) -> Value {
    try run { connection throws(PostgreSQLError) in
      try connection.transaction(within: limit, work)
    }
  }

  /// Runs `work` in one of the transactions that come one after the other. It may run again.
  ///
  /// - Parameter limit: How long it may take, the wait for others among it; nil where each statement alone has a bound.
  func writeInTurn<Value: Sendable>(
    within limit: Duration? = nil,
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(StorageError) -> Value {
    try awaitConnection()
    let lock = turn.lock
    return try turn.withLock { () throws(StorageError) in
      try write(within: limit) { connection throws(PostgreSQLError) in
        try connection.query(lock)
        return try work(connection)
      }
    }
  }

  /// Runs `work` in a transaction that changes nothing and sees all as it was at one moment.
  func readAll<Value: Sendable>(
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(StorageError) -> Value {
    try run { connection throws(PostgreSQLError) in
      try connection.transaction(isolation: .repeatableRead, isReadOnly: true, work)
    }
  }

  /// Runs `work`, which is one statement and thus one transaction, on one of the connections; once more where
  /// surely nothing was done.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(StorageError) -> Value {
    var left = attempts
    while true {
      left -= 1
      let answer: Answer<Value>
      do throws(LinkError) {
        answer = try Answer()
      } catch {
        throw StorageError(noThreads: error.description, of: place)
      }
      pool.submit(work) { answer.give($0) }
      do throws(PostgreSQLError) {
        return try answer.wait(clocks).get()
      } catch {
        guard left > 0, error.isUndone else { throw StorageError(error, of: place) }
      }
    }
  }

  /// Where there is no connection all wait for one at once, and not one after the other for their turn.
  private func awaitConnection() throws(StorageError) {
    guard !pool.health.isConnected else { return }
    try run { _ in }
  }
}

extension PostgreSQLError {
  /// Whether surely nothing was done, and the same may succeed at once.
  var isUndone: Bool {
    if case .lost = self { true } else { kind == .retryAtOnce }
  }
}
