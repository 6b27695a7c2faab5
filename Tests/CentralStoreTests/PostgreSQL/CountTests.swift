import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import SeededRandom
import Storage
import TestSupport
import Testing
import Time

/// What is counted as it changes is what a walk over all rows counts.
@Suite(.needsPostgreSQL) struct CountTests {
  private struct Counts: Hashable {
    var received: Int64
    var undecodable: Int64
    var duplicates: Int64
    var violations: Int64
    var posts: [String: [Int64]]

    init(_ overview: CentralOverview) {
      received = Int64(overview.received)
      undecodable = Int64(overview.undecodable)
      duplicates = Int64(overview.duplicates)
      violations = Int64(overview.violations)
      posts = [:]
      for post in overview.heard where post.recorded + post.passages > 0 {
        posts[post.code] = [post.passages, post.recorded]
      }
    }

    init(walking connection: PostgreSQLConnection) throws {
      func number(_ text: String) throws -> Int64 {
        try connection.query(text).firstRow().value(0, .integer)
      }
      received = try number("SELECT count(*) FROM checkpost.inbox")
      undecodable = try number("SELECT count(*) FROM checkpost.inbox WHERE state = 'undecodable'")
      duplicates = try number("SELECT count(*) FROM checkpost.inbox WHERE state = 'duplicate'")
      violations = try number("SELECT count(*) FROM checkpost.violations WHERE NOT is_retracted")
      posts = [:]
      try connection.run(script: "SET search_path = checkpost")
      let rows = try connection.query(
        """
        SELECT post, sum(p), sum(r) FROM (
          SELECT post, 1 AS p, 0 AS r FROM checkpost.passages
          UNION ALL SELECT checkpost.post_code(r.received_post_id, r.received_post), 0, 1
            FROM (SELECT DISTINCT record, suffix FROM checkpost.observations) AS o
            JOIN checkpost.records r ON r.number = o.record) AS a
        GROUP BY post
        """
      ).rows
      for row in rows {
        posts[try row.value(0, .text)] = [try row.value(1, .integer), try row.value(2, .integer)]
      }
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>) func countsAreTrue(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    bench.rules.ingress = .open
    for step in 0..<40 {
      let index = Int.random(in: 0..<12, using: &generator)
      let second = 1_709_120_000 + index * 900
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: try bench.keep("nonsense", id: "N\(step)")
      case 1: _ = try bench.process()
      case 2:
        _ = try bench.store.reprocessAll(rules: bench.rules, waiving: .anyTime, at: bench.wall)
      case 3:
        try place.with {
          try $0.run(
            script: "DELETE FROM checkpost.inbox WHERE id % 7 = 3 AND state <> 'received'")
        }
      default:
        let post = Bool.random(using: &generator) ? "BNP-A" : "BNP-B"
        let suffix = Bool.random(using: &generator) ? "4567" : "9999"
        try bench.keep(
          "V1|\(post)|BA1PA\(1_000 + index % 4)|CAR|\(second)|\(suffix)", id: "SM\(step)")
      }
    }
    _ = try bench.process()
    let walked = try place.with { try Counts(walking: $0) }
    #expect(Counts(try bench.store.overview()) == walked, "seed \(seed)")
    try place.with { try $0.run(script: "SELECT checkpost.gather_counts()") }
    #expect(Counts(try bench.store.overview()) == walked, "seed \(seed)")
    let left = try place.with {
      try $0.query("SELECT count(*) FROM checkpost.heard_changes").firstRow().value(0, .integer)
    }
    #expect(left == 0)
  }

  /// Rows of other programs alone make no transaction in which it is done.
  @Test func theClockGathersWhatOtherRowsChanged() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    func changes() throws -> Int64 {
      try place.with {
        try $0.query("SELECT count(*) FROM checkpost.heard_changes").firstRow().value(0, .integer)
      }
    }
    let much = """
      INSERT INTO checkpost.heard_changes (post, recorded)
        SELECT 'BNP-' || n % 3, 1 FROM generate_series(1, 1200) n
      """
    try place.with { try $0.run(script: much) }
    let before = try bench.store.overview().heard
    let (rules, wall) = (bench.rules.judging, bench.wall)
    try bench.store.transaction { inbox throws(StorageError) in
      _ = try inbox.unprocessed(limit: 1)
      // It is left to others, and not waited for.
      _ = try bench.store.clock(rules: rules, at: wall)
    }
    #expect(try changes() == 1_200)
    _ = try bench.store.clock(rules: rules, at: wall)
    #expect(try changes() == 0)
    #expect(try bench.store.overview().heard == before)
  }

  @Test func whatIsKnownOfAPostGoesWithItsCode() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    for index in 0..<3 { try bench.receive(text(index), id: "SM\(index)") }
    try bench.receive("H1|BNP-A|3|1709120000|0|3", id: "H1")
    try place.with {
      try $0.run(script: "UPDATE public.checkposts SET code = 'NEW-A' WHERE code = 'BNP-A'")
    }
    let heard = try bench.store.overview().heard
    let post = try #require(heard.first { $0.code == "NEW-A" })
    #expect(post.recorded == 3)
    #expect(post.heartbeat?.message.texted == 3)
    #expect(post.missing == 0)
    #expect(heard.first { $0.code == "BNP-A" }?.heartbeat == nil)
    // A text that was on its way.
    bench.rules.ingress = .open
    try bench.receive(text(7), id: "SM7")
    #expect(try bench.store.overview().heard.first { $0.code == "NEW-A" }?.recorded == 4)
  }
}
