import Synchronization
public import Time

/// Both clocks of a simulated world: they move only when the world says so, and the wall clock may
/// stand anywhere.
public final class VirtualClock: Clocks {
  private struct State {
    var boot: BootInstant
    var wallOffset: Int64
    var truth: Int64
    var isKept = false
  }

  private let state: Mutex<State>

  /// Clocks that show `wall` and a machine that has just been switched on.
  public init(wall: WallTime) {
    state = Mutex(State(boot: .zero, wallOffset: wall.milliseconds, truth: wall.milliseconds))
  }

  /// The simulated boot-time clock, which moves only when it is told to.
  public func boot() -> BootInstant {
    state.withLock { $0.boot }
  }

  /// The simulated wall clock: the boot-time clock, moved by as much as it was set ahead.
  public func wall() -> WallTime {
    state.withLock {
      WallTime(milliseconds: $0.wallOffset + $0.boot.nanoseconds / 1_000_000)
    }
  }

  /// What a clock would show that is right: that of the server, of the centre and of the network.
  public func truth() -> WallTime {
    state.withLock {
      WallTime(milliseconds: $0.truth + $0.boot.nanoseconds / 1_000_000)
    }
  }

  /// How far the wall clock is ahead of the one that is right.
  public var ahead: Duration {
    state.withLock { .milliseconds($0.wallOffset - $0.truth) }
  }

  /// Whether a time service keeps the wall clock, as the system tells.
  public var isKept: Bool { state.withLock { $0.isKept } }

  /// Moves both clocks on to `instant`; an earlier one leaves them as they are.
  public func advance(to instant: BootInstant) {
    state.withLock { $0.boot = max($0.boot, instant) }
  }

  /// Sets the wall clock right, as a time service does, or somebody by hand.
  ///
  /// - Parameter isKept: Whether a time service keeps it from then on.
  public func setRight(isKept: Bool = true) {
    state.withLock {
      $0.wallOffset = $0.truth
      $0.isKept = isKept
    }
  }

  /// Sets the wall clock forward or back, as a dead battery does, or somebody who is wrong.
  public func stepWall(by duration: Duration) {
    state.withLock {
      $0.wallOffset += duration.wholeMilliseconds
      $0.isKept = false
    }
  }
}
