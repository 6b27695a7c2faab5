import EventLoop
import Synchronization
public import Time

/// The clocks of the demo: they run as the machine's do, start on the day of the example, and can be
/// moved forward, so that five minutes need not be waited for.
public final class DemoClocks: Clocks {
  private let system = SystemClocks()
  private let start: WallTime
  private let startedAt: BootInstant
  private let moved = Mutex(Duration.zero)

  /// Clocks whose wall clock shows `start` now.
  public init(start: WallTime) {
    self.start = start
    startedAt = system.boot()
  }

  /// The boot clock, moved.
  public func boot() -> BootInstant {
    system.boot() + moved.withLock { $0 }
  }

  /// The wall clock, moved.
  public func wall() -> WallTime {
    start + (boot() - startedAt)
  }

  /// Moves both clocks forward.
  public func move(by duration: Duration) {
    moved.withLock { $0 = $0 + duration }
  }

  /// How far the clocks have come since the demo began.
  public var elapsed: Duration { boot() - startedAt }
}

/// The clocks of the demo's modems: their deadlines run in real time, and what they stamp shows the
/// demo's day.
struct DemoModemClocks: Clocks {
  private let demo: DemoClocks
  private let system = SystemClocks()

  init(demo: DemoClocks) {
    self.demo = demo
  }

  func boot() -> BootInstant { system.boot() }
  func wall() -> WallTime { demo.wall() }
}
