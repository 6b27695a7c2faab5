import EventLoop
import NIOCore
import NIOPosix
import Synchronization

/// Waiting for the store no longer than whoever asked waits for us.
enum StorePatience {
  /// What `body` returns; nil when that takes longer than so many seconds. It goes on then, and what it returns is
  /// thrown away.
  static func wait<Value: Sendable>(
    _ seconds: Int64 = Limits.storeSeconds,
    for body: @escaping @Sendable (Waiting<Value>) async -> Value?
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let waiting = Waiting(continuation)
      let timer = MultiThreadedEventLoopGroup.singleton.any()
        .scheduleTask(in: .seconds(seconds)) { waiting.end(with: nil) }
      Task {
        let value = await body(waiting)
        timer.cancel()
        waiting.end(with: value)
      }
    }
  }

  /// Somebody who waits, until it is over.
  final class Waiting<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) {
      self.continuation = Mutex(continuation)
    }

    /// Whether nobody waits any more.
    var isOver: Bool { continuation.withLock { $0 == nil } }

    func end(with value: Value?) {
      let taken = continuation.withLock { held in
        defer { held = nil }
        return held
      }
      taken?.resume(returning: value)
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
    await StorePatience.wait { [self] waiting in
      await run(for: owner) { waiting.isOver ? nil : work() } ?? nil
    }
  }
}
