import NodeCore
import Synchronization

/// Those who wait for an answer of the node, by the number of their request. Each is answered
/// exactly once: by the node, or when it ends.
final class PendingRequests: Sendable {
  typealias Recorded = Result<[RecordOutcome], NodeServiceError>

  private enum Waiter {
    case recording(@Sendable (Recorded) -> Void)
    case texting(@Sendable (TextOutcome) -> Void)
  }

  private struct State {
    var nextID: Int64 = 0
    var waiters: [Int64: Waiter] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Hands `whenDone` the answer to a request to record that `post` hands in, on any thread; `post` says
  /// whether it could.
  func recorded(_ whenDone: @escaping @Sendable (Recorded) -> Void, _ post: (Int64) -> Bool) {
    start(.recording(whenDone), post)
  }

  /// Waits for the outcome of a text that `post` asks for.
  func texted(_ post: (Int64) -> Bool) async -> TextOutcome {
    await withCheckedContinuation { continuation in
      start(.texting { continuation.resume(returning: $0) }, post)
    }
  }

  /// Hands `whenDone` the outcome of a text that `post` asks for, on any thread.
  ///
  /// - Returns: the number of the request; nil when the node has ended.
  func texted(
    _ whenDone: @escaping @Sendable (TextOutcome) -> Void, _ post: (Int64) -> Bool
  ) -> Int64? {
    start(.texting(whenDone), post)
  }

  func answer(_ id: Int64, _ result: Recorded) {
    if case .recording(let whenDone) = take(id) { whenDone(result) }
  }

  func answer(_ id: Int64, _ outcome: TextOutcome) {
    if case .texting(let whenDone) = take(id) {
      whenDone(outcome)
    }
  }

  /// Answers all who still wait: the node has ended. A text that one of them asked for may be with a
  /// modem, so it is not called "not sent".
  func endAll() {
    let left = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in left.values {
      switch waiter {
      case .recording: refuse(waiter, .ended)
      case .texting(let whenDone):
        whenDone(
          .unknown(reason: "the service ended before it was told what became of the text"))
      }
    }
  }

  @discardableResult
  private func start(_ waiter: Waiter, _ post: (Int64) -> Bool) -> Int64? {
    let id = state.withLock { state -> Int64? in
      guard !state.hasEnded else { return nil }
      state.nextID += 1
      state.waiters[state.nextID] = waiter
      return state.nextID
    }
    guard let id else {
      refuse(waiter, .ended)
      return nil
    }
    if !post(id), let waiter = take(id) {
      refuse(waiter, .busy)
    }
    return id
  }

  private func take(_ id: Int64) -> Waiter? {
    state.withLock { $0.waiters.removeValue(forKey: id) }
  }

  private func refuse(_ waiter: Waiter, _ error: NodeServiceError) {
    switch waiter {
    case .recording(let whenDone): whenDone(.failure(error))
    case .texting(let whenDone):
      whenDone(.notSent(reason: error.message))
    }
  }
}
