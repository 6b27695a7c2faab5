import EventLoop
import NIOCore
import NIOPosix
import Synchronization

/// Waiting for the store no longer than whoever asked waits for us.
enum StorePatience {
  /// How long the store may still be waited for by one request, however often it is asked something.
  final class Budget: Sendable {
    private let nanoseconds: Mutex<Int64>

    init(_ whole: TimeAmount = .seconds(Limits.storeSeconds)) {
      nanoseconds = Mutex(whole.nanoseconds)
    }

    /// What is left of it.
    var left: TimeAmount { nanoseconds.withLock { .nanoseconds($0) } }

    /// Takes away what was waited for.
    func spend(_ amount: TimeAmount) {
      nanoseconds.withLock { $0 = max(0, $0 - amount.nanoseconds) }
    }
  }

  /// That of the request which is being answered; nil outside of one.
  @TaskLocal static var ofRequest: Budget?

  /// What somebody who is begun with says at its end; nil when that takes longer than the budget of the request, or
  /// than the whole of one where there is none. It goes on then, and what it says is thrown away.
  ///
  /// - Parameter begin: Begins it, and does not block; it ends by ``Waiting/end(with:)`` from any thread.
  static func wait<Value: Sendable>(for begin: (Waiting<Value>) -> Void) async -> Value? {
    let budget = ofRequest ?? Budget()
    return await withCheckedContinuation { continuation in
      let waiting = Waiting(continuation, budget)
      waiting.isOver(after: budget.left)
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
    private let budget: Budget
    private let since = NIODeadline.now()

    init(_ continuation: CheckedContinuation<Value?, Never>, _ budget: Budget) {
      state = Mutex(State(continuation: continuation))
      self.budget = budget
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
      // Before whoever waits goes on, and may wait again.
      if taken.continuation != nil { budget.spend(NIODeadline.now() - since) }
      taken.continuation?.resume(returning: value)
    }

    fileprivate func isOver(after amount: TimeAmount) {
      // A thread of its own loop, which waits for no task.
      let timer = MultiThreadedEventLoopGroup.singleton.any()
        .scheduleTask(in: amount) { [self] in end(with: nil) }
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
