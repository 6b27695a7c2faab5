import Events
import Log
import Synchronization
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// The log of refused requests under a flood of them.
@Suite struct RefusalTests {
  @Test func eachKindIsCountedForItself() {
    let log = ServiceLog(level: .debug, mask: .short, sinks: [])
    let clock = TestClocks(boot: .zero)
    let refusals = RefusalLog(clocks: clock, log: log)
    for _ in 0..<12 { refusals.record("webhook_signature", .warning, "wrong") }
    refusals.record("webhook_storage", .error, "not kept")
    clock.pass(.seconds(61))
    refusals.record("webhook_storage", .error, "not kept")
    refusals.record("webhook_signature", .warning, "wrong")
    #expect(log.counts == ["webhook_signature": 11, "webhook_storage": 2])
    let words = log.recent.suffix(2).map(\.words)
    #expect(words == ["not kept", "wrong (2 more before this one were not written)"])
  }
}
