public import NodeCore
import Synchronization

/// Those who wait for an answer of the node, by the number of their request. Each is answered
/// exactly once: by the node, or when it ends.
final class PendingRequests: Sendable {
  typealias Recorded = Result<[RecordOutcome], NodeServiceError>

  private enum Waiter {
    case recording(@Sendable (Recorded) -> Void)
    case texting(@Sendable (TextAnswer) -> Void)
  }

  private struct State {
    var nextID: Int64 = 0
    var waiters: [Int64: Waiter] = [:]
    /// The numbers by which texts are known.
    var texts: [Int64: TextID] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Hands `whenDone` the answer to a request to record that `post` hands in, on any thread; `post` says
  /// whether it could.
  func recorded(_ whenDone: @escaping @Sendable (Recorded) -> Void, _ post: (Int64) -> Bool) {
    start(.recording(whenDone), post)
  }

  /// Waits for the outcome of a text that `post` asks for.
  func texted(_ post: (Int64) -> Bool) async -> TextAnswer {
    await withCheckedContinuation { continuation in
      start(.texting { continuation.resume(returning: $0) }, post)
    }
  }

  /// Hands `whenDone` the outcome of a text that `post` asks for, on any thread.
  ///
  /// - Returns: the number of the request; nil when the node has ended.
  @discardableResult
  func texted(
    _ whenDone: @escaping @Sendable (TextAnswer) -> Void, _ post: (Int64) -> Bool
  ) -> Int64? {
    start(.texting(whenDone), post)
  }

  func answer(_ id: Int64, _ result: Recorded) {
    if case .recording(let whenDone) = take(id) { whenDone(result) }
  }

  func answer(_ id: Int64, _ outcome: TextOutcome) {
    let text = text(of: id)
    if case .texting(let whenDone) = take(id) {
      whenDone(TextAnswer(id: text, outcome))
    }
  }

  /// A text that was asked for is known by this number.
  func named(_ id: Int64, _ text: TextID) {
    state.withLock { state in
      if state.waiters[id] != nil { state.texts[id] = text }
    }
  }

  /// A text that was asked for goes after the next start.
  func kept(_ id: Int64) {
    let text = text(of: id)
    if case .texting(let whenDone) = take(id) {
      var answer = TextAnswer(
        id: text, .notSent(reason: "the service is ending; the text goes after its next start"))
      answer.isKept = true
      whenDone(answer)
    }
  }

  private func text(of id: Int64) -> TextID? {
    state.withLock { $0.texts.removeValue(forKey: id) }
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
          TextAnswer(
            id: nil,
            .unknown(reason: "the service ended before it was told what became of the text")))
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
      whenDone(TextAnswer(id: nil, .notSent(reason: error.message)))
    }
  }
}

/// What became of a text that an operator asked for.
public struct TextAnswer: Hashable, Sendable {
  /// The number by which it is known, and which its events carry; nil where it was not even taken.
  public var id: TextID?
  /// What became of it.
  public var outcome: TextOutcome
  /// Whether it waits in the store, and goes after the next start.
  public var isKept = false

  init(id: TextID?, _ outcome: TextOutcome) {
    self.id = id
    self.outcome = outcome
  }
}
