import EventLoop
import Synchronization

/// Hashes passwords beside Swift's threads, a few at a time, so that neither the memory nor the other
/// requests suffer from many who sign in at once. A thread is there while there is something to hash.
public final class PasswordHasher: Sendable {
  /// What came of looking at a password.
  public enum Answer: Hashable, Sendable {
    /// It is right.
    case right
    /// It is wrong, or there was nothing to compare it with.
    case wrong
    /// Too many wait, or the system has no memory or threads now.
    case busy
  }

  private struct Job: Sendable {
    let work: @Sendable () -> Void
    let giveUp: @Sendable () -> Void
  }

  private struct State: Sendable {
    var waiting: [Job] = []
    var running = 0
  }

  private let cost: PasswordHash.Cost
  private let atOnce: Int
  private let most: Int
  private let state = Mutex(State())

  /// A hasher.
  public convenience init(cost: PasswordHash.Cost = .standard) {
    self.init(cost: cost, atOnce: Limits.hashedAtOnce, waiting: Limits.waitingToBeHashed)
  }

  init(cost: PasswordHash.Cost, atOnce: Int, waiting: Int) {
    self.cost = cost
    self.atOnce = atOnce
    most = waiting
  }

  /// Whether a password is that of which the hash was kept. Without one it takes as long, and is wrong.
  public func compare(_ password: String, with kept: String?) async -> Answer {
    let hash = kept.flatMap { PasswordHash($0) }
    var absent = PasswordHash.nobody
    absent.cost = cost
    let compared = hash ?? absent
    return await run(.busy) {
      switch compared.matches(password) {
      case true?: hash == nil ? .wrong : .right
      case false?: .wrong
      case nil: .busy
      }
    }
  }

  /// The hash of a new password, to be kept; nil when too many wait, or there is no memory for it now.
  public func hash(_ password: String) async -> String? {
    await run(nil) { [cost] in PasswordHash(of: password, cost: cost)?.description }
  }

  private func run<Value: Sendable>(
    _ busy: Value, _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let job = Job(
        work: { continuation.resume(returning: work()) },
        giveUp: { continuation.resume(returning: busy) })
      let (isTaken, needsThread) = state.withLock { state in
        if state.running < atOnce {
          state.running += 1
          state.waiting.append(job)
          return (true, true)
        }
        guard state.waiting.count < most else { return (false, false) }
        state.waiting.append(job)
        return (true, false)
      }
      guard isTaken else {
        job.giveUp()
        return
      }
      if needsThread { startThread() }
    }
  }

  private func startThread() {
    do {
      try WorkerThread().start(name: "password") { [self] in
        while let job = next() { job.work() }
      }
    } catch {
      // The system has no threads. Those that run take what waits; where none does, nothing can be done.
      let left = state.withLock { state -> [Job] in
        state.running -= 1
        guard state.running == 0 else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for job in left { job.giveUp() }
    }
  }

  /// The next one; nil when nothing waits, and then the thread ends.
  private func next() -> Job? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
