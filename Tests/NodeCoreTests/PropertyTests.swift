import NodeCore
import Testing
import Time

/// Random days at a post, with everything that must never happen looked for after each step.
@Suite struct PropertyTests {
  @Test(arguments: 1...300) func nothingForbiddenEverHappens(_ seed: UInt64) {
    var day = RandomDay(seed: seed)
    for _ in 0..<400 {
      day.step()
    }
    #expect(day.violations == [], "seed \(seed)")
  }

  @Test func theDaysAreWorthTheirName() {
    // A property that is never put to the test proves nothing.
    var texts = 0
    var onlineSteps = 0
    for seed in 1...50 as ClosedRange<UInt64> {
      var day = RandomDay(seed: seed)
      for _ in 0..<400 {
        day.step()
        onlineSteps += day.bench.core.snapshot(at: day.bench.now).connectivity == .online ? 1 : 0
      }
      texts += day.texts
    }
    #expect(texts > 500)
    #expect(onlineSteps > 500)
  }

  @Test(arguments: 1...60) func everythingIsTextedOnceAllIsWell(_ seed: UInt64) {
    var day = RandomDay(seed: seed)
    for _ in 0..<200 {
      day.step()
    }
    day.heal()
    let left = day.bench.queue.items.filter { item in
      item.status != .synced && !item.isTexted && item.textAttempts == 0 && item.parkedReason == nil
    }
    #expect(left.map(\.queueID) == [], "seed \(seed)")
    #expect(day.violations == [], "seed \(seed)")
  }
}
