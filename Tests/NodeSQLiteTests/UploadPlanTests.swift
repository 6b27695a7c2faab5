import GRDB
import NodeCore
import SQLiteFile
import Testing
import Time

@testable import NodeSQLite

/// How uploads are found among a million.
@Suite struct UploadPlanTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  @Test(arguments: [
    (UploadQueries.earliest, "uploads_next"), (UploadQueries.mostUrgent, "uploads_order"),
  ]) func theChoiceGoesThroughItsIndex(_ query: String, _ index: String) throws {
    let arguments: StatementArguments =
      query == UploadQueries.earliest ? ["passage"] : ["passage", 0, 1]
    let plan = try bench.store.file.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + query, arguments: arguments)
        .map { $0["detail"] as String }
    }
    #expect(plan.first?.contains("INDEX \(index) (kind=?") == true, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "nothing is sorted: \(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN") }, "no table is walked: \(plan)")
  }
}
