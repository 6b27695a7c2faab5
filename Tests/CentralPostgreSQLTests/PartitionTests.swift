import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import TestSupport
import Testing
import Time

/// The tables that grow fastest are divided by the month and put together again with all that is in them.
@Suite(.needsPostgreSQL)
struct PartitionTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 320_000)
  /// 2027-01-31T23:50:00Z.
  private let lastOfMonth = Int64(1_801_439_400)

  private static let partitions = """
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'checkpost.observations'::regclass ORDER BY c.relname
    """

  @Test func whatIsThereIsDividedAndPutTogether() async throws {
    let arrivals = try JudgingWorld.days(trips: 60, vehicles: 15, seed: 4).arrivals
    let database = try await JudgedDatabase.make()
    let half = arrivals.count / 2
    try await database.take([Array(arrivals.prefix(half))], connections: 1, at: evening)
    let evening = evening
    try await database.with { connection in
      let whole = try connection.texts(VersionTests.objects)
      let before = try ToldStory(connection)
      #expect(try Migration.plan(connection, partitions: TablePartitions.none) == [])
      #expect(try Migration.plan(connection, partitions: .month).count == 1)
      try Migration.up(connection, partitions: .month, isDryRun: true)
      #expect(try Migration.status(connection).partitions == .none)

      try Migration.up(connection, partitions: .month)
      #expect(try Migration.status(connection).partitions == .month)
      #expect(try Migration.plan(connection, partitions: .month) == [])
      #expect(try ToldStory(connection).differences(from: before) == [])
      // Where nobody says otherwise it stays so.
      try Migration.up(connection)
      #expect(try Migration.status(connection).partitions == .month)
      // What comes now has its month in its number.
      try JudgingDatabase(connection).take(
        arrivals.dropFirst(half).map(\.arrived), at: evening)
      try JudgingDatabase(connection).tick(at: evening)
      let story = ToldStory(
        JudgingStory(arrivals.observations, arrivals.corrections, try samplePlaces(), at: evening))
      #expect(try ToldStory(connection).differences(from: story) == [])
      #expect(try connection.number("SELECT count(*) FROM checkpost.observations_2027_01") > 0)
      #expect(
        try connection.number("SELECT count(*) FROM checkpost.observations_before_division") > 0)
      #expect(try JudgingDatabase(connection).rejudgeAll(everything: true, at: evening).isEmpty)

      try Migration.up(connection, partitions: TablePartitions.none)
      #expect(try ToldStory(connection).differences(from: story) == [])
      #expect(
        Set(try connection.texts(VersionTests.objects)).symmetricDifference(Set(whole)) == [])
      try PlainRow(900_000_000, client: 1, plate: "BA1PA0001").insert(connection)
      #expect(
        try connection.number(
          "SELECT count(*) FROM checkpost.passages WHERE plate = 'BA1PA0001'") == 1)
    }
  }

  /// A travel that begins in one month and ends in the next, and two rangers on both sides of midnight of whom the
  /// later one reported first.
  @Test func travelsAndPassagesGoFromMonthToMonth() async throws {
    let database = try await JudgedDatabase.make()
    let (evening, before) = (evening + .seconds(20 * 86_400), lastOfMonth - judgedMorning)
    let midnight = before + 600
    try await database.with { connection in
      try Migration.up(connection, partitions: .month)
      let judging = JudgingDatabase(connection)
      let taken = try judging.take(
        [
          PassageArrival(try sighting(before)), PassageArrival(try sighting(before + 900, "BNP-B")),
          PassageArrival(try sighting(midnight + 10, plate: "BA2PA1")),
          PassageArrival(try sighting(midnight - 10, plate: "BA2PA1", suffix: "9801")),
        ], at: evening)
      #expect(taken.changes.violations.count == 1)
      #expect(try connection.number("SELECT count(*) FROM checkpost.passages_2027_01") == 1)
      let rows = try judging.passages(PassageQuery()).filter {
        $0.passage.plate.compact == "BA2PA1"
      }
      #expect(rows.count == 1)
      #expect(taken.receipts[3].passage == taken.receipts[2].passage)
      // The later one of them was made first: under it the passage stands.
      #expect(
        try connection.texts(
          """
          SELECT (v.client_id = r.client_id)::int FROM public.vehicle_passages v, checkpost.records r
          WHERE v.plate_number = 'BA2PA1' AND r.plate = 'BA2PA1'
            AND r.second = \(judgedMorning + midnight + 10)
          """) == ["1"])
    }
  }

  /// Partitions are made before their month begins, with what came of it before, and go when nothing is in them.
  @Test func partitionsComeAndGo() async throws {
    let database = try await JudgedDatabase.make()
    let evening = evening
    try await database.with { connection in
      try Migration.up(connection, partitions: .month)
      let judging = JudgingDatabase(connection)
      // A post whose clock is years ahead.
      let ahead = WallTime(epochSeconds: judgedMorning + 4 * 365 * 86_400)
      let far = try sighting(4 * 365 * 86_400, plate: "BA9PA1")
      try judging.take([PassageArrival(try sighting(0)), PassageArrival(far)], at: evening)
      #expect(try connection.number("SELECT count(*) FROM checkpost.observations_other") == 1)
      let story = try ToldStory(connection)
      try connection.query("SELECT checkpost.tend_partitions($1)", [.time(ahead)])
      #expect(try connection.number("SELECT count(*) FROM checkpost.observations_other") == 0)
      #expect(try connection.number("SELECT count(*) FROM checkpost.observations_2031_01") == 1)
      #expect(try connection.texts(Self.partitions).contains("observations_2031_03"))
      #expect(try ToldStory(connection).differences(from: story) == [])

      // Only what is empty and from before the time since which passages are kept.
      let earlier = try connection.texts(Self.partitions)
      try connection.query(
        "UPDATE checkpost.forgetting SET since = $1", [.integer(judgedMorning + 40 * 86_400)])
      try connection.query("SELECT checkpost.tend_partitions($1)", [.time(ahead)])
      let left = try connection.texts(Self.partitions)
      #expect(left.contains("observations_2027_01"), "it is not empty")
      #expect(!left.contains("observations_2026_12"))
      #expect(left.contains("observations_other"))
      #expect(left.count < earlier.count)
      // A service that does not own the schema has it done.
      try connection.run(script: "SET ROLE service_role")
      try connection.query("SELECT checkpost.tend_partitions($1)", [.time(ahead)])
      try connection.run(script: "RESET ROLE")
    }
  }
}
