import Synchronization

/// What was said, in order, and a way to wait for something to be said.
final class Said<Value: Sendable>: Sendable {
  private struct Waiter {
    var matches: @Sendable (Value) -> Bool
    var continuation: CheckedContinuation<Value, any Error>
  }

  private struct State {
    var values: [Value] = []
    var nextID = 0
    var waiters: [Int: Waiter] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  func add(_ value: Value) {
    let ready = state.withLock { state in
      state.values.append(value)
      let ready = state.waiters.filter { $0.value.matches(value) }
      state.waiters = state.waiters.filter { !$0.value.matches(value) }
      return ready.values.map(\.continuation)
    }
    for continuation in ready {
      continuation.resume(returning: value)
    }
  }

  var all: [Value] {
    state.withLock { $0.values }
  }

  /// The first value that matches, as soon as there is one.
  func first(_ matches: @escaping @Sendable (Value) -> Bool) async throws -> Value {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(Waiter(matches: matches, continuation: continuation), id: id)
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func wait(_ waiter: Waiter, id: Int) {
    let answer = state.withLock { state -> Result<Value, any Error>? in
      if let value = state.values.first(where: waiter.matches) {
        return .success(value)
      }
      if state.cancelled.contains(id) {
        return .failure(CancellationError())
      }
      state.waiters[id] = waiter
      return nil
    }
    if let answer {
      waiter.continuation.resume(with: answer)
    }
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { state in
      state.cancelled.insert(id)
      return state.waiters.removeValue(forKey: id)
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
