import CentralPostgreSQL
import PostgreSQL
import Testing

/// What millions of passages are found by. An empty table is read whole whatever there is; where that is not allowed, and
/// sorting neither, PostgreSQL tells what else it could do.
@Suite(.needsPostgreSQL)
struct PlanTests {
  @Test(arguments: [
    (
      "SELECT t.id FROM checkpost.api_vehicle_passages t ORDER BY t.recorded_at DESC NULLS FIRST LIMIT 50",
      "checkpost_recorded"
    ),
    (
      "SELECT t.id FROM checkpost.api_vehicle_passages t ORDER BY t.created_at DESC NULLS FIRST LIMIT 50",
      "checkpost_created"
    ),
    (
      """
      SELECT t.id FROM checkpost.api_vehicle_passages t WHERE t.segment_id IN ('0b000000-0000-4000-8000-000000000001')
      ORDER BY t.recorded_at DESC NULLS FIRST LIMIT 50
      """, "checkpost_recorded_segment"
    ),
    (
      """
      SELECT p.row_number FROM checkpost.passages p WHERE p.post = 'BNP-A'
      ORDER BY p.recorded_at DESC, p.row_number DESC LIMIT 100
      """, "passages_post"
    ),
  ])
  func aPageIsReadFromAnIndex(_ query: String, _ index: String) async throws {
    let judged = try await JudgedDatabase.make()
    let plan = try await judged.with { connection in
      try connection.run(
        script: "SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off")
      return try connection.query("EXPLAIN \(query)").rows.map { try $0.value(0, .text) }
    }
    #expect(plan.contains { $0.contains("Index") && $0.contains("using \(index) on") }, "\(plan)")
    #expect(!plan.contains { $0.contains("Sort") }, "\(plan)")
  }

  /// What was put on the deployed table goes with the schema.
  @Test func theIndexesGoWithTheSchema() async throws {
    let judged = try await JudgedDatabase.make()
    let indexes =
      "SELECT count(*) FROM pg_indexes WHERE schemaname = 'public' AND starts_with(indexname, 'checkpost_')"
    #expect(try await judged.with { try $0.query(indexes).firstRow().value(0, .integer) } >= 3)
    try await judged.with { try Migration.down($0) }
    #expect(try await judged.with { try $0.query(indexes).firstRow().value(0, .integer) } == 0)
  }
}
