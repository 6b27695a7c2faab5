import GRDB
import NodeCore
import SQLiteFile
import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// What is taken over of a node's database that is damaged.
enum NodeSalvage {
  /// Sets a damaged file aside and makes a new one of what is legible in it.
  ///
  /// - Returns: what became of it; nil where `error` is of another kind, or nothing is there to be read.
  static func tryToSave(
    _ path: String, _ error: StorageError
  ) throws(StorageError) -> StoreSalvage? {
    var status = stat()
    guard error.kind == .damaged, stat(path, &status) == 0, status.st_size > 0 else { return nil }
    var salvage = StoreSalvage(file: "", passages: 0, unreadable: 0, unsynced: 0, isWhole: true)
    let file = try SQLiteFile.salvage(
      path, applicationID: NodeSchema.applicationID, migrations: NodeSchema.migrations
    ) { new, damaged in
      salvage = try mend(new, damaged)
    }
    salvage.file = file.kept
    salvage.isWhole = file.damagedTables.isEmpty
    // The file is in its place: what became of it is told in it, for as long as the other one is there.
    let opened = try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: NodeSchema.migrations,
      checks: false)
    try opened.write { try Meta.set($0, .salvaged, salvage.kept) }
    try opened.close()
    return salvage
  }

  private static func mend(
    _ new: Database, _ damaged: DamagedDatabase
  ) throws -> StoreSalvage {
    let numbers: Int64? = try damaged.value(
      "SELECT seq FROM sqlite_sequence WHERE name = 'passages'")
    let highest = try Int64.fetchOne(new, sql: highestNumber) ?? 0
    try keepNumbers(new, max(numbers ?? 0, highest))
    var salvage = StoreSalvage(file: "", passages: 0, unreadable: 0, unsynced: 0, isWhole: true)
    let lost = try Row.fetchOne(
      new,
      sql: """
        SELECT count(*), count(*) FILTER (WHERE status <> 'synced') FROM uploads
        WHERE \(NodeSchema.ofPassage) AND \(isOrphan)
        """)
    salvage.unreadable = lost?[0] ?? 0
    salvage.unsynced = lost?[1] ?? 0
    if salvage.unreadable > 0 { try keepIdentities(new, damaged) }
    let textedEver: Int64? = try damaged.value("SELECT n FROM tally WHERE name = 'texted_ever'")
    try new.execute(sql: rowsAgree)
    try keepClock(new)
    try new.execute(sql: tallies, arguments: [textedEver ?? 0])
    salvage.passages = try Int.fetchOne(new, sql: "SELECT count(*) FROM passages") ?? 0
    return salvage
  }

  /// The numbers of passages that cannot be read are not given again.
  private static func keepNumbers(_ new: Database, _ number: Int64) throws {
    try new.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'passages'")
    try new.execute(
      sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('passages', ?)", arguments: [number])
  }

  private static let highestNumber = """
    SELECT max(id) FROM (SELECT max(id) AS id FROM passages
      UNION ALL SELECT max(passage_id) FROM uploads
      UNION ALL SELECT max(passage_id) FROM text_deliveries
      UNION ALL SELECT max(queue_id) FROM past_identities)
    """

  private static let isOrphan = "passage_id NOT IN (SELECT id FROM passages)"

  /// The indexes may be legible where the table is not: what the server has stays known by its identity. What
  /// it does not have may be recorded again.
  private static func keepIdentities(_ new: Database, _ damaged: DamagedDatabase) throws {
    try new.execute(
      sql: """
        CREATE TEMP TABLE identities (id INTEGER PRIMARY KEY, client_id TEXT, content TEXT);
        INSERT INTO identities (id) SELECT passage_id FROM uploads
          WHERE \(NodeSchema.ofPassage) AND status = 'synced' AND \(isOrphan)
        """)
    for (column, key, source, keys) in [
      ("client_id", "client_id", "passages INDEXED BY sqlite_autoindex_passages_1", 1),
      ("content", "content_client_id", "passages INDEXED BY passages_by_content", 2),
    ] {
      let statement = try new.makeStatement(
        sql: "UPDATE identities SET \(column) = ? WHERE id = ?")
      _ = try damaged.read(source, columns: [key, "id"], keys: keys) { row in
        try statement.execute(arguments: StatementArguments(row))
      }
    }
    try new.execute(
      sql: """
        INSERT OR IGNORE INTO past_identities
          SELECT client_id, coalesce(content, client_id), id FROM identities
          WHERE client_id IS NOT NULL;
        DROP TABLE identities
        """)
  }

  /// What hangs on something that could not be read goes, and what it cost stays charged; what each passage
  /// has behind it is there again.
  private static let rowsAgree = """
    DELETE FROM conflicts WHERE \(isOrphan);
    DELETE FROM text_deliveries WHERE \(isOrphan);
    DELETE FROM uploads WHERE \(isOrphan);

    INSERT OR IGNORE INTO charges (id, intent_t, modem, sim, parts, outcome)
      SELECT id, intent_t, modem, sim, parts, outcome FROM texts
      WHERE delivery_id NOT IN (SELECT id FROM text_deliveries);
    DELETE FROM texts WHERE delivery_id NOT IN (SELECT id FROM text_deliveries);
    DELETE FROM text_parts WHERE text_id NOT IN (SELECT id FROM texts);
    UPDATE inbox SET text_id = NULL, error = coalesce(error, 'no_text')
      WHERE text_id NOT IN (SELECT id FROM texts);
    INSERT OR REPLACE INTO meta (key, value)
      SELECT 'last_text', max(id) FROM (SELECT max(id) AS id FROM texts
        UNION ALL SELECT max(id) FROM charges
        UNION ALL SELECT value FROM meta WHERE key = 'last_text' AND typeof(value) = 'integer')
      HAVING max(id) IS NOT NULL;

    INSERT INTO uploads (passage_id, kind, priority, next_t, open_at_ms)
      SELECT id, 'passage', priority,
        iif(undated = 1 OR handed_on_ms IS NOT NULL OR withdrawn_ms IS NOT NULL
          OR on_hold_reason IS NOT NULL, NULL, since_t),
        iif(undated = 1, NULL, recorded_at_ms)
      FROM passages WHERE id NOT IN (
        SELECT passage_id FROM uploads WHERE \(NodeSchema.ofPassage));
    -- Nobody knows whether a text of it left. The centre knows it by its identity if one did.
    INSERT INTO text_deliveries (passage_id, priority, due_t)
      SELECT passages.id, passages.priority,
        iif(undated = 1 OR handed_on_ms IS NOT NULL OR status = 'synced'
          OR withdrawn_ms IS NOT NULL OR on_hold_reason IS NOT NULL, NULL, since_t)
      FROM passages JOIN uploads ON uploads.passage_id = passages.id AND \(NodeSchema.ofPassage)
      WHERE passages.id NOT IN (
        SELECT passage_id FROM text_deliveries WHERE recipient = 'centre');
    -- What stood in two places may be of two moments.
    UPDATE text_deliveries SET due_t = NULL WHERE due_t IS NOT NULL AND passage_id IN (
      SELECT passages.id FROM passages
      JOIN uploads ON uploads.passage_id = passages.id AND \(NodeSchema.ofPassage)
      WHERE undated = 1 OR handed_on_ms IS NOT NULL OR status = 'synced'
        OR withdrawn_ms IS NOT NULL OR on_hold_reason IS NOT NULL);
    """

  /// The node's clock goes on behind the last moment that is known, never before it.
  private static func keepClock(_ new: Database) throws {
    let boot = try Meta.text(new, .bootID)
    let offset = try Meta.integer(new, .clockOffset)
    if boot != nil, offset != nil { return }
    try new.execute(sql: "DELETE FROM meta WHERE key IN ('boot_id', 'clock_offset_ns')")
    let last =
      try Int64.fetchOne(
        new,
        sql: """
          SELECT max(t) FROM (SELECT max(since_t) AS t FROM passages
            UNION ALL SELECT max(synced_t) FROM uploads
            UNION ALL SELECT max(intent_t) FROM texts UNION ALL SELECT max(outcome_t) FROM texts
            UNION ALL SELECT max(intent_t) FROM charges UNION ALL SELECT max(start_t) FROM boots)
          """) ?? 0
    try Meta.set(new, .lastTime, max(last, try Meta.integer(new, .lastTime) ?? 0))
  }

  private static let tallies = """
    DELETE FROM tally;
    INSERT INTO tally
      SELECT 'pending', count(*) FROM queue WHERE status = 'pending' UNION ALL
      SELECT 'in_flight', count(*) FROM queue WHERE status = 'in_flight' UNION ALL
      SELECT 'synced', count(*) FROM queue WHERE status = 'synced' UNION ALL
      SELECT 'failed', count(*) FROM queue WHERE status = 'failed' UNION ALL
      SELECT 'backlog', count(*) FROM uploads
        WHERE \(NodeSchema.ofPassage) AND \(NodeSchema.uploadable) UNION ALL
      SELECT 'waiting', count(*) FROM text_deliveries
        WHERE due_t IS NOT NULL AND recipient = 'centre' UNION ALL
      SELECT 'texted', count(*) FROM queue WHERE sms_sent = 1 UNION ALL
      SELECT 'parked', count(*) FROM queue WHERE parked_reason IS NOT NULL UNION ALL
      SELECT 'handed_on', count(*) FROM queue
        WHERE handed_on_ms IS NOT NULL AND \(NodeSchema.isOpen("queue")) UNION ALL
      SELECT 'texted_live', count(*) FROM queue
        WHERE \(NodeSchema.isTexted("queue")) AND handed_on_ms IS NULL
          AND \(NodeSchema.isOpen("queue")) UNION ALL
      SELECT 'photos', count(*) FROM uploads WHERE kind = 'photo' AND status <> 'synced' UNION ALL
      SELECT 'corrections', count(*) FROM uploads
        WHERE kind = 'correction' AND status <> 'synced' UNION ALL
      SELECT 'texted_ever', max(?, (SELECT count(*) FROM queue WHERE sms_sent = 1));
    """
}
