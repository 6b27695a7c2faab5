import PostgreSQL
import Synchronization

/// What a pool told of its connections, and who waits for something of it.
final class HealthLog: Sendable {
  private struct State {
    var told: [PostgreSQLHealth] = []
    var waiting: [(wanted: @Sendable (PostgreSQLHealth) -> Bool, CheckedContinuation<Void, Never>)] =
      []
  }

  private let state = Mutex(State())

  var note: @Sendable (PostgreSQLHealth) -> Void {
    { health in
      let reached = self.state.withLock { state in
        state.told.append(health)
        let reached = state.waiting.filter { $0.wanted(health) }
        state.waiting.removeAll { $0.wanted(health) }
        return reached.map(\.1)
      }
      for waiter in reached { waiter.resume() }
    }
  }

  /// Returns when the last that was told is so, or something is that comes.
  func reaches(_ wanted: @escaping @Sendable (PostgreSQLHealth) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if let last = state.told.last, wanted(last) { return true }
        state.waiting.append((wanted, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}

extension Result where Failure == PostgreSQLError, Success: Sendable {
  /// What came of it.
  static func of(_ body: () async throws(PostgreSQLError) -> Success) async -> Self {
    do throws(PostgreSQLError) {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}
