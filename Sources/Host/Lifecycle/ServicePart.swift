import EventLoop

/// A part of the running service, with threads of its own.
///
/// Parts are started, stopped and waited for without a task: an idle node has no thread pool of
/// Swift's, whose monitor would wake the machine every second.
protocol ServicePart: Sendable {
  /// Starts it.
  ///
  /// - Parameter whenEnded: Called from any thread once it has ended, as asked to or not.
  func start(whenEnded: @escaping @Sendable () -> Void) throws

  /// Asks it to end.
  func stop()

  /// Blocks until it has ended.
  ///
  /// - Throws: What it ended with, when that was a failure.
  func join() throws
}

/// Several parts, which live and end together.
struct ServiceParts {
  private let parts: [any ServicePart]
  private let hasEnded: Wakeup

  /// Parts that have not started, in the order in which they start; they end in the other one.
  init(_ parts: [any ServicePart]) throws(LinkError) {
    self.parts = parts
    hasEnded = try Wakeup()
  }

  /// Runs them until `wait` returns, or one of them ends by itself; then ends them all.
  ///
  /// - Parameter wait: Blocks until the end is wanted, or the wakeup that it is handed is signalled.
  /// - Throws: The first failure.
  func run(until wait: (Wakeup) -> Void) throws {
    var started: [any ServicePart] = []
    var failure: (any Error)?
    do {
      for part in parts {
        try part.start { [hasEnded] in hasEnded.signal() }
        started.append(part)
      }
      wait(hasEnded)
    } catch {
      failure = error
    }
    for part in started.reversed() {
      part.stop()
      do {
        try part.join()
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
