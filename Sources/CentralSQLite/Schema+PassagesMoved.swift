import CentralCore
import GRDB
import Time

extension Schema {
  /// Takes the passages of a file in which each identity was a row, as what they are: reports of passages.
  /// They are recognised and judged, and every identity leads to its passage.
  static func movePassages(_ database: Database) throws {
    for trigger in ["tally_passage", "tally_passage_gone", "heard_passage", "heard_passage_gone"] {
      try database.execute(sql: "DROP TRIGGER \(trigger)")
    }
    try database.execute(
      sql: """
        ALTER TABLE passages RENAME TO old_passages;
        DROP INDEX passages_content; DROP INDEX passages_segment; DROP INDEX passages_time;
        DROP TRIGGER passages_frozen;
        UPDATE tally SET n = 0 WHERE name = 'passages';
        ALTER TABLE heard ADD COLUMN recorded INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE heard ADD COLUMN reported_through INTEGER;
        UPDATE heard SET passages = 0, reported_through = min(through_epoch, heartbeat_at_ms / 1000);
        """)
    try database.execute(sql: evidence)
    try database.execute(sql: recognised)
    try database.execute(sql: recorded)
    try database.execute(sql: judgement)
    try database.execute(sql: moved)
    // They are judged here as they are today: by what later versions added to these tables.
    try makeFurtherEnds(database)
    try addWithdrawals(database)
    try addChangedAfterFinal(database)
    try addPlates(database)
    let now = try Int64.fetchOne(
      database, sql: "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)")
    let rows = InboxTransaction(database: database, path: "")
    while try !rows.rejudge(
      rules: JudgingRules(), everything: false, limit: Limits.movedAtOnce,
      at: WallTime(milliseconds: now ?? 0)
    ).isDone {}
  }

  private static let moved = """
    CREATE TEMP TABLE moved AS SELECT id, client_id, content_client_id,
      min(id) OVER same AS record, row_number() OVER (same ORDER BY id) AS n
      FROM old_passages
      WINDOW same AS (PARTITION BY checkpost, plate_number, recorded_at_ms / 1000);
    INSERT INTO records (number, received_post, received_plate, received_second, post, plate,
      second, uuid, client_id, inbox_id, times, last_at_ms, inserted_at_ms)
      SELECT number, checkpost, plate_number, recorded_at_ms / 1000, checkpost, plate_number,
        recorded_at_ms / 1000, client_id, client_id, inbox_id, times, last_at_ms, inserted_at_ms
      FROM (SELECT record AS number, count(*) AS times, max(inserted_at_ms) AS last_at_ms
        FROM moved JOIN old_passages USING (id) GROUP BY record)
      JOIN old_passages ON id = number;
    INSERT INTO observations (record, n, client_id, post, plate_raw, vehicle_type, recorded_at_ms,
      ranger, suffix, channel, is_proven, received_at_ms, inbox_id, inserted_at_ms)
      SELECT record, n, old.client_id, checkpost, plate_number_raw, vehicle_type, recorded_at_ms,
        iif(source = 'sms', NULL, ranger), ranger_phone_suffix,
        iif(source = 'sms', 'text', 'upload'), source = 'app',
        coalesce(inbox.received_at_ms, inserted_at_ms), inbox_id, inserted_at_ms
      FROM moved JOIN old_passages AS old USING (id) LEFT JOIN inbox ON inbox.id = inbox_id
      WHERE n <= 64;
    INSERT INTO identities (client_id, record) SELECT client_id, record FROM moved;
    INSERT OR IGNORE INTO identities (client_id, record)
      SELECT content_client_id, record FROM moved WHERE content_client_id IS NOT NULL;
    DROP TABLE temp.moved;
    DROP TABLE old_passages;
    """
}
