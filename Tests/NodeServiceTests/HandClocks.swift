import Synchronization
import Time

/// Clocks that stand still until they are moved.
final class HandClocks: Clocks {
  private let times = Mutex(
    (boot: BootInstant.seconds(1_000), wall: WallTime(epochSeconds: 1_800_000_000)))

  func boot() -> BootInstant {
    times.withLock { $0.boot }
  }

  func wall() -> WallTime {
    times.withLock { $0.wall }
  }

  func pass(_ duration: Duration) {
    times.withLock { times in
      times.boot = times.boot + duration
      times.wall = times.wall + duration
    }
  }
}
