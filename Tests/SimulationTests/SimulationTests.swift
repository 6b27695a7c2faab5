import Glibc
import SimulationKit
import Synchronization
import TestSupport
import Testing

/// Days under a seed. `CHECKPOST_TEST_SEEDS` sets how many, `CHECKPOST_TEST_SEED` names one.
@Suite struct SimulationTests {
  /// The seeds of this run.
  static let seeds: [UInt64] = {
    if let one = environment("CHECKPOST_TEST_SEED").flatMap({ UInt64($0) }) { return [one] }
    let count = environment("CHECKPOST_TEST_SEEDS").flatMap { UInt64($0) } ?? 120
    return Array(1...max(1, count))
  }()

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Each day has a database of its own, also when two tests live the same one.
  private static let lives = Atomic(0)

  /// Databases lie in memory where there is such a file system: what is tested is the decisions, and
  /// not the disk.
  static func live(_ seed: UInt64) throws -> WorldReport {
    let directory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let number = lives.wrappingAdd(1, ordering: .relaxed).newValue
    let path = "\(directory)/checkpost-simulation-\(getpid())-\(number).db"
    defer { for tail in ["", "-wal", "-shm"] { unlink(path + tail) } }
    var world = try World(settings: WorldSettings(seed: seed), path: path)
    return try world.run()
  }

  /// The seeds in shares that run side by side.
  static let shares = 4

  @Test(arguments: 0..<shares) func everyDayEndsWell(share: Int) async throws {
    let seeds = SimulationTests.seeds.filter { Int($0 % UInt64(SimulationTests.shares)) == share }
    let reports = try await onThread {
      try seeds.map { (seed: $0, report: try SimulationTests.live($0)) }
    }
    var total = WorldReport()
    for (seed, report) in reports {
      for violation in report.violations {
        Issue.record(
          """
          seed \(seed): \(violation)
          repeat with: CHECKPOST_TEST_SEED=\(seed) make test FILTER=SimulationTests
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
      for (fault, count) in report.fired { total.fired[fault, default: 0] += count }
    }
    // The days are worth their name.
    if seeds.count >= 100 {
      #expect(total.recorded > 1_000)
      #expect(total.rows > 500)
      #expect(total.unknown > 0)
      #expect(total.crashes > 0)
      #expect(total.lost > 0)
    }
    print(
      "\(seeds.count) days, \(total.seconds / 3_600) hours:"
        + " \(total.recorded) passages, \(total.submitted) texts on air, \(total.lost) lost by the"
        + " network, \(total.unknown) unknown, \(total.rows) rows, \(total.crashes) crashes;"
        + " \(total.requests) requests, \(total.stored) stored by the server, \(total.steps) steps;"
        + " faults \(total.fired.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
    )
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
