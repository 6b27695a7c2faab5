import Glibc
import SimulationKit
import TestSupport
import Testing

/// Days under a seed. `CHECKPOST_TEST_SEEDS` sets how many, `CHECKPOST_TEST_SEED` names one.
@Suite struct SimulationTests {
  /// The days of this run. More of them are lived by a program of its own, built for release.
  static let choice = DayChoice(seeds: 40) { name in getenv(name).map { String(cString: $0) } }

  static func live(_ seed: UInt64) throws -> WorldReport {
    try Life.live(choice.settings(seed))
  }

  /// The seeds in shares that run side by side.
  static let shares = 2

  @Test(arguments: 0..<shares) func everyDayEndsWell(share: Int) async throws {
    let choice = SimulationTests.choice
    let seeds = choice.seeds.filter { Int($0 % UInt64(SimulationTests.shares)) == share }
    let campaign = await onThread {
      var campaign = Campaign()
      for seed in seeds { campaign.live(choice.settings(seed)) }
      return campaign
    }
    for failure in campaign.failures {
      let command = DayChoice.command(
        choice.settings(failure.seed), target: SimulationTests.target)
      for words in failure.words {
        Issue.record("seed \(failure.seed): \(words)\nrepeat with: \(command)")
      }
    }
    if let first = campaign.failures.first {
      let command = await onThread { choice.smallest(first, target: SimulationTests.target) }
      print("seed \(first.seed), made smaller, fails with: \(command)")
    }
    // The days are worth their name.
    if seeds.count >= 20 {
      #expect(campaign.total.recorded > 200)
      #expect(campaign.total.rows > 100)
      #expect(campaign.total.crashes > 0)
      #expect(campaign.total.lost > 0)
    }
    for line in campaign.summary { print(line) }
  }

  /// What make is asked for to live a day again.
  private static let target = "test FILTER=SimulationTests"

  @Test func oneSeedIsOneCourseOfEvents() async throws {
    for seed in SimulationTests.choice.seeds.prefix(4) {
      let (once, again) = try await onThread {
        (try SimulationTests.live(seed), try SimulationTests.live(seed))
      }
      #expect(once == again, "seed \(seed)")
    }
  }
}
