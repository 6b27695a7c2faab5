import Synchronization

/// Work that blocks, asked for by tasks and done beside their threads: so much at once, in turns of those for whom
/// it is and of each in the order in which it came, and no more waiting than there is room for. A thread is there while
/// there is something to do.
public final class BlockingLane: Sendable {
  private struct Job: Sendable {
    let owner: String
    let work: @Sendable () -> Void
    let giveUp: @Sendable () -> Void
  }

  private struct State: Sendable {
    var waiting: [Job] = []
    var running = 0
    /// When each of those who wait had their last turn, as the number of it.
    var turns: [String: Int] = [:]
    var turn = 0
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

  /// How much waits for its turn.
  public var waiting: Int { state.withLock { $0.waiting.count } }

  /// Does `work` on a thread of the lane and returns what it returned; nil when too much waits already, or when
  /// the system has no thread for it.
  ///
  /// - Parameter owner: For whom it is. Half of the room is the most that one of several has.
  public func run<Value: Sendable>(
    for owner: String = "", _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      begin(for: owner, work) { continuation.resume(returning: $0) }
    }
  }

  /// The same for who does not wait.
  ///
  /// - Parameter then: Is called with what `work` returned, on the thread that did it; with nil at once where it is
  ///   not begun.
  public func begin<Value: Sendable>(
    for owner: String = "", _ work: @escaping @Sendable () -> Value,
    then: @escaping @Sendable (Value?) -> Void
  ) {
    let job = Job(owner: owner, work: { then(work()) }, giveUp: { then(nil) })
    let (isTaken, needsThread) = state.withLock { state in
      if state.running < atOnce {
        // It goes to its thread at once: whether there is room for others does not hang on how soon that
        // begins.
        state.running += 1
        state.turn += 1
        state.turns[owner] = state.turn
        return (true, true)
      }
      let own = owner.isEmpty ? 0 : state.waiting.count { $0.owner == owner }
      guard state.waiting.count < most, 2 * own < most else { return (false, false) }
      state.waiting.append(job)
      return (true, false)
    }
    if !isTaken { job.giveUp() }
    if needsThread { startThread(with: job) }
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
        state.turns = [:]
        return nil
      }
      // Whoever had no turn for the longest; the first of those where several had none.
      var next = 0
      for index in state.waiting.indices.dropFirst()
      where state.turns[state.waiting[index].owner, default: 0]
        < state.turns[state.waiting[next].owner, default: 0]
      { next = index }
      let job = state.waiting.remove(at: next)
      state.turn += 1
      state.turns[job.owner] = state.turn
      return job
    }
  }
}
