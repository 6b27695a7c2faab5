import GRDB
import Storage
import Synchronization

/// The connections to one file that only read: as many as there were threads that read at the same time. Each is opened
/// when it is needed first.
final class ReaderPool: Sendable {
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
