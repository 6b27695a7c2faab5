import GRDB
import NodeCore
import SQLiteFile
import Storage
import Time

extension StoreTransaction {
  /// Bytes that the database and the photographs in its queue take.
  func usedBytes() throws(StorageError) -> Int64 {
    try sorted {
      let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let unused = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      let photos =
        try Int64.fetchOne(
          database,
          sql: "SELECT sum(photo_bytes) FROM uploads WHERE kind <> 'passage' AND dropped_ms IS NULL"
        )
        ?? 0
      return (pages - unused) * size + photos
    }
  }

  /// Bytes of the database that hold nothing: what is recorded takes them before the file grows.
  func freedBytes() throws(StorageError) -> Int64 {
    try sorted {
      let unused = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      return unused * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Gives up photographs that the server has, those of the oldest passages first.
  func dropPhotos(limit: Int, at moment: Moment) throws(StorageError) -> [String] {
    try sorted {
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            UPDATE uploads SET dropped_ms = ?1 WHERE id IN (
              SELECT id FROM uploads INDEXED BY uploads_photos_kept
              WHERE kind = 'photo' AND status = 'synced' AND dropped_ms IS NULL
              ORDER BY passage_id LIMIT ?2)
            RETURNING photo_file
            """), arguments: [moment.wall.milliseconds, max(limit, 0)])
    }
  }

  /// Removes passages that the server has, and those that were withdrawn, the oldest first. A passage stays while
  /// anything of it is still to be brought, with a modem, or to be decided; of one that was withdrawn nothing is to
  /// be brought but that.
  func prune(
    syncedBefore time: BootInstant?, limit: Int, at moment: Moment
  ) throws(StorageError) -> Pruned {
    try sorted {
      let withdrawn = try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM passages AS first INDEXED BY passages_withdrawn
          WHERE withdrawn_t IS NOT NULL AND (?1 IS NULL OR withdrawn_t < ?1)
            AND NOT EXISTS (SELECT 1 FROM uploads
              WHERE uploads.passage_id = first.id AND uploads.status = 'in_flight'
                OR uploads.passage_id = first.id AND uploads.withdrawal IS NOT NULL
                  AND uploads.status <> 'synced')
            AND NOT EXISTS (SELECT 1 FROM text_deliveries
              JOIN texts ON texts.delivery_id = text_deliveries.id AND outcome = 'intent'
              WHERE text_deliveries.passage_id = first.id)
            AND NOT EXISTS (SELECT 1 FROM conflicts
              WHERE conflicts.passage_id = first.id AND resolution IS NULL)
          ORDER BY id LIMIT ?2
          """, arguments: [time?.nanoseconds, max(limit, 0)])
      let synced = try Int64.fetchAll(
        database,
        sql: """
          SELECT passage_id FROM uploads AS first INDEXED BY uploads_synced
          WHERE \(NodeSchema.ofPassage) AND status = 'synced' AND (?1 IS NULL OR synced_t < ?1)
            AND NOT EXISTS (SELECT 1 FROM uploads
              WHERE uploads.passage_id = first.passage_id AND uploads.kind <> 'passage'
                AND uploads.status <> 'synced')
            AND NOT EXISTS (SELECT 1 FROM text_deliveries
              JOIN texts ON texts.delivery_id = text_deliveries.id AND outcome = 'intent'
              WHERE text_deliveries.passage_id = first.passage_id)
            AND NOT EXISTS (SELECT 1 FROM conflicts
              WHERE conflicts.passage_id = first.passage_id AND resolution IS NULL)
          ORDER BY passage_id LIMIT ?2
          """, arguments: [time?.nanoseconds, max(limit, 0)])
      let ids = Array(Set(withdrawn + synced).sorted().prefix(max(limit, 0)))
      var pruned = Pruned()
      guard !ids.isEmpty else { return pruned }
      let month = (moment.boot - BudgetWindow.month.length).nanoseconds
      try database.execute(sql: "DELETE FROM charges WHERE intent_t <= ?", arguments: [month])
      // The numbers of texts are not given again.
      try Meta.keep(
        database, .lastText,
        max(
          try Int64.fetchOne(database, sql: "SELECT max(id) FROM texts") ?? 0,
          try Meta.integer(database, .lastText) ?? 0))
      for id in ids {
        pruned.photos += try String.fetchAll(
          database.cachedStatement(
            sql: """
              SELECT photo_file FROM uploads
              WHERE passage_id = ? AND kind = 'photo' AND dropped_ms IS NULL
              """),
          arguments: [id])
        try remove(id, chargesSince: month)
        pruned.passages += 1
      }
      return pruned
    }
  }

  private func remove(_ queueID: Int64, chargesSince month: Int64) throws {
    let texts = """
      SELECT texts.id FROM texts JOIN text_deliveries ON text_deliveries.id = texts.delivery_id
      WHERE passage_id = ?1
      """
    for statement in [
      """
      INSERT OR IGNORE INTO past_identities
      SELECT client_id, content_client_id, id FROM passages WHERE id = ?1
      """,
      // A report that is kept is about none of the texts that are.
      """
      UPDATE inbox SET text_id = NULL, error = coalesce(error, 'no_text')
      WHERE text_id IN (\(texts))
      """,
    ] {
      try database.cachedStatement(sql: statement).execute(arguments: [queueID])
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO charges SELECT id, intent_t, modem, sim, parts, outcome FROM texts
        WHERE id IN (\(texts)) AND intent_t > ?2
        """
    ).execute(arguments: [queueID, month])
    try database.cachedStatement(sql: "DELETE FROM passages WHERE id = ?").execute(
      arguments: [queueID])
  }
}
