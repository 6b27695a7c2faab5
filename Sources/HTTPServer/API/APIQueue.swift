import Dispatch
import Synchronization

/// What blocks, on a thread of its own, one after the other and no more waiting than a few.
final class APIQueue: Sendable {
  private let queue: DispatchQueue
  private let waiting = Atomic<Int>(0)
  private let most: Int

  init(_ name: String, most: Int = Limits.waitingCalls) {
    queue = DispatchQueue(label: name)
    self.most = most
  }

  /// Runs `body`, and returns what it does; nil when too many wait already.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    guard waiting.add(1, ordering: .relaxed).newValue <= most else {
      waiting.subtract(1, ordering: .relaxed)
      return nil
    }
    defer { waiting.subtract(1, ordering: .relaxed) }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
