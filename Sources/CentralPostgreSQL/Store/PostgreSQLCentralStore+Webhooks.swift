public import CentralCore
import PostgreSQL
public import Storage

/// What was refused to providers.
extension PostgreSQLCentralStore {
  /// What was refused to providers since the last text of each was taken, by path and reason.
  public func webhookTallies() throws(StorageError) -> [WebhookTally] {
    try run { connection throws(PostgreSQLError) in
      var tallies: [WebhookTally] = []
      let rows = try connection.query(
        """
        SELECT path, kind, words, n, since, last_at FROM checkpost.webhook_refusals
        ORDER BY path, kind
        """
      ).rows
      for row in rows {
        // A later version may know more reasons.
        guard let kind = WebhookRefusal.Kind(rawValue: try row.value(1, .text)) else { continue }
        tallies.append(
          WebhookTally(
            path: try row.value(0, .text), kind: kind, words: try row.value(2, .text),
            count: Int(try row.value(3, .integer)), since: try row.value(4, .time),
            last: try row.value(5, .time)))
      }
      return tallies
    }
  }

  /// Keeps what was refused to providers, for each of these paths in place of what was kept of it before.
  public func keep(_ tallies: [String: [WebhookTally]]) throws(StorageError) {
    try write { connection throws(PostgreSQLError) in
      // In one order, so that two services never wait for each other.
      for (path, kinds) in tallies.sorted(by: { $0.key < $1.key }) {
        _ = try connection.query(
          "DELETE FROM checkpost.webhook_refusals WHERE path = $1", [.text(path)])
        for tally in kinds {
          _ = try connection.query(
            """
            INSERT INTO checkpost.webhook_refusals (path, kind, words, n, since, last_at)
              VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (path, kind) DO UPDATE SET words = $3, n = $4, since = $5, last_at = $6
            """,
            [
              .text(path), .text(tally.kind.rawValue), .text(tally.words),
              .integer(Int64(tally.count)), .time(tally.since), .time(tally.last),
            ])
        }
      }
    }
  }
}
