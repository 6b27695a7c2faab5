public import CentralCore
import GRDB
import SQLiteFile
public import Storage
import Time

extension Schema {
  /// What was refused to providers: a problem that lasts is known after a restart too.
  static let webhookRefusals = """
    CREATE TABLE webhook_refusals (
      path TEXT NOT NULL,
      kind TEXT NOT NULL,
      words TEXT NOT NULL,
      n INTEGER NOT NULL CHECK (n > 0),
      since_ms INTEGER NOT NULL,
      last_ms INTEGER NOT NULL,
      PRIMARY KEY (path, kind)
    ) STRICT, WITHOUT ROWID;
    """
}

extension SQLiteCentralStore {
  /// What was refused to providers since the last text of each was taken, by path and reason.
  public func webhookTallies() throws(StorageError) -> [WebhookTally] {
    try file.concurrentRead { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT path, kind, words, n, since_ms, last_ms FROM webhook_refusals ORDER BY path, kind
          """
      ).compactMap { row in
        // A later version may know more reasons.
        WebhookRefusal.Kind(rawValue: row[1]).map { kind in
          WebhookTally(
            path: row[0], kind: kind, words: row[2], count: row[3],
            since: WallTime(milliseconds: row[4]), last: WallTime(milliseconds: row[5]))
        }
      }
    }
  }

  /// Keeps what was refused to providers, for each of these paths in place of what was kept of it before.
  public func keep(_ tallies: [String: [WebhookTally]]) throws(StorageError) {
    try file.write { database in
      for (path, kinds) in tallies {
        try database.execute(
          sql: "DELETE FROM webhook_refusals WHERE path = ?", arguments: [path])
        for tally in kinds {
          try database.execute(
            sql: """
              INSERT INTO webhook_refusals (path, kind, words, n, since_ms, last_ms)
                VALUES (?, ?, ?, ?, ?, ?)
              """,
            arguments: [
              path, tally.kind.rawValue, tally.words, tally.count, tally.since.milliseconds,
              tally.last.milliseconds,
            ])
        }
      }
    }
  }
}
