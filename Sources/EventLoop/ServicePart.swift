public import Time

/// A part of a running service, with threads of its own: how it begins, how it is asked to end, and
/// what it ended with.
///
/// Parts are started, stopped and waited for without a task: an idle node has no thread pool of
/// Swift's, whose monitor would wake the machine every second.
public protocol ServicePart: Sendable {
  /// Starts it; once.
  ///
  /// - Parameter whenEnded: Called from any thread once it has ended, as asked to or not.
  func start(whenEnded: @escaping @Sendable () -> Void) throws

  /// Asks it to end, after what has been begun.
  func stop()

  /// Blocks until it has ended.
  ///
  /// - Throws: What it ended with, when that was a failure.
  func join() throws

  /// Its loops, of which each says whether it still turns.
  var pulses: [Pulse] { get }
}

extension ServicePart {
  /// A part without a loop that could hang.
  public var pulses: [Pulse] { [] }
}

/// Several parts, which live and end together.
public struct ServiceParts: Sendable {
  private let parts: [any ServicePart]
  private let hasEnded: Wakeup

  /// Parts that have not started, in the order in which they start; they end in the other one.
  ///
  /// - Throws: ``LinkError/system`` when the process may not open another descriptor.
  public init(_ parts: [any ServicePart]) throws(LinkError) {
    self.parts = parts
    hasEnded = try Wakeup()
  }

  /// Runs them until `wait` returns, or one of them ends by itself; then ends them all.
  ///
  /// - Parameter wait: Blocks until the end is wanted, or the wakeup that it is handed is signalled.
  /// - Throws: The first failure.
  public func run(until wait: (Wakeup) -> Void) throws {
    try start()
    wait(hasEnded)
    try end()
  }

  /// Starts them; when one cannot be started, those before it are ended again.
  ///
  /// - Throws: Why one cannot be started.
  public func start() throws {
    for (index, part) in parts.enumerated() {
      do {
        try part.start { [hasEnded] in hasEnded.signal() }
      } catch {
        try? ServiceParts.end(parts[..<index])
        throw error
      }
    }
  }

  /// Ends them, who have all started, in the reverse order, each once the one after it has ended.
  ///
  /// - Throws: The first failure.
  public func end() throws {
    try ServiceParts.end(parts[...])
  }

  /// The names of those loops that woke longer than `limit` ago and have not come back to their sleep.
  public func hanging(for limit: Duration, at now: BootInstant) -> [String] {
    parts.flatMap(\.pulses).filter { $0.awake(at: now) > limit }.map(\.name)
  }

  private static func end(_ started: ArraySlice<any ServicePart>) throws {
    var failure: (any Error)?
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
