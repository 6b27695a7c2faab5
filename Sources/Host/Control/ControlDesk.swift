import Control
import EventLoop
import Events
import Synchronization
import Time

/// Who answers at the control socket: from the first moment on, also while the service waits for its
/// storage, so that whoever asks is told what it waits for.
final class ControlDesk: Sendable {
  private struct State {
    var role: ControlRole?
    var awaited: String?
    var problems = StandingProblems()
  }

  private let server: ControlServer
  private let startedAt: WallTime
  private let clocks: any Clocks
  private let state = Mutex(State())

  /// Begins to serve the socket.
  ///
  /// - Throws: `ControlError` when the system gives no thread.
  init(_ server: ControlServer, clocks: any Clocks) throws {
    self.server = server
    self.clocks = clocks
    startedAt = clocks.wall()
    try server.start(clocks: clocks) { [self] request, reply in handle(request, reply) }
  }

  /// Tells what the service waits for.
  func wait(for words: String) {
    state.withLock { $0.awaited = words }
  }

  /// Hands everything over to the service that runs.
  func open(_ role: ControlRole) {
    state.withLock { state in
      state.role = role
      state.awaited = nil
    }
  }

  /// Ends serving; ``join()`` waits for that.
  func stop() {
    server.stop()
  }

  /// Blocks until nobody is served any more.
  func join() {
    server.join()
  }

  /// Whether its loop still turns.
  var pulse: Pulse { server.pulse }

  /// What a status says of the service itself.
  var service: ServiceReport {
    ServiceReport(startedAt: startedAt.rfc3339, version: Version.current)
  }

  /// Problems, each with when it began.
  func standing(_ problems: [Problem], at now: WallTime) -> [Problem] {
    state.withLock { $0.problems.dated(problems, at: now) }
  }

  private func handle(_ request: ControlRequest, _ reply: ControlReply) {
    let (role, awaited) = state.withLock { ($0.role, $0.awaited) }
    if let role {
      role.handle(request, reply)
    } else if request.operation == Operations.Status.name {
      var status = ServiceStatus(service: service)
      status.tell(
        standing(
          [awaited.map { Problem("starting", .critical, $0) }].compactMap { $0 }, at: clocks.wall())
      )
      reply.done(status)
    } else {
      reply.refuse(
        "starting", "the service is starting; \(awaited ?? "try again in a moment")",
        exitCode: ExitStatus.tryAgain.code)
    }
  }
}
