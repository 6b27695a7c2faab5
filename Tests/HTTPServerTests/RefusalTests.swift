import Events
import Log
import Synchronization
import Testing
import Time

@testable import HTTPServer

/// The log of refused requests under a flood of them.
@Suite struct RefusalTests {
  private final class Clock: Clocks {
    let now = Mutex(BootInstant.zero)

    func boot() -> BootInstant { now.withLock { $0 } }
    func wall() -> WallTime { WallTime(epochSeconds: 1_800_000_000) }
  }

  @Test func eachKindIsCountedForItself() {
    let log = ServiceLog(level: .debug, mask: .short, sinks: [])
    let clock = Clock()
    let refusals = RefusalLog(clocks: clock, log: log)
    for _ in 0..<12 { refusals.record("webhook_signature", .warning, "wrong") }
    refusals.record("webhook_storage", .error, "not kept")
    clock.now.withLock { $0 = .seconds(61) }
    refusals.record("webhook_storage", .error, "not kept")
    refusals.record("webhook_signature", .warning, "wrong")
    #expect(log.counts == ["webhook_signature": 11, "webhook_storage": 2])
    let words = log.recent.suffix(2).map(\.words)
    #expect(words == ["not kept", "wrong (2 more before this one were not written)"])
  }
}
