import Control
import EventLoop
import JSON
import Synchronization
import Time

/// Who answers at the control socket: from the first moment on, also while the service waits for its
/// storage, so that whoever asks is told what it waits for.
final class ControlDesk: Sendable {
  private struct State {
    var role: ControlRole?
    var awaited: String?
  }

  private let server: ControlServer
  private let startedAt: WallTime
  private let state = Mutex(State())

  /// Begins to serve the socket.
  ///
  /// - Throws: `ControlError` when the system gives no thread.
  init(_ server: ControlServer, clocks: any Clocks) throws {
    self.server = server
    startedAt = clocks.wall()
    try server.start(clocks: clocks) { [self] request, reply in handle(request, reply) }
  }

  /// Tells what the service waits for.
  func wait(for words: String) {
    state.withLock { $0.awaited = words }
  }

  /// Hands everything over to the service that runs.
  func open(_ role: ControlRole) {
    state.withLock { $0 = State(role: role) }
  }

  /// Ends serving; ``join()`` waits for that.
  func stop() {
    server.stop()
  }

  /// Blocks until nobody is served any more.
  func join() {
    server.join()
  }

  /// What a status says of the service itself.
  var service: JSONValue {
    [
      "running": true, "started_at": .text(startedAt.rfc3339), "version": .text(Version.current),
    ]
  }

  private func handle(_ request: ControlRequest, _ reply: ControlReply) {
    let now = state.withLock { $0 }
    if let role = now.role {
      role.handle(request, reply)
    } else if request.operation == "status" {
      reply.done(["service": service, "alarms": .list(now.awaited.map { [.text($0)] } ?? [])])
    } else {
      reply.refuse(
        "starting", "the service is starting; \(now.awaited ?? "try again in a moment")",
        exitCode: ExitStatus.tryAgain.code)
    }
  }
}
