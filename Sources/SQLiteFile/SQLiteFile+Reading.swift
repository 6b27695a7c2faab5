public import GRDB
import GRDBSQLite
public import Storage
import Synchronization

extension SQLiteFile {
  /// Runs `body` in one read transaction on a connection that only reads: it waits for nobody who writes, and whoever
  /// writes does not wait for it. It sees what was committed before it began. A database in memory has one
  /// connection, and a file that is opened for reading needs no other one: there it is ``read(_:)``.
  ///
  /// - Parameter limit: How long it may take; nil for as long as it takes.
  /// - Throws: `StorageError.tookTooLong` at the limit, `StorageError.replaced` when the file is not where it was, and
  ///   what else is wrong.
  public func readBeside<Value>(
    within limit: Duration? = nil, _ body: (Database) throws -> Value
  ) throws(StorageError) -> Value {
    guard let readers else { return try read { try Self.run(body, $0, within: limit) } }
    return try readers.withConnection { queue throws(StorageError) in
      try transaction(
        queue, "BEGIN DEFERRED TRANSACTION", { try Self.run(body, $0, within: limit) },
        check: { place throws(StorageError) in try place.checkDatabase() })
    }
  }

  /// SQLite asks now and then whether it is to go on (https://sqlite.org/c3ref/progress_handler.html), and stops
  /// asking before its transaction is ended.
  static func run<Value>(
    _ body: (Database) throws -> Value, _ database: Database, within limit: Duration?
  ) throws -> Value {
    guard let limit else { return try body(database) }
    var end = ContinuousClock.now + limit
    return try withUnsafeMutablePointer(to: &end) { end in
      sqlite3_progress_handler(
        database.sqliteConnection, Limits.instructionsBetweenLooks,
        { context in
          guard let end = context?.load(as: ContinuousClock.Instant.self) else { return 0 }
          return ContinuousClock.now < end ? 0 : 1
        }, end)
      defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
      return try body(database)
    }
  }
}

/// The connections to one file that only read: as many as there were threads that read at the same time. Each is opened
/// when it is needed first.
final class Readers: Sendable {
  private struct State {
    var free: [DatabaseQueue] = []
    var isClosed = false
  }

  private let path: String
  private let state = Mutex(State())

  init(of path: String) {
    self.path = path
  }

  /// Runs `body` with a connection that nobody else has meanwhile.
  func withConnection<Value>(
    _ body: (DatabaseQueue) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    let queue = try connection()
    defer {
      let isClosed = state.withLock { state in
        if !state.isClosed { state.free.append(queue) }
        return state.isClosed
      }
      if isClosed { try? queue.close() }
    }
    return try body(queue)
  }

  private func connection() throws(StorageError) -> DatabaseQueue {
    let (free, isClosed) = state.withLock { ($0.free.popLast(), $0.isClosed) }
    guard !isClosed else { throw .other(path: path, detail: "its connection is closed") }
    if let free { return free }
    return try SQLiteFile.connect(
      path, mode: .readOnly, busyTimeoutSeconds: Limits.busyTimeoutSeconds)
  }

  /// Closes those that nobody has; the others are closed when they come back.
  func close() {
    let free = state.withLock { state in
      state.isClosed = true
      defer { state.free = [] }
      return state.free
    }
    for queue in free { try? queue.close() }
  }
}
