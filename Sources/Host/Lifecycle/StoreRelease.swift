import Control
import EventLoop
import Synchronization

/// Gives the database of a role to a command that puts another one in its place: the service closes all that it
/// has open, waits until the command has left, however it ended, and opens what it finds then.
final class StoreRelease: Sendable {
  private struct State {
    /// Ends the parts of the service; nil while none run.
    var endParts: (@Sendable () -> Void)?
    var isAsked = false
    var isClosed = false
    var isTold = false
    /// Says to the command's connection that there is something to tell.
    var wake: (@Sendable () -> Void)?
  }

  /// Signalled when whoever asked has left.
  let hasLeft: Wakeup
  private let state = Mutex(State())

  /// Nobody has asked.
  ///
  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  init() throws(LinkError) {
    hasLeft = try Wakeup()
  }

  /// Whether a command wants the database.
  var isAsked: Bool { state.withLock { $0.isAsked } }

  /// The service runs from now on; `endParts` is called when a command wants the database.
  func isRunning(_ endParts: @escaping @Sendable () -> Void) {
    hasLeft.clear()
    state.withLock { state in
      state = State()
      state.endParts = endParts
    }
  }

  /// A command asks for the database; one at a time.
  func ask(_ reply: ControlReply) {
    let endParts = state.withLock { state in
      guard !state.isAsked else { return nil as (@Sendable () -> Void)? }
      state.isAsked = state.endParts != nil
      return state.endParts
    }
    guard let endParts else {
      return reply.refuse(
        "store_released", "another command has the database just now; try again in a moment",
        exitCode: ExitStatus.tryAgain.code)
    }
    reply.stream { wake in
      state.withLock { $0.wake = wake }
      return ControlStream(
        take: { [self] _ in ControlStream.Batch(lines: news()) },
        whenLeft: { [hasLeft] in hasLeft.signal() })
    }
    endParts()
  }

  /// The database is closed, and its lock given back: whoever asked is told.
  func isClosed() {
    let wake = state.withLock { state in
      state.isClosed = true
      return state.wake
    }
    wake?()
  }

  private func news() -> [String] {
    state.withLock { state in
      guard state.isClosed, !state.isTold else { return [] }
      state.isTold = true
      return [Operations.ReleaseStore.closed]
    }
  }
}
