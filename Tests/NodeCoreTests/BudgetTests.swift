import NodeCore
import Testing
import Time

@Suite struct BudgetTests {
  @Test func soManyInAMinuteAndNoMore() {
    var rules = NodeRules.testing
    rules.textsPerMinute = 4
    var bench = Bench.ready(rules)
    bench.record(20)
    var times: [BootInstant] = []
    while times.count < 12, let deadline = bench.core.nextDeadline {
      if bench.flying.isEmpty {
        bench.pass(deadline - bench.now)
      } else {
        times.append(bench.now)
        bench.finish(.fine)
      }
    }
    #expect(times.count == 12)
    for first in times.indices where first + 4 < times.count {
      #expect(times[first + 4] - times[first] >= .seconds(60))
    }
  }

  @Test func soManyInADayAndThenAWordAboutIt() {
    var rules = NodeRules.testing
    rules.textsPerDay = 3
    var bench = Bench.ready(rules)
    bench.record(5)
    bench.pass(.seconds(301))
    for _ in 0..<3 {
      bench.finish(.fine)
    }
    #expect(bench.flying.isEmpty)
    let told = bench.effects.facts.filter {
      if case .budgetExhausted(_, let use, _) = $0 { use.window == .day } else { false }
    }
    #expect(told.count == 1)
    #expect(bench.pass(.seconds(86_300)).sent.isEmpty)
    #expect(bench.pass(.seconds(200)).sent.count == 1)
  }

  @Test func aRestartGivesNoFreshBudget() {
    var rules = NodeRules.testing
    rules.textsPerDay = 2
    var bench = Bench(rules)
    let charges = [bench.now - .seconds(100), bench.now - .seconds(50)]
    bench.tell(
      .started(
        StartFacts(
          nextTextID: 3, charges: charges.map { TextCharge(modem: ModemID(0), at: $0) })))
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    bench.record()
    #expect(bench.pass(.seconds(3_600)).sent.isEmpty)
    let snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.budget(.day).used == 2)
    #expect(snapshot.budgetOpens == charges[0] + .seconds(86_400))
  }

  @Test func aTextThatNeverLeftCostsNothing() {
    var rules = NodeRules.testing
    rules.textsPerDay = 1
    var bench = Bench.ready(rules)
    bench.record()
    bench.pass(.seconds(301))
    bench.finish(.notSent(reason: "port lost"))
    #expect(bench.pass(.seconds(5)).sent.count == 1)
  }

  @Test func withNoBudgetAtAllTheNodeSleeps() {
    var rules = NodeRules.testing
    rules.textsPerDay = 0
    var bench = Bench.ready(rules)
    bench.record()
    #expect(bench.pass(.seconds(86_400)).sent.isEmpty)
    #expect(bench.core.nextDeadline == BootInstant(nanoseconds: .max))
  }

  @Test func soManyInAnHourAndInThirtyDays() {
    var rules = NodeRules.testing
    rules.textsPerHour = 2
    rules.textsPerDay = 10_000
    rules.textsPerMonth = 5
    rules.worthFor = .seconds(90 * 86_400)
    var bench = Bench.ready(rules)
    bench.record(20)
    var times: [BootInstant] = []
    while times.count < 8, let deadline = bench.core.nextDeadline {
      if bench.flying.isEmpty {
        bench.pass(deadline - bench.now)
      } else {
        times.append(bench.now)
        bench.finish(.fine)
      }
    }
    #expect(times.count == 8)
    for first in times.indices where first + 2 < times.count {
      #expect(times[first + 2] - times[first] >= .seconds(3_600))
    }
    for first in times.indices where first + 5 < times.count {
      #expect(times[first + 5] - times[first] >= .seconds(30 * 86_400))
    }
  }

  @Test func aWordComesOnceBeforeTheCap() {
    var rules = NodeRules.testing
    rules.textsPerDay = 10
    var bench = Bench.ready(rules)
    bench.record(10)
    bench.pass(.seconds(301))
    var told: [Int] = []
    for text in 1...10 {
      for case .budgetNearlyUsed(_, let use) in bench.effects.facts where use.window == .day {
        told.append(use.used)
      }
      bench.effects = []
      if text < 10 { bench.finish(.fine) }
    }
    #expect(told == [8])
  }

  @Test func whatTheBudgetsAllowIsToldAtTheStart() {
    var rules = NodeRules.testing
    rules.modems = [NodeModem(name: "one"), NodeModem(name: "two")]
    let bench = Bench.ready(rules)
    #expect(bench.effects.facts.contains(.budgetsSet(rules)))
    #expect(rules.worstDay == 600)
    rules.textsPerHour = 3
    #expect(rules.worstDay == 2 * 72, "no more than the hours allow")
  }

  @Test func eachSIMHasABudgetOfItsOwn() {
    var rules = NodeRules.testing
    rules.textsPerDay = 2
    var bench = Bench.ready(modems: [NodeModem(name: "one"), NodeModem(name: "two")], rules)
    bench.record(10)
    bench.pass(.seconds(301))
    for _ in 0..<10 where !bench.flying.isEmpty { bench.finish(.fine) }
    let used = bench.core.snapshot(at: bench.now).modems.map { $0.budget[2].used }
    #expect(used == [2, 2])
    #expect(bench.flying.isEmpty)
  }

  @Test func anOperatorsTextIsNeitherFreeNorEndless() {
    var rules = NodeRules.testing
    rules.textsPerDay = 3
    var bench = Bench.ready(rules)
    let long = ManualText(requestID: 1, to: "+9779811111111", body: "long", parts: 2)
    #expect(bench.tell(.manualText(long)).sent.count == 1)
    bench.finish(.fine)
    #expect(bench.core.snapshot(at: bench.now).budget(.day).used == 2, "two parts cost two texts")
    let again = ManualText(requestID: 2, to: "+9779811111111", body: "long", parts: 2)
    let effects = bench.tell(.manualText(again))
    #expect(effects.sent.isEmpty)
    #expect(
      effects.contains { if case .manualFinished(2, .notSent) = $0 { true } else { false } })
    let short = ManualText(requestID: 3, to: "+9779811111111", body: "short")
    #expect(bench.tell(.manualText(short)).sent.count == 1)
  }
}
