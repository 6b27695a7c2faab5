import Synchronization
public import Time

/// Clocks that stand still until a test moves them; or of which each look finds some time passed, so
/// that nothing has to be waited for.
public final class TestClocks: Clocks {
  private struct State {
    var boot: BootInstant
    var wall: WallTime
  }

  private let state: Mutex<State>
  private let step: Duration

  /// Clocks that show these times.
  ///
  /// - Parameter step: How much time each look at the boot clock finds passed.
  public init(
    boot: BootInstant = .seconds(1_000), wall: WallTime = WallTime(epochSeconds: 1_800_000_000),
    step: Duration = .zero
  ) {
    state = Mutex(State(boot: boot, wall: wall))
    self.step = step
  }

  /// The boot clock, after the step that a look takes.
  public func boot() -> BootInstant {
    state.withLock { state in
      state.boot = state.boot + step
      return state.boot
    }
  }

  /// The wall clock.
  public func wall() -> WallTime {
    state.withLock { $0.wall }
  }

  /// Lets time pass on both.
  public func pass(_ duration: Duration) {
    state.withLock { state in
      state.boot = state.boot + duration
      state.wall = state.wall + duration
    }
  }

  /// Sets the wall clock, as somebody with a wrist watch does.
  public func set(_ wall: WallTime) {
    state.withLock { $0.wall = wall }
  }
}
