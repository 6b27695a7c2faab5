import Synchronization

/// Work that blocks, asked for by tasks and done beside their threads: so much at once, in the order in which
/// it came, and no more waiting than there is room for. A thread is there while there is something to do.
public final class BlockingLane: Sendable {
  private struct Job: Sendable {
    let work: @Sendable () -> Void
    let giveUp: @Sendable () -> Void
  }

  private struct State: Sendable {
    var waiting: [Job] = []
    var running = 0
  }

  private let name: String
  private let atOnce: Int
  private let most: Int
  private let state = Mutex(State())

  /// A lane with nothing on it.
  ///
  /// - Parameters:
  ///   - name: What its threads are called, of which 15 bytes show.
  ///   - atOnce: How much is done at the same time.
  ///   - waiting: How much may wait beside that.
  public init(name: String, atOnce: Int = 1, waiting: Int) {
    self.name = name
    self.atOnce = atOnce
    most = waiting
  }

  /// Does `work` on a thread of the lane and returns what it returned; nil when too much waits already, or when
  /// the system has no thread for it.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
    await withCheckedContinuation { continuation in
      let job = Job(
        work: { continuation.resume(returning: work()) },
        giveUp: { continuation.resume(returning: nil) })
      let (isTaken, needsThread) = state.withLock { state in
        if state.running < atOnce {
          // It goes to its thread at once: whether there is room for others does not hang on how soon that
          // begins.
          state.running += 1
          return (true, true)
        }
        guard state.waiting.count < most else { return (false, false) }
        state.waiting.append(job)
        return (true, false)
      }
      if !isTaken { job.giveUp() }
      if needsThread { startThread(with: job) }
    }
  }

  private func startThread(with first: Job) {
    do throws(LinkError) {
      try WorkerThread().start(name: name) { [self] in
        first.work()
        while let job = next() { job.work() }
      }
    } catch {
      // Those threads that there are take what waits; where there is none, nobody would.
      let left = state.withLock { state -> [Job] in
        state.running -= 1
        state.waiting.append(first)
        guard state.running == 0 else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for job in left { job.giveUp() }
    }
  }

  /// What is next; nil when nothing waits, and then its thread ends.
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
