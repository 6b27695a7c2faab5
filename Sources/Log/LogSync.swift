import EventLoop
import Events
import Synchronization
import Time

/// When what was logged is brought to the disk: soon after it was written, and sooner where it matters,
/// but not for each line, since each time wears the card of a small machine and holds up its databases.
struct SyncPlan {
  private var last: BootInstant?
  private var isDirty = false
  private var isUrgent = false

  /// Notes that something was written; returns whether it is now due sooner than before.
  mutating func wrote(_ level: LogLevel) -> Bool {
    let isSooner = !isDirty || (level >= .warning && !isUrgent)
    isDirty = true
    isUrgent = isUrgent || level >= .warning
    return isSooner
  }

  /// When it is due; nil when all was.
  var due: BootInstant? {
    guard isDirty else { return nil }
    guard let last else { return .zero }
    return last + (isUrgent ? Limits.logSyncUrgent : Limits.logSyncEvery)
  }

  /// Notes that all that was written so far is being brought to the disk.
  mutating func began(at now: BootInstant) {
    last = now
    isDirty = false
    isUrgent = false
  }
}

/// Brings the files of a log to the disk, on a thread of its own: a sync takes as long as the disk likes,
/// and whoever logs does not wait for it.
final class LogSync: Sendable {
  private struct State {
    var plan = SyncPlan()
    var wakeup: Wakeup?
    var isStopping = false
  }

  private let state = Mutex(State())
  private let thread = WorkerThread()

  /// Notes that something was written.
  func wrote(_ level: LogLevel) {
    let wakeup = state.withLock { $0.plan.wrote(level) ? $0.wakeup : nil }
    wakeup?.signal()
  }

  /// Starts the thread; once.
  ///
  /// - Throws: `LinkError.system` when the system gives no thread.
  func start(_ files: [RotatingFile], clocks: any Clocks) throws(LinkError) {
    let wakeup = try Wakeup()
    try thread.start(name: "log") { [self] in
      while turn(files, wakeup, clocks) {}
    }
    state.withLock { $0.wakeup = wakeup }
    wakeup.signal()
  }

  /// Brings the last of it to the disk, and returns when that is done.
  func stop() {
    let wakeup = state.withLock { state in
      state.isStopping = true
      return state.wakeup
    }
    guard let wakeup else { return }
    wakeup.signal()
    thread.join()
  }

  private func turn(_ files: [RotatingFile], _ wakeup: Wakeup, _ clocks: any Clocks) -> Bool {
    let now = clocks.boot()
    let (due, isStopping) = state.withLock { state in
      let due = state.plan.due
      let isStopping = state.isStopping
      if isStopping || due.map({ $0 <= now }) == true { state.plan.began(at: now) }
      return (due, isStopping)
    }
    if isStopping || due.map({ $0 <= now }) == true {
      for file in files { file.sync() }
      return !isStopping
    }
    let ready = PollLoop.wait(
      [Interest(descriptor: wakeup.descriptor)], until: due, clocks: clocks)
    if ready.first?.isEmpty == false { wakeup.clear() }
    return true
  }
}
