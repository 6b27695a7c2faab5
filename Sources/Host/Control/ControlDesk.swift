import Control
import EventLoop
import Events
import Glibc
import Settings
import Synchronization
import Time

/// Who answers at the control socket: from the first moment on, also while the service waits for its
/// storage, so that whoever asks is told what it waits for.
final class ControlDesk: Sendable {
  private enum Limits {
    /// Requests to record that wait at most; what comes after them is recorded without the service.
    static let held = 256
  }

  private struct State {
    var role: ControlRole?
    var awaited: String?
    /// Passages to be recorded that wait for the service; nil where they do not wait.
    var held: [(request: ControlRequest, reply: ControlReply)]?
    var problems = StandingProblems()
  }

  private let server: ControlServer
  private let report: ServiceReport
  private let clocks: any Clocks
  private let state = Mutex(State())
  /// Held while a request is handled: whoever closes waits for that.
  private let handling = Mutex(())

  /// Begins to serve the socket of a service with these settings.
  ///
  /// - Throws: `ControlError` when the system gives no thread.
  init(_ server: ControlServer, _ loaded: LoadedSettings, clocks: any Clocks) throws {
    self.server = server
    self.clocks = clocks
    var report = ServiceReport(startedAt: clocks.wall().rfc3339, version: Version.current)
    report.process = getpid()
    report.name(loaded)
    self.report = report
    try server.start(clocks: clocks) { [self] request, reply in handle(request, reply) }
  }

  /// Tells what the service waits for.
  func wait(for words: String) {
    state.withLock { $0.awaited = words }
  }

  /// Hands everything over to the service that runs.
  func open(_ role: ControlRole) {
    let held = state.withLock { state in
      defer { state.held = nil }
      state.role = role
      state.awaited = nil
      return state.held ?? []
    }
    for (request, reply) in held { role.handle(request, reply) }
  }

  /// Takes everything back from the service, which ends; when this returns, nobody asks it any more.
  ///
  /// - Parameters:
  ///   - words: Why.
  ///   - isHolding: Whether passages that are to be recorded wait for the next one.
  func close(_ words: String, isHolding: Bool) {
    handling.withLock { _ in
      state.withLock { state in
        state.role = nil
        state.awaited = words
        state.held = isHolding ? [] : nil
      }
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
  var service: ServiceReport { report }

  /// Problems, each with when it began.
  func standing(_ problems: [Problem], at now: WallTime) -> [Problem] {
    state.withLock { $0.problems.dated(problems, at: now) }
  }

  private func handle(_ request: ControlRequest, _ reply: ControlReply) {
    handling.withLock { _ in answer(request, reply) }
  }

  private func answer(_ request: ControlRequest, _ reply: ControlReply) {
    let (role, awaited, isHeld) = state.withLock { state in
      let isHeld =
        request.operation == RecordMessage.operation && (state.held?.count ?? .max) < Limits.held
      if isHeld { state.held?.append((request, reply)) }
      return (state.role, state.awaited, isHeld)
    }
    if isHeld { return }
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
