public import EventLoop
import Glibc
import Synchronization
public import Time

/// Serves the control socket on a thread of its own.
///
/// A request is handed to the handler with a ``ControlReply``, which answers it once, from any thread
/// and at any time: the handler posts to the loop that knows, and that loop answers. The requests of
/// one connection are answered one after the other, one that is too long with a refusal; a connection
/// that says nothing, that never ends its line or that does not read its answers is closed.
public final class ControlServer: Sendable {
  /// Handles a request; must not block, for it runs on the server's thread.
  public typealias Handler = @Sendable (ControlRequest, ControlReply) -> Void

  /// The socket's path.
  public let path: String
  private let listener: Descriptor
  private let inode: UInt64
  private let wakeup: Wakeup
  private let thread = WorkerThread()
  /// Whether its loop still turns.
  public let pulse = Pulse("control")
  private let isStopping = Mutex(false)
  private let answers: Mailbox<ControlLoop.Answer>

  /// Takes the socket, readable and writable by its owner and its group. One that a dead service left
  /// behind is replaced.
  ///
  /// - Throws: ``ControlError/alreadyServed(path:)`` when a living service has it, and what else
  ///   stands in the way.
  public init(path: String) throws(ControlError) {
    self.path = path
    do {
      wakeup = try Wakeup()
    } catch {
      throw .system(path: path, operation: "make a wakeup", reason: error.description)
    }
    answers = Mailbox(
      capacity: Limits.controlConnections * Limits.controlRequestsWaiting, wakeup: wakeup)
    listener = try ControlServer.listen(path, clocks: SystemClocks())
    var status = stat()
    inode = stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  /// Starts to serve.
  ///
  /// - Throws: ``ControlError/system(path:operation:reason:)`` when the system gives no thread.
  public func start(clocks: any Clocks = SystemClocks(), handler: @escaping Handler)
    throws(ControlError)
  {
    do {
      try thread.start(name: "control") { [self] in
        var loop = ControlLoop(
          listener: listener, wakeup: wakeup, answers: answers, clocks: clocks, pulse: pulse,
          handler: handler)
        while !isStopping.withLock({ $0 }) {
          loop.turn()
        }
        loop.close()
      }
    } catch {
      throw .system(path: path, operation: "start a thread", reason: error.description)
    }
  }

  /// Stops serving, and removes the socket if it is still ours; ``join()`` or ``finished()`` wait for
  /// the thread's end.
  public func stop() {
    var status = stat()
    if stat(path, &status) == 0, UInt64(status.st_ino) == inode {
      unlink(path)
    }
    isStopping.withLock { $0 = true }
    wakeup.signal()
  }

  /// Blocks until a server that was started has ended.
  public func join() {
    thread.join()
  }

  /// Returns when a server that was started has ended.
  public func finished() async {
    await thread.finished()
  }

  /// Listens at a path where nobody else does.
  ///
  /// Of the processes that remove what was left behind in a directory, one does so at a time. That it is not
  /// this one says nothing of this socket: services that are started together have each their own.
  static func listen(_ path: String, clocks: some Clocks) throws(ControlError) -> Descriptor {
    let deadline = clocks.boot() + Limits.controlTakeover
    do throws(UnixSocket.Failure) {
      while true {
        if let listener = try listener(path) { return listener }
        if try UnixSocket.removeStale(path) { continue }
        let now = clocks.boot()
        guard now < deadline, try !isServed(path) else { break }
        _ = PollLoop.wait([], until: now + Limits.controlTakeoverAgain, clocks: clocks)
      }
    } catch .system("connect", EAGAIN) {
      // Somebody listens, and cannot take up more just now.
      throw .alreadyServed(path: path)
    } catch {
      throw ControlError(error, at: path)
    }
    throw .alreadyServed(path: path)
  }

  private static func isServed(_ path: String) throws(UnixSocket.Failure) -> Bool {
    do throws(UnixSocket.Failure) {
      try UnixSocket.connect(path).close()
      return true
    } catch .system("connect", ECONNREFUSED) {
      return false
    } catch .system("connect", ENOENT) {
      return false
    }
  }

  private static func listener(_ path: String) throws(UnixSocket.Failure) -> Descriptor? {
    try UnixSocket.listen(path, backlog: 8, permissions: 0o660)
  }
}
