import PostgreSQL
import Synchronization

/// What a pool told of its connections, and who waits for something of it.
final class HealthLog: Sendable {
  private struct State {
    /// What nobody has looked at yet.
    var told: [PostgreSQLHealth] = []
    var waiting: (wanted: @Sendable (PostgreSQLHealth) -> Bool, CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  var note: @Sendable (PostgreSQLHealth) -> Void {
    { health in
      let reached = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard let waiting = state.waiting else {
          state.told.append(health)
          return nil
        }
        guard waiting.wanted(health) else { return nil }
        state.waiting = nil
        return waiting.1
      }
      reached?.resume()
    }
  }

  /// Returns when something was told that is so, after what was waited for before.
  func reaches(_ wanted: @escaping @Sendable (PostgreSQLHealth) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if let index = state.told.firstIndex(where: wanted) {
          state.told.removeFirst(index + 1)
          return true
        }
        state.told = []
        state.waiting = (wanted, continuation)
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
