import SimulationKit
import Testing

/// A day that fails is made smaller, and still fails.
@Suite struct ShrinkingTests {
  @Test func onlyWhatIsNeededIsLeft() throws {
    let needed: Set<Int> = [3, 17]
    let smallest = Shrinking.smallest(
      of: WorldSettings(seed: 1), planned: 20, tries: 200
    ) { needed.isDisjoint(with: $0.without) }
    #expect(smallest.without == Set(0..<20).subtracting(needed))
  }

  @Test func theDayEndsAsEarlyAsItFails() throws {
    let settings = WorldSettings(seed: 1)
    let smallest = Shrinking.smallest(of: settings, planned: 0) {
      ($0.until ?? $0.lasts) >= .seconds(900)
    }
    let until = try #require(smallest.until)
    #expect(until >= .seconds(900))
    #expect(until < .seconds(1_800))
  }

  @Test func whatNeedsNothingOfItLosesAll() throws {
    var tries = 0
    let smallest = Shrinking.smallest(of: WorldSettings(seed: 2), planned: 12, tries: 30) { _ in
      tries += 1
      return true
    }
    #expect(smallest.without == Set(0..<12))
    #expect(tries <= 30)
  }

  @Test func aSmallerDayIsLived() throws {
    var settings = WorldSettings(seed: 3)
    settings.resets = 0
    settings.startsBehind = nil
    let whole = try Life.live(settings)
    settings.without = Set(0..<whole.planned)
    settings.until = .seconds(1_800)
    let smaller = try Life.live(settings)
    #expect(smaller.violations.isEmpty)
    #expect(smaller.crashes == 0)
    #expect(smaller.fired.isEmpty)
    #expect(smaller.planned == whole.planned)
    #expect(smaller.recorded <= whole.recorded)
  }
}
