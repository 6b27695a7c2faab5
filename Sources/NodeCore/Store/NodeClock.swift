public import Time

/// The node's own clock: the machine's boot clock, carried over restarts.
///
/// Within one boot the clock is the boot clock and a fixed offset. When the machine has been
/// restarted, the clock goes on from the last moment that the store has seen, plus the time since
/// the machine came up; time without power does not count. A passage that had been pending for four
/// minutes before a power cut is four minutes old after it.
public struct NodeClock: Hashable, Sendable {
  /// What is added to the machine's boot clock.
  public let offset: Duration

  /// The node's time at a moment of the machine's boot clock.
  public func time(at boot: BootInstant) -> BootInstant {
    boot + offset
  }

  /// The moment of the machine's boot clock at which the node's clock shows `time`.
  public func boot(at time: BootInstant) -> BootInstant {
    time - offset
  }

  /// A clock that is ahead of the machine's boot clock by `offset`.
  public init(offset: Duration) {
    self.offset = offset
  }
}

/// A moment of the clock of one start of the machine.
public struct BootMoment: Hashable, Sendable {
  /// What names that start: the kernel's `boot_id`.
  public var bootID: String
  /// What the machine's boot clock showed.
  public var time: BootInstant

  /// A moment of a start of the machine.
  public init(bootID: String, time: BootInstant) {
    self.bootID = bootID
    self.time = time
  }
}
