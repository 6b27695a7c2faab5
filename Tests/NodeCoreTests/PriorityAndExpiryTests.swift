import NodeCore
import Testing
import Time

@Suite struct PriorityAndExpiryTests {
  @Test func theMoreUrgentGoesFirstAndOfEqualsTheOldest() {
    var bench = Bench.ready()
    for priority in [1, 0, 2, 1, 2] { bench.queue.record(at: bench.now, priority: priority) }
    bench.tell(.woke)
    bench.pass(.seconds(301))
    var order: [Int64?] = []
    while let text = bench.flying.first {
      order.append(text.queueID)
      bench.finish(.fine)
    }
    #expect(order == [3, 5, 1, 4, 2])
  }

  @Test func aTextIsWorthWhatIsLeftOfItsPassage() {
    var rules = NodeRules.testing
    rules.worthFor = .seconds(3_600)
    var bench = Bench.ready(rules)
    bench.record()
    let first = bench.pass(.seconds(600)).sent
    #expect(first.map(\.worthFor) == [.seconds(3_600 - 300) - .nanoseconds(1)])
    bench.finish(.fine)
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "no registration"))
    bench.record()
    bench.pass(.seconds(3_500))
    let late = bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent
    #expect(late.map(\.worthFor) == [.seconds(300)], "never under five minutes")
  }

  @Test func whatIsTooOldIsNotTextedAndKeepsNobodyWaiting() {
    var rules = NodeRules.testing
    rules.worthFor = .seconds(3_600)
    var bench = Bench.ready(rules)
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "no registration"))
    bench.record(3)
    bench.pass(.seconds(3_000))
    bench.record()
    bench.pass(.seconds(600))
    let effects = bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    #expect(effects.sent.map(\.queueID) == [4])
    let outdated = effects.facts.filter {
      if case .passageOutdated = $0 { true } else { false }
    }
    #expect(outdated.count == 3)
    #expect(bench.queue.items.map(\.isOutdated) == [true, true, true, false])
    bench.finish(.fine)
    #expect(bench.pass(.seconds(86_400)).sent.isEmpty)
  }
}
