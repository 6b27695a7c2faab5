import EventLoop
import NIOCore
import NIOPosix
import Synchronization

/// Waiting for the store no longer than whoever asked waits for us.
enum StorePatience {
  /// What somebody who is begun with says at its end; nil when that takes longer than so many seconds. It goes on
  /// then, and what it says is thrown away.
  ///
  /// - Parameter begin: Begins it, and does not block; it ends by ``Waiting/end(with:)`` from any thread.
  static func wait<Value: Sendable>(
    _ seconds: Int64 = Limits.storeSeconds, for begin: (Waiting<Value>) -> Void
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let waiting = Waiting(continuation)
      waiting.isOver(after: seconds)
      begin(waiting)
    }
  }

  /// Somebody who waits, until it is over.
  final class Waiting<Value: Sendable>: Sendable {
    private struct State: Sendable {
      var continuation: CheckedContinuation<Value?, Never>?
      var timer: Scheduled<Void>?
    }

    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<Value?, Never>) {
      state = Mutex(State(continuation: continuation))
    }

    /// Whether nobody waits any more.
    var isOver: Bool { state.withLock { $0.continuation == nil } }

    /// Ends it; later ends say nothing.
    func end(with value: Value?) {
      let taken = state.withLock { state in
        defer { state = State() }
        return state
      }
      taken.timer?.cancel()
      taken.continuation?.resume(returning: value)
    }

    fileprivate func isOver(after seconds: Int64) {
      // A thread of its own loop, which waits for no task.
      let timer = MultiThreadedEventLoopGroup.singleton.any()
        .scheduleTask(in: .seconds(seconds)) { [self] in end(with: nil) }
      state.withLock { state in
        if state.continuation != nil { state.timer = timer }
      }
    }
  }
}

extension BlockingLane {
  /// Does `work` on the lane; nil when too much waits already, or when it takes too long. What was not begun by then
  /// is not done.
  ///
  /// - Parameter owner: For whom it is: one who asks much keeps nobody else waiting.
  func answer<Value: Sendable>(
    for owner: String = "", _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    await StorePatience.wait { waiting in
      begin(for: owner) {
        waiting.isOver ? nil : work()
      } then: {
        waiting.end(with: $0 ?? nil)
      }
    }
  }
}
