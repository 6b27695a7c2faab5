import GRDB
public import NodeCore
import SQLiteFile
public import Storage
public import Time

#if canImport(Glibc)
  import Glibc
#endif

extension SQLiteNodeStore {
  /// The store in numbers, at the cost of a few look-ups however many passages there are.
  public func overview(at now: BootInstant) throws(StorageError) -> StoreOverview {
    let free = path == SQLiteFile.inMemory ? nil : SQLiteFile.freeBytes(path)
    let isReadOnly = path != SQLiteFile.inMemory && SQLiteFile.isOnReadOnlyFileSystem(path)
    return try file.read { database in
      var tally: [String: Int] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT name, n FROM tally") {
        tally[row[0]] = row[1]
      }
      let oldest = try States.oldestPending(database)
      let lastText = try Int64.fetchOne(
        database,
        sql: "SELECT outcome_ms FROM texts WHERE outcome = 'accepted' ORDER BY id DESC LIMIT 1")
      let due = try Int64.fetchOne(database, sql: DueQueries.earliestToCentre)
      let sending = try Row.fetchOne(
        database,
        sql:
          "SELECT count(*), min(intent_ms) FROM texts INDEXED BY texts_open WHERE outcome = 'intent'"
      )
      let undated = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), min(since_t) FROM passages INDEXED BY passages_undated
          WHERE undated = 1 AND handed_on_ms IS NULL AND withdrawn_ms IS NULL AND NOT EXISTS (
            SELECT 1 FROM text_deliveries
            WHERE passage_id = passages.id AND recipient = 'centre'
              AND parked_reason IS NOT NULL)
          """)
      let undelivered = try TextStanding.undelivered.standing(database)
      let unknown = try TextStanding.unknown.standing(database)
      let textsLastDay = try TextWrites.onAir(database, since: now - .seconds(86_400))
      let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      var overview = StoreOverview(
        pending: tally["pending"] ?? 0, inFlight: tally["in_flight"] ?? 0,
        synced: tally["synced"] ?? 0, failed: tally["failed"] ?? 0,
        waitingForText: tally["waiting"] ?? 0, texted: tally["texted"] ?? 0,
        undelivered: undelivered.count, undeliveredSince: undelivered.since,
        unknownTexts: unknown.count, unknownSince: unknown.since, parked: tally["parked"] ?? 0,
        undated: undated?[0] ?? 0,
        undatedSince: (undated?[1] as Int64?).map { BootInstant(nanoseconds: $0) },
        oldestPendingAge: oldest.map { now - BootInstant(nanoseconds: $0[0]) },
        oldestPendingAt: oldest.map { WallTime(milliseconds: $0[1]) },
        lastTextAt: lastText.map { WallTime(milliseconds: $0) },
        textsLastDay: textsLastDay, databaseBytes: pages * pageSize, freeBytes: free,
        isReadOnly: isReadOnly, firstTextDue: due.map { BootInstant(nanoseconds: $0) },
        textsSending: sending?[0] ?? 0,
        sendingSince: (sending?[1] as Int64?).map { WallTime(milliseconds: $0) })
      let unused = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      overview.unusedBytes = unused * pageSize
      try States.leftOut(&overview, database, at: now)
      overview.textedLive = tally["texted_live"] ?? 0
      overview.handedOn = tally["handed_on"] ?? 0
      overview.salvage = StoreSalvage(kept: try Meta.text(database, .salvaged)).flatMap { salvage in
        access(salvage.file, F_OK) == 0 ? salvage : nil
      }
      let withdrawn = try WithdrawnHere.uploads(database)
      overview.passagesWithdrawn = withdrawn[.passage] ?? 0
      overview.photosOpen = (tally["photos"] ?? 0) - (withdrawn[.photo] ?? 0)
      overview.correctionsOpen = (tally["corrections"] ?? 0) - (withdrawn[.correction] ?? 0)
      try States.count(&overview, database, at: now)
      try Hindrances.count(&overview, database, at: now)
      return overview
    }
  }
}

/// What the states of people need beside the tallies: counted among few rows.
private enum States {
  /// When the passage was recorded that has waited for its turn to be uploaded the longest.
  static func oldestPending(_ database: Database) throws -> Row? {
    var oldest: Row?
    for priority in [NodeCore.Limits.behindPriority] + Array(NodeSchema.priorities) {
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT since_t, created_at_ms FROM uploads INDEXED BY uploads_order
          JOIN passages ON passages.id = uploads.passage_id
          WHERE kind = 'passage' AND \(NodeSchema.uploadable) AND uploads.priority = ?
          ORDER BY uploads.passage_id LIMIT 1
          """, arguments: [priority])
      guard let row else { continue }
      if let known = oldest, (known[0] as Int64) <= (row[0] as Int64) { continue }
      oldest = row
    }
    return oldest
  }

  /// Photographs that were not kept in the last day.
  static func leftOut(
    _ overview: inout StoreOverview, _ database: Database, at now: BootInstant
  ) throws {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*), min(left_out_t), (
          SELECT reason FROM photos_left_out ORDER BY left_out_t DESC LIMIT 1)
        FROM photos_left_out INDEXED BY photos_left_out_by_time WHERE left_out_t > ?
        """, arguments: [(now - .seconds(86_400)).nanoseconds])
    guard let row, let count: Int = row[0], count > 0 else { return }
    overview.photosLeftOut = count
    overview.photosLeftOutSince = (row[1] as Int64?).map { BootInstant(nanoseconds: $0) }
    overview.photoLeftOutReason = row[2]
  }

  static func count(
    _ overview: inout StoreOverview, _ database: Database, at now: BootInstant
  ) throws {
    overview.passagesSending =
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM texts INDEXED BY texts_open
          JOIN queue ON queue.delivery_id = texts.delivery_id
          WHERE outcome = 'intent' AND queue.status <> 'synced'
            AND queue.status <> 'in_flight' AND queue.handed_on_ms IS NULL
          """) ?? 0
    // Texts are numbered in the order of their times, so only those of the last days are read.
    overview.reportsToCome =
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(DISTINCT texts.delivery_id) FROM texts
          JOIN queue ON queue.delivery_id = texts.delivery_id
          WHERE outcome = 'accepted' AND \(NodeSchema.openReport)
            AND \(NodeSchema.isTextedLive("queue"))
          """) ?? 0
    overview.parkedLive =
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM queue
          WHERE parked_reason IS NOT NULL AND status <> 'synced' AND status <> 'in_flight'
            AND handed_on_ms IS NULL AND NOT (sms_sent = 1 AND undelivered = 0)
            AND NOT \(NodeSchema.hasOpenText)
          """) ?? 0
    overview.decided = try decided(database)
    var oldest: Int64?
    for priority in NodeSchema.priorities {
      // The oldest stands first among those that are as urgent.
      let since = try Int64.fetchOne(
        database,
        sql: """
          SELECT since_t FROM text_deliveries INDEXED BY text_deliveries_order
          JOIN passages ON passages.id = text_deliveries.passage_id
          WHERE due_t IS NOT NULL AND text_deliveries.priority = ?
          ORDER BY text_deliveries.passage_id LIMIT 1
          """, arguments: [priority])
      oldest = [oldest, since].compactMap { $0 }.min()
    }
    overview.oldestWaitingAge = oldest.map { now - BootInstant(nanoseconds: $0) }
  }

  /// Passages that a person decided something of or the server refused something of, by how they stand.
  private static func decided(_ database: Database) throws -> [PassageFacts: Int] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        WITH few AS (
          SELECT passage_id AS id FROM uploads INDEXED BY uploads_failed WHERE status = 'failed'
          UNION SELECT id FROM passages INDEXED BY passages_aside
            WHERE on_hold_reason IS NOT NULL OR withdrawn_ms IS NOT NULL)
        SELECT status, handed_on_ms IS NOT NULL AS handed_on, open_text, sms_sent, undelivered,
          parked_reason IS NOT NULL AS parked, text_due_t IS NOT NULL AS is_due,
          text_attempts > 0 AS attempted, undated, outdated, report_open,
          coalesce(last_error_class, '') = 'permanent' AS permanent, conflict_open, photo_refused,
          correction_refused, on_hold_reason IS NOT NULL AS on_hold,
          withdrawn_ms IS NOT NULL AS withdrawn, withdrawal_status, count(*) AS n
        FROM (\(QueueItem.columns) WHERE queue.id IN (SELECT id FROM few))
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
        """)
    var decided: [PassageFacts: Int] = [:]
    while let row = try rows.next() {
      guard let status = QueueStatus(rawValue: row["status"]) else { continue }
      var facts = PassageFacts(status)
      facts.isHandedOn = row["handed_on"]
      facts.hasOpenText = row["open_text"]
      facts.isTexted = row["sms_sent"]
      facts.isUndelivered = row["undelivered"]
      facts.isParked = row["parked"]
      facts.isTextDue = row["is_due"]
      facts.hasTextAttempts = row["attempted"]
      facts.isUndated = row["undated"]
      facts.isOutdated = row["outdated"]
      facts.isReportOpen = row["report_open"]
      facts.isRefused = status == .failed && row["permanent"]
      facts.hasOpenConflict = row["conflict_open"]
      facts.isPhotoRefused = row["photo_refused"]
      facts.isCorrectionRefused = row["correction_refused"]
      facts.isOnHold = row["on_hold"]
      facts.isWithdrawn = row["withdrawn"]
      facts.withdrawal = (row["withdrawal_status"] as String?).flatMap {
        WithdrawalStanding(rawValue: $0)
      }
      decided[facts, default: 0] += row["n"]
    }
    return decided
  }
}

/// What keeps uploads from going on: found among those that failed, and the first of those that wait.
private enum Hindrances {
  /// Of those that wait so many are looked at: what fails stands among the first.
  private static let looked = 50

  static func count(
    _ overview: inout StoreOverview, _ database: Database, at now: BootInstant
  ) throws {
    for row in try Row.fetchAll(
      database,
      sql: """
        WITH refused AS MATERIALIZED (
          SELECT uploads.id, kind, missed_t, last_attempt_at_ms, last_error
          FROM uploads INDEXED BY uploads_failed
          JOIN passages ON passages.id = uploads.passage_id
          WHERE status = 'failed' AND last_error_class = 'permanent' AND handed_on_ms IS NULL
            AND NOT (withdrawn_ms IS NOT NULL AND \(NodeSchema.isKeptHere("uploads")))
            AND NOT (kind = 'passage' AND EXISTS (SELECT 1 FROM conflicts
              WHERE conflicts.passage_id = uploads.passage_id AND resolution IS NULL)))
        SELECT kind, count(*), min(missed_t), (
          SELECT last_error FROM refused AS last WHERE last.kind = refused.kind
          ORDER BY last_attempt_at_ms DESC, id DESC LIMIT 1)
        FROM refused GROUP BY kind
        """)
    {
      guard let kind = UploadKind(rawValue: row[0]) else { continue }
      overview.refused[kind] = RefusedUploads(
        count: row[1], since: (row[2] as Int64?).map { BootInstant(nanoseconds: $0) },
        error: row[3] ?? "it gave no reason")
    }
    for kind in UploadKind.allCases {
      overview.oldestOpenAge[kind] = try oldest(kind, database).map { now - $0 }
    }
    overview.lastUploadError = try lastError(database)
    let conflicts = try Row.fetchOne(
      database,
      sql:
        "SELECT count(*), min(found_ms) FROM conflicts INDEXED BY conflicts_open WHERE resolution IS NULL"
    )
    overview.conflictsOpen = conflicts?[0] ?? 0
    overview.conflictsSince = (conflicts?[1] as Int64?).map { WallTime(milliseconds: $0) }
    // What a person put on hold is kept with the words of that person.
    overview.refusedTexts =
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM queue
          WHERE parked_reason IS NOT NULL AND status <> 'synced' AND handed_on_ms IS NULL
            AND NOT (sms_sent = 1 AND undelivered = 0)
            AND EXISTS (SELECT 1 FROM texts WHERE texts.delivery_id = queue.delivery_id
              AND outcome = 'refused'
              AND substr(error, 1, length(parked_reason)) = parked_reason)
          """) ?? 0
  }

  /// Since when the oldest of a kind has waited that can go and was not refused for good.
  private static func oldest(_ kind: UploadKind, _ database: Database) throws -> BootInstant? {
    var oldest: Int64?
    for priority in [NodeCore.Limits.behindPriority] + Array(NodeSchema.priorities) {
      let since = try Int64.fetchOne(
        database,
        sql: """
          SELECT since_t FROM uploads INDEXED BY uploads_order
          JOIN passages ON passages.id = uploads.passage_id
          WHERE kind = ? AND \(NodeSchema.uploadable) AND uploads.priority = ?
            AND handed_on_ms IS NULL
          ORDER BY uploads.passage_id LIMIT 1
          """, arguments: [kind.rawValue, priority])
      oldest = [oldest, since].compactMap { $0 }.min()
    }
    for index in ["uploads_failed", "uploads_in_flight"] {
      let status = index == "uploads_failed" ? "failed" : "in_flight"
      let since = try Int64.fetchOne(
        database,
        sql: """
          SELECT min(since_t) FROM uploads INDEXED BY \(index)
          JOIN passages ON passages.id = uploads.passage_id
          WHERE status = '\(status)' AND kind = ? AND handed_on_ms IS NULL
            AND last_error_class IS NOT 'permanent'
          """, arguments: [kind.rawValue])
      oldest = [oldest, since].compactMap { $0 }.min()
    }
    return oldest.map { BootInstant(nanoseconds: $0) }
  }

  /// What was met last, of what the server still does not have.
  private static func lastError(_ database: Database) throws -> UploadTrouble? {
    var tried: [Row] = []
    if let row = try Row.fetchOne(
      database,
      sql: """
        SELECT last_error, max(last_attempt_at_ms) FROM uploads INDEXED BY uploads_failed
        WHERE status = 'failed' AND last_error IS NOT NULL
        """)
    {
      tried.append(row)
    }
    for kind in UploadKind.allCases {
      tried += try Row.fetchAll(
        database,
        sql: """
          SELECT last_error, last_attempt_at_ms FROM (
            SELECT last_error, last_attempt_at_ms FROM uploads INDEXED BY uploads_order
            WHERE kind = ? AND \(NodeSchema.uploadable)
            ORDER BY priority DESC, passage_id LIMIT \(looked))
          WHERE last_error IS NOT NULL AND last_attempt_at_ms IS NOT NULL
          """, arguments: [kind.rawValue])
    }
    let last = tried.filter { $0[0] != nil && $0[1] != nil }
      .max { ($0[1] as Int64) < ($1[1] as Int64) }
    return last.map { UploadTrouble($0[0], at: WallTime(milliseconds: $0[1])) }
  }
}
