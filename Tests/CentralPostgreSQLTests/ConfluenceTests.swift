import CentralCore
import CentralPostgreSQL
import Glibc
import PostgreSQL
import SeededRandom
import TestSupport
import Testing
import Time

/// What the database says of a set of arrivals is what the model says, whatever came first, in whatever batches, over
/// however many connections.
@Suite(.needsPostgreSQL)
struct ConfluenceTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 40_000)

  /// Set to the trips of the whole campaign, 20 seeds.
  private static let trips = getenv("CHECKPOST_TEST_TRIPS").flatMap { Int(String(cString: $0)) }

  private func compare(
    _ arrivals: [JudgingWorld.Arrival], in database: JudgedDatabase, _ name: String
  ) async throws {
    let evening = evening
    let story = try await database.with { connection in
      try JudgingDatabase(connection).tick(at: evening)
      return try ToldStory(connection)
    }
    let whole = ToldStory(
      JudgingStory(arrivals.observations, arrivals.corrections, try samplePlaces(), at: evening))
    #expect(story.differences(from: whole) == [], "\(name)")
    #expect(!whole.passages.isEmpty)
  }

  @Test(arguments: [7, 30, 400, 1_500, 9_000, 40_000] as [Int64])
  func crowds(step: Int64) async throws {
    for seed in 0..<3 as Range<UInt64> {
      let database = try await JudgedDatabase.make()
      var generator = SplitMix64(seed: seed &+ 1_000)
      let world = try JudgingWorld.crowd(passages: 40, step: step, seed: seed)
      let arrivals = (world.arrivals + world.arrivals.prefix(10)).shuffled(using: &generator)
      // One by one, and all along it is the whole of what has come.
      try await database.take(arrivals.prefix(20).map { [$0] }, connections: 1, at: evening)
      try await compare(
        Array(arrivals.prefix(20)), in: database, "seed \(seed), step \(step), begun")
      let rest = Array(arrivals.dropFirst(20))
      let batches = stride(from: 0, to: rest.count, by: 5).map { Array(rest[$0...].prefix(5)) }
      try await database.take(batches, connections: 3, at: evening)
      try await compare(arrivals, in: database, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: 0..<UInt64(ConfluenceTests.trips == nil ? 2 : 20))
  func days(seed: UInt64) async throws {
    let database = try await JudgedDatabase.make()
    let trips = Self.trips ?? 150
    let world = try JudgingWorld.days(trips: trips, vehicles: max(trips / 10, 20), seed: seed)
    var generator = SplitMix64(seed: seed)
    let arrivals = world.arrivals.shuffled(using: &generator)
    var batches: [[JudgingWorld.Arrival]] = []
    var left = arrivals[...]
    while !left.isEmpty {
      let batch = left.prefix(Int.random(in: 1...40, using: &generator))
      batches.append(Array(batch))
      left = left.dropFirst(batch.count)
    }
    try await database.take(batches, connections: 6, at: evening)
    try await compare(arrivals, in: database, "seed \(seed)")
  }
}
