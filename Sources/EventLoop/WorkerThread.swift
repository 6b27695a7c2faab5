import CLinux
import Dispatch
import Glibc
import Synchronization

/// A named thread of its own for a loop that blocks: a serial port's, a store's.
///
/// Blocking calls must not sit on Swift's cooperative pool, which has only as many threads as the
/// machine has cores.
public final class WorkerThread: Sendable {
  private struct State {
    var isFinished = false
    var waiters: [@Sendable () -> Void] = []
  }

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  private let state = Mutex(State())

  /// Makes a thread that is not running yet.
  public init() {}

  /// Starts the thread; `name` shows in `top -H` (15 bytes of it). May be called once.
  ///
  /// - Throws: ``LinkError/system`` when the system gives no thread.
  public func start(name: String, _ body: @escaping @Sendable () -> Void) throws(LinkError) {
    let start = Start(
      name: name,
      body: { [self] in
        body()
        finish()
      })
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Limits.threadStackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let context = Unmanaged.passRetained(start)
    let status = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        clinux_name_thread(WorkerThread.shortened(start.name))
        start.body()
        return nil
      }, context.toOpaque())
    if status != 0 {
      context.release()
      throw .system(path: name, operation: "start a thread", errno: status)
    }
  }

  /// What the system takes of a name: 15 bytes, no character cut.
  private static func shortened(_ name: String) -> String {
    var short = name
    while short.utf8.count > 15 { short.removeLast() }
    return short
  }

  /// Returns when the thread's body has returned.
  public func finished() async {
    await withCheckedContinuation { continuation in
      whenFinished { continuation.resume() }
    }
  }

  /// Blocks the calling thread until the body has returned: for the main thread of a service, which
  /// then needs no task, and so no thread pool with a timer of its own.
  public func join() {
    let semaphore = DispatchSemaphore(value: 0)
    whenFinished { semaphore.signal() }
    semaphore.wait()
  }

  /// Calls `act` when the body has returned, at once when it has already.
  private func whenFinished(_ act: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      if !state.isFinished { state.waiters.append(act) }
      return state.isFinished
    }
    if isFinished { act() }
  }

  /// Whether the body has returned.
  public var isFinished: Bool {
    state.withLock { $0.isFinished }
  }

  private func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters {
      waiter()
    }
  }
}
