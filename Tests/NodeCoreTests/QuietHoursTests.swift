import NodeCore
import Testing
import Time

/// Hours in which only urgent passages are texted.
@Suite struct QuietHoursTests {
  @Test func nothingIsTextedWhileItIsQuiet() {
    var bench = Bench.ready()
    let end = bench.now + .seconds(3_600)
    bench.core.setQuiet(until: end)
    bench.record(3)
    #expect(bench.pass(.seconds(3_599)).sent.isEmpty)
    #expect(bench.core.nextDeadline == end, "and the node sleeps until then")
    #expect(
      bench.core.snapshot(at: bench.now).outlook == TextOutlook(.quietHours, until: end))
    bench.core.setQuiet(until: nil)
    #expect(bench.pass(.seconds(1)).sent.count == 1)
  }

  @Test func urgentPassagesAreTexted() {
    var bench = Bench.ready()
    bench.core.setQuiet(until: bench.now + .seconds(36_000))
    bench.record(2)
    bench.queue.record(at: bench.now, priority: 2)
    bench.tell(.woke)
    #expect(bench.pass(.seconds(301)).sent.map(\.queueID) == [3])
    #expect(bench.finish(.fine).sent.isEmpty, "the others are not")
    bench.queue.record(at: bench.now, priority: 2)
    bench.tell(.woke)
    #expect(bench.pass(.seconds(301)).sent.map(\.queueID) == [4], "nor do they keep it waiting")
  }

  @Test func aClockThatIsSetEndsThemAtOnce() {
    var bench = Bench.ready()
    bench.core.setQuiet(until: bench.now + .seconds(36_000))
    bench.record()
    #expect(bench.pass(.seconds(400)).sent.isEmpty)
    bench.core.setQuiet(until: nil)
    #expect(bench.tell(.timePassed).sent.count == 1)
  }

  @Test func clocksThatDoNotTickTogetherAskNothing() {
    var bench = Bench.ready()
    let end = bench.now + .seconds(36_000)
    bench.core.setQuiet(until: end)
    bench.record()
    bench.pass(.seconds(400))
    bench.core.setQuiet(until: end - .milliseconds(700))
    #expect(!bench.tell(.timePassed).contains(.chooseDue))
    bench.core.setQuiet(until: end + .milliseconds(300))
    #expect(!bench.tell(.timePassed).contains(.chooseDue))
  }

  @Test func anOperatorsTextIsSentAtAnyHour() {
    var bench = Bench.ready()
    bench.core.setQuiet(until: bench.now + .seconds(36_000))
    let text = ManualText(requestID: 1, to: "+9779841000001", body: "hello")
    #expect(bench.tell(.manualText(text)).sent.count == 1)
  }
}
