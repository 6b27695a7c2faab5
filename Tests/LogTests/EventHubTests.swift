import Events
import JSON
import Log
import Synchronization
import Testing
import Time

/// Those who listen to the log while it is written.
@Suite struct EventHubTests {
  private let log = ServiceLog(level: .info, mask: .short, sinks: [])

  private func event(_ name: String, _ level: LogLevel = .info) -> Event {
    Event(name, level, at: WallTime(epochSeconds: 1_800_000_000), words: "words")
  }

  @Test func aSubscriberGetsWhatIsWrittenFromThenOn() {
    log.record(event("before"))
    let subscription = log.events.subscribe {}
    log.record(event("first"))
    log.record(event("second"))
    log.record(event("unwritten", .debug))
    let batch = subscription.take()
    #expect(batch.records.map(\.name) == ["first", "second"])
    #expect(!batch.isDropped)
    #expect(subscription.take().records.isEmpty)
  }

  @Test func aRecordIsMaskedAsInTheFile() {
    let subscription = log.events.subscribe {}
    var seen = event("passage_recorded")
    seen.fields = [EventField("plate", .plate("BA1PA1234"))]
    log.record(seen)
    #expect(subscription.take().records.first?.fields["plate"]?.text == "BA••")
  }

  @Test func onlyWhatIsAskedForIsHandedOver() {
    var filter = LogFilter()
    filter.level = .warning
    let subscription = log.events.subscribe(filter) {}
    log.record(event("calm"))
    log.record(event("loud", .warning))
    #expect(subscription.take().records.map(\.name) == ["loud"])
  }

  @Test func aSlowReaderIsDroppedAndTold() {
    let slow = log.events.subscribe(bound: 3) {}
    let quick = log.events.subscribe(bound: 3) {}
    for number in 0..<10 {
      log.record(event("event_\(number)"))
      #expect(quick.take().records.count == 1)
    }
    #expect(log.events.count == 1, "the slow one is not served any more")
    let first = slow.take(2)
    #expect(first.records.map(\.name) == ["event_0", "event_1"])
    #expect(!first.isDropped, "it is told with the last that it gets")
    let last = slow.take()
    #expect(last.records.map(\.name) == ["event_2"])
    #expect(last.isDropped)
    log.record(event("later"))
    #expect(slow.take().records.isEmpty)
    #expect(slow.take().isDropped)
  }

  @Test func aReaderIsWokenOnceForWhatWaits() {
    let woken = Mutex(0)
    let subscription = log.events.subscribe(bound: 2) { woken.withLock { $0 += 1 } }
    log.record(event("one"))
    log.record(event("two"))
    #expect(woken.withLock { $0 } == 1)
    log.record(event("three"))
    #expect(woken.withLock { $0 } == 2, "so that it hears that it is dropped")
    #expect(subscription.take().isDropped)
  }

  @Test func whoEndsOrIsGoneIsServedNoMore() {
    let ended = log.events.subscribe {}
    ended.end()
    log.record(event("one"))
    #expect(ended.take().records.isEmpty)
    do { _ = log.events.subscribe {} }
    #expect(log.events.count == 0)
  }
}
