import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import Testing
import Time

/// What is dropped is gone from the tables that others read, and others are refused what is of that time.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(15))) struct ForgettingTests {
  private let keep: Duration = .seconds(60 * 86_400)
  private let later = WallTime(epochSeconds: judgedMorning + 90 * 86_400)

  @Test func theDeployedTablesAreEmptiedToo() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    try bench.store.take(
      [
        sighting(0), sighting(3_000, "BNP-B"), sighting(10_000), sighting(10_900, "BNP-B"),
        sighting(10_902, "BNP-B", suffix: "9801"), sighting(20_000), sighting(90 * 86_400),
      ].map { PassageArrival($0) }, at: later)
    try bench.store.tick(at: later)
    let count = { (table: String) in
      try place.with { try $0.query("SELECT count(*) FROM \(table)").firstRow().value(0, .integer) }
    }
    #expect(try count("public.vehicle_passages") == 6)
    #expect(try count("public.violations") == 1)
    #expect(try count("checkpost.removed") == 0)
    #expect(try bench.store.expireAll(after: keep, at: later).passages == 3)
    // Those of the open violation, and the one of today.
    #expect(try count("public.vehicle_passages") == 3)
    try place.with { connection in
      try connection.run(
        script: """
          INSERT INTO public.violation_outcomes (violation_id, outcome_type, recorded_by, recorded_at)
            SELECT v.id, 'warned', u.id, '2027-01-20' FROM public.violations v, public.user_profiles u LIMIT 1
          """)
    }
    let end = later + .seconds(100 * 86_400)
    try bench.store.take([PassageArrival(try sighting(190 * 86_400))], at: end)
    let dropped = try bench.store.expireAll(after: keep, at: end)
    #expect(dropped.violations == 1)
    #expect(dropped.reports == 4)
    for (table, rows) in [
      ("public.vehicle_passages", 1), ("public.violations", 0), ("public.violation_outcomes", 0),
      ("public.proactive_overstay_alerts", 0), ("checkpost.records", 1),
      ("checkpost.identities", 1), ("checkpost.pairs", 0), ("checkpost.revisions", 0),
      ("checkpost.removed", 0),
    ] as [(String, Int64)] {
      #expect(try count(table) == rows, "\(table)")
    }
  }

  @Test func othersAreRefusedWhatIsTooOld() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    try bench.store.take(
      [PassageArrival(try sighting(0)), PassageArrival(try sighting(90 * 86_400))], at: later)
    try bench.store.expireAll(after: keep, at: later)
    // The story's time may be ahead of the database's.
    try place.with { try $0.run(script: "UPDATE checkpost.settings SET ahead = 3000000000") }
    let insert = """
      INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id,
          recorded_at, ranger_id)
        SELECT gen_random_uuid(), 'BA1PA1234', 'car', c.id, c.segment_id, '%', u.id
        FROM public.checkposts c, public.user_profiles u WHERE c.code = 'BNP-A' LIMIT 1
      """
    let perform = { (statement: String) -> String? in
      try place.with { connection in
        do throws(PostgreSQLError) {
          try connection.run(script: statement)
          return nil
        } catch {
          guard case .refused(let report) = error else { throw error }
          return report.state.code
        }
      }
    }
    let old = WallTime(epochSeconds: judgedMorning + 1_000).rfc3339
    let new = WallTime(epochSeconds: judgedMorning + 89 * 86_400).rfc3339
    #expect(try perform(insert.replacing("%", with: old)) == "23514")
    #expect(try perform(insert.replacing("%", with: new)) == nil)
    #expect(
      try perform("UPDATE public.vehicle_passages SET recorded_at = '\(old)'") == "23514")
    #expect(try bench.store.passages(PassageQuery()).count == 2)
  }
}
