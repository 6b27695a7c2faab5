import Synchronization

/// Operators' texts that the service has not answered yet, by the names that their commands gave them.
final class WaitingTexts: Sendable {
  private struct State {
    var ids: [String: Int64] = [:]
    /// Ended before they were known to have begun: the answer may come from another thread.
    var ended: Set<String> = []
  }

  private let state = Mutex(State())

  /// A text waits under this number of its request.
  func began(_ name: String, _ id: Int64) {
    state.withLock { state in
      if state.ended.remove(name) == nil { state.ids[name] = id }
    }
  }

  /// A text was answered.
  func ended(_ name: String) {
    state.withLock { state in
      if state.ids.removeValue(forKey: name) == nil { state.ended.insert(name) }
    }
  }

  /// The number of the request of a text that is not answered yet.
  func id(of name: String) -> Int64? {
    state.withLock { $0.ids[name] }
  }
}
