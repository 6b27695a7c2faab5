import NodeCore
import Testing
import Timing

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
      if case .budgetExhausted(window: "day", _) = $0 { true } else { false }
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
    bench.tell(.started(StartFacts(nextTextID: 3, charges: charges)))
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    bench.record()
    #expect(bench.pass(.seconds(3_600)).sent.isEmpty)
    let snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.textsLastDay == 2)
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
}
