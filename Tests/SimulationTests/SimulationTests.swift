import Glibc
import SimulationKit
import TestSupport
import Testing

/// Days under a seed. `CHECKPOST_TEST_SEEDS` sets how many, `CHECKPOST_TEST_SEED` names one.
@Suite struct SimulationTests {
  /// The seeds of this run.
  static let seeds: [UInt64] = {
    if let one = environment("CHECKPOST_TEST_SEED").flatMap({ UInt64($0) }) { return [one] }
    let count = environment("CHECKPOST_TEST_SEEDS").flatMap { UInt64($0) } ?? 200
    return Array(1...max(1, count))
  }()

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  static func live(_ seed: UInt64) throws -> WorldReport {
    try Life.live(settings(seed))
  }

  /// A day of that seed, without what `CHECKPOST_TEST_WITHOUT` names, and not longer than
  /// `CHECKPOST_TEST_UNTIL` seconds.
  private static func settings(_ seed: UInt64) -> WorldSettings {
    var settings = WorldSettings(seed: seed)
    let without = environment("CHECKPOST_TEST_WITHOUT") ?? ""
    settings.without = Set(without.split(separator: ",").compactMap { Int($0) })
    settings.until = environment("CHECKPOST_TEST_UNTIL").flatMap { Int64($0) }.map { .seconds($0) }
    return settings
  }

  /// The command that lives a day again.
  private static func command(_ settings: WorldSettings) -> String {
    var words = ["CHECKPOST_TEST_SEED=\(settings.seed)"]
    let without = settings.without.sorted().map(String.init).joined(separator: ",")
    if !without.isEmpty { words.append("CHECKPOST_TEST_WITHOUT=\(without)") }
    if let until = settings.until {
      words.append("CHECKPOST_TEST_UNTIL=\(until.components.seconds)")
    }
    return words.joined(separator: " ") + " make test FILTER=SimulationTests"
  }

  /// The first day that failed, made smaller: what it needs to fail.
  private static func shrunk(_ seed: UInt64, _ report: WorldReport) throws -> String {
    let smallest = try Shrinking.smallest(of: settings(seed), planned: report.planned) {
      try Life.live($0).violations.isEmpty == false
    }
    return command(smallest)
  }

  /// A day that could not be lived to its end.
  private struct DayFault: Error, CustomStringConvertible {
    var seed: UInt64
    var reason: String

    var description: String { "seed \(seed): \(reason)" }
  }

  /// The seeds in shares that run side by side.
  static let shares = 4

  @Test(arguments: 0..<shares) func everyDayEndsWell(share: Int) async throws {
    let seeds = SimulationTests.seeds.filter { Int($0 % UInt64(SimulationTests.shares)) == share }
    let reports = try await onThread {
      try seeds.map { seed in
        do {
          return (seed: seed, report: try SimulationTests.live(seed))
        } catch {
          throw DayFault(seed: seed, reason: "\(error)")
        }
      }
    }
    if let (seed, report) = reports.first(where: { !$0.report.violations.isEmpty }) {
      let command = try await onThread { try SimulationTests.shrunk(seed, report) }
      print("seed \(seed), made smaller, fails with: \(command)")
    }
    var total = WorldReport()
    for (seed, report) in reports {
      for violation in report.violations {
        Issue.record(
          """
          seed \(seed): \(violation)
          repeat with: \(SimulationTests.command(SimulationTests.settings(seed)))
          """)
      }
      total.recorded += report.recorded
      total.submitted += report.submitted
      total.rows += report.rows
      total.lost += report.lost
      total.unknown += report.unknown
      total.crashes += report.crashes
      total.seconds += report.seconds
      total.steps += report.steps
      total.requests += report.requests
      total.stored += report.stored
      total.heartbeats += report.heartbeats
      total.opposite += report.opposite
      total.alerts += report.alerts
      total.west += report.west
      total.photos += report.photos
      total.corrections += report.corrections
      for (fault, count) in report.fired { total.fired[fault, default: 0] += count }
    }
    // The days are worth their name.
    if seeds.count >= 100 {
      #expect(total.recorded > 1_000)
      #expect(total.rows > 500)
      #expect(total.unknown > 0)
      #expect(total.crashes > 0)
      #expect(total.lost > 0)
      #expect(total.heartbeats > 0)
      #expect(total.opposite > 0)
      #expect(total.alerts > 0)
      #expect(total.photos > 0)
      #expect(total.corrections > 0)
    }
    print(
      "\(seeds.count) days, \(total.seconds / 3_600) hours:"
        + " \(total.recorded) passages, \(total.submitted) texts on air, \(total.lost) lost by the"
        + " network, \(total.unknown) unknown, \(total.rows) rows, \(total.crashes) crashes;"
        + " \(total.requests) requests, \(total.stored) stored by the server, \(total.steps) steps"
    )
    print(
      "beside them: \(total.photos) photographs, \(total.corrections) corrections on the server,"
        + " \(total.opposite) texts to the opposite post, \(total.heartbeats) heartbeats,"
        + " \(total.west) vehicles recorded there, \(total.alerts) warnings")
    print(
      "faults: "
        + CataloguedFault.all.filter { !$0.names.isEmpty }
        .map { "F\($0.number) \($0.count(in: total.fired))" }.joined(separator: ", "))
  }

  @Test func oneSeedIsOneCourseOfEvents() async throws {
    for seed in SimulationTests.seeds.prefix(4) {
      let (once, again) = try await onThread {
        (try SimulationTests.live(seed), try SimulationTests.live(seed))
      }
      #expect(once == again, "seed \(seed)")
    }
  }
}
