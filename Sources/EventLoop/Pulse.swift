import Synchronization
public import Time

/// Whether a loop still turns: it notes when it woke, and that it sleeps again.
///
/// A loop that sleeps is well, for the system wakes it. One that woke and does not come back to its sleep
/// hangs: in a call into a device or a disk, or because two threads wait for each other. So nobody has to
/// wake a loop to learn that it lives.
public final class Pulse: Sendable {
  /// Whose loop it is: `node`.
  public let name: String
  /// When it woke, in nanoseconds of the boot clock; 0 while it sleeps.
  private let awakeSince = Atomic<Int64>(0)

  /// The pulse of a loop that sleeps.
  public init(_ name: String) {
    self.name = name
  }

  /// Calls `wait`, in which the loop sleeps.
  public func sleeping<Result>(_ clocks: some Clocks, _ wait: () -> Result) -> Result {
    awakeSince.store(0, ordering: .relaxed)
    let result = wait()
    turns(clocks)
    return result
  }

  /// Notes that the loop begins another turn: one that has so much to do that it does not sleep is well.
  public func turns(_ clocks: some Clocks) {
    awakeSince.store(max(clocks.boot().nanoseconds, 1), ordering: .relaxed)
  }

  /// How long it has been awake; zero while it sleeps.
  public func awake(at now: BootInstant) -> Duration {
    let since = awakeSince.load(ordering: .relaxed)
    guard since > 0 else { return .zero }
    return max(BootInstant(nanoseconds: since).duration(to: now), .zero)
  }
}
