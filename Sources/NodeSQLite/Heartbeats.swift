import GRDB
import NodeCore
import Passages
import Storage
import Time

extension StoreTransaction {
  /// What a heartbeat has to say, from counts that are kept as rows change.
  func heartbeatFacts(at moment: Moment) throws(StorageError) -> HeartbeatFacts {
    let through = try syncedThrough() ?? (moment.wall >= Passage.earliest ? moment.wall : nil)
    return try sorted {
      var tally: [String: Int64] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT name, n FROM tally") {
        tally[row[0]] = row[1]
      }
      func count(_ name: String) -> Int64 { tally[name] ?? 0 }
      let last = try Int64.fetchOne(
        database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'passages'")
      let open = count("pending") + count("in_flight") + count("failed")
      return HeartbeatFacts(
        lastNumber: last ?? 0, syncedThrough: through,
        waiting: max(0, open - count("handed_on") - count("texted_live")),
        texted: count("texted_ever"))
    }
  }
}
