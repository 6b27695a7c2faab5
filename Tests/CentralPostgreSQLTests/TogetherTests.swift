import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import SeededRandom
import TestSupport
import Testing
import Time

/// Whatever a service does at the same time, by several processes, comes to the same, and nobody waits in a circle.
@Suite(.needsPostgreSQL)
struct TogetherTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 40_000)

  @Test(arguments: 0..<2 as Range<UInt64>)
  func takingRejudgingAndTheClock(seed: UInt64) async throws {
    let database = try await JudgedDatabase.make()
    let world = try JudgingWorld.days(trips: 80, vehicles: 12, seed: seed)
    var generator = SplitMix64(seed: seed)
    let arrivals = world.arrivals.shuffled(using: &generator)
    let batches = stride(from: 0, to: arrivals.count, by: 15).map {
      Array(arrivals[$0...].prefix(15))
    }
    let evening = evening
    let posts = try ["BNP-A", "BNP-B"].map { try CheckpostCode($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await database.take(batches, connections: 3, at: evening) }
      group.addTask {
        try await database.with { connection in
          let judging = JudgingDatabase(connection)
          for _ in 0..<3 { try judging.rejudgeAll(everything: true, limit: 4, at: evening) }
        }
      }
      group.addTask {
        try await database.with { connection in
          let judging = JudgingDatabase(connection)
          for step in 1...12 as ClosedRange<Int64> {
            _ = try judging.clock(at: evening)
            for post in posts {
              try judging.report(
                post, through: judgedMorning + step * 3_000, receivedAt: evening, at: evening)
            }
            for found in try judging.violations(ViolationQuery()).prefix(2) {
              _ = try judging.confirm(found.uuid, at: evening)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let story = try await database.with { connection in
      let judging = JudgingDatabase(connection)
      try judging.tick(at: evening)
      // What was reported is final, whoever of them came first.
      let open = try judging.violations(ViolationQuery()).filter {
        $0.violation.finality == .provisional && $0.violation.finding.doubts == []
          && $0.violation.finding.exit.latest < judgedMorning + 3_600 && !$0.violation.finding.isFar
      }
      #expect(open.isEmpty)
      return try ToldStory(connection)
    }
    let whole = ToldStory(
      JudgingStory(arrivals.observations, arrivals.corrections, try samplePlaces(), at: evening))
    #expect(story.differences(from: whole) == [], "seed \(seed)")
  }
}
