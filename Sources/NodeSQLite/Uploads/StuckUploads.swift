import GRDB
import NodeCore
import Time

/// What the server will not take, counted among the few that were given up.
enum StuckQueries {
  static func stuck(_ database: Database) throws -> [UploadKind: StuckUploads] {
    var stuck: [UploadKind: StuckUploads] = [:]
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT kind, refusal, count(*), min(missed_t), max(id)
        FROM uploads INDEXED BY uploads_failed
        WHERE status = 'failed' AND last_error_class = 'permanent' AND NOT EXISTS (
          SELECT 1 FROM conflicts
          WHERE conflicts.passage_id = uploads.passage_id AND resolution IS NULL)
        GROUP BY kind, refusal ORDER BY max(id)
        """)
    for row in rows {
      guard let kind = UploadKind(rawValue: row[0]) else { continue }
      var found =
        stuck[kind] ?? StuckUploads(count: 0, since: nil, lastError: nil, refusals: [:])
      found.count += row[2] as Int
      if let refusal = UploadRefusal(name: row[1]) { found.refusals[refusal] = row[2] }
      let since = (row[3] as Int64?).map { BootInstant(nanoseconds: $0) }
      found.since = [found.since, since].compactMap { $0 }.min()
      // The groups come in the order of their newest.
      found.lastError =
        try String.fetchOne(
          database, sql: "SELECT last_error FROM uploads WHERE id = ?",
          arguments: [row[4] as Int64]) ?? found.lastError
      stuck[kind] = found
    }
    return stuck
  }
}
