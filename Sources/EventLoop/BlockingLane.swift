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
    /// How much of each of several runs.
    var runningOf: [String: Int] = [:]
    /// When each of those who wait had their last turn, as the number of it.
    var turns: [String: Int] = [:]
    var turn = 0

    /// Something of somebody begins, and has its turn.
    mutating func begins(_ owner: String) {
      turn += 1
      turns[owner] = turn
      runningOf[owner, default: 0] += 1
    }

    /// Something of somebody has ended.
    mutating func ends(_ owner: String) {
      let left = runningOf[owner, default: 0] - 1
      runningOf[owner] = left > 0 ? left : nil
    }
  }

  private let name: String
  private let atOnce: Int
  /// How much of one of several is done at the same time: however long that takes, threads are there for others.
  private let mostOfOne: Int
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
    mostOfOne = max(1, atOnce / 2)
    most = waiting
  }

  /// How much waits for its turn.
  public var waiting: Int { state.withLock { $0.waiting.count } }

  /// Does `work` on a thread of the lane and returns what it returned; nil when too much waits already, or when
  /// the system has no thread for it.
  ///
  /// - Parameter owner: For whom it is. Half of the room, and of the threads, is the most that one of several has.
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
      if state.running < atOnce, mayRun(owner, state) {
        // It goes to its thread at once: whether there is room for others does not hang on how soon that
        // begins.
        state.running += 1
        state.begins(owner)
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
        var job = first
        job.work()
        while let next = next(after: job) {
          job = next
          job.work()
        }
      }
    } catch {
      // Those threads that there are take what waits; where there is none, nobody would.
      let left = state.withLock { state -> [Job] in
        state.running -= 1
        state.ends(first.owner)
        state.waiting.append(first)
        guard state.running == 0 else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for job in left { job.giveUp() }
    }
  }

  /// Whether one more of somebody may run.
  private func mayRun(_ owner: String, _ state: State) -> Bool {
    owner.isEmpty || state.runningOf[owner, default: 0] < mostOfOne
  }

  /// What is next; nil when nothing waits that may run, and then the thread ends: what waits is taken up by those of its
  /// owner that run.
  private func next(after last: Job) -> Job? {
    state.withLock { state in
      state.ends(last.owner)
      // The owner that had no turn for the longest time; the first that waits where several had none.
      var next: Int?
      for index in state.waiting.indices where mayRun(state.waiting[index].owner, state) {
        let turn = state.turns[state.waiting[index].owner, default: 0]
        if let best = next, state.turns[state.waiting[best].owner, default: 0] <= turn { continue }
        next = index
      }
      guard let next else {
        state.running -= 1
        if state.waiting.isEmpty { state.turns = [:] }
        return nil
      }
      let job = state.waiting.remove(at: next)
      state.begins(job.owner)
      return job
    }
  }
}
