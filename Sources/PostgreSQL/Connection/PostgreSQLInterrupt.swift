public import EventLoop
import Synchronization
import Time

/// Ends waiting for a connection from another thread, once and for good.
public final class PostgreSQLInterrupt: Sendable {
  private let wakeup: Wakeup
  private let isRaised = Atomic(false)

  /// One that was not used yet.
  ///
  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  public init() throws(LinkError) {
    wakeup = try Wakeup()
  }

  /// Ends all that waits with it, now and later.
  public func interrupt() {
    isRaised.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Whether it was used.
  public var isInterrupted: Bool { isRaised.load(ordering: .acquiring) }

  /// What `poll` waits on.
  var descriptor: Int32 { wakeup.descriptor }
}

/// Waiting for a descriptor, with an end.
struct DatabasePatience {
  var clocks: any Clocks
  var interrupt: PostgreSQLInterrupt?
  /// Whose loop it is that sleeps meanwhile.
  var pulse: Pulse?

  /// Returns when the descriptor is ready, or nobody is at its other end.
  func wait(
    for interest: Interest, until deadline: BootInstant, _ phase: PostgreSQLPhase
  ) throws(PostgreSQLError) {
    while true {
      if interrupt?.isInterrupted == true { throw .ended }
      guard clocks.boot() < deadline else { throw .timedOut(phase) }
      var interests = [interest]
      if let interrupt { interests.append(Interest(descriptor: interrupt.descriptor)) }
      if !sleep(interests, until: deadline)[0].isEmpty { return }
    }
  }

  private func sleep(_ interests: [Interest], until deadline: BootInstant) -> [Readiness] {
    guard let pulse else { return PollLoop.wait(interests, until: deadline, clocks: clocks) }
    return pulse.sleeping(clocks) {
      PollLoop.wait(interests, until: deadline, clocks: clocks)
    }
  }

  /// Whether the descriptor can be read from without waiting.
  func isReadable(_ descriptor: Int32) -> Bool {
    let ready = PollLoop.wait(
      [Interest(descriptor: descriptor)], until: clocks.boot(), clocks: clocks)
    return !ready[0].isEmpty
  }
}
