import GRDB
public import NodeCore
import Passages
import SQLiteFile
public import Storage
import Time

/// How the upload whose turn it is is found among a million, through two indexes that hold nothing but
/// those that wait for theirs.
enum UploadQueries {
  static let earliest = """
    SELECT next_t FROM uploads INDEXED BY uploads_next
    WHERE \(NodeSchema.uploadable) AND kind = ? ORDER BY next_t LIMIT 1
    """

  /// When the first of what was given up is to be tried again.
  static let again = """
    SELECT next_t FROM uploads INDEXED BY uploads_again
    WHERE status = 'failed' AND next_t IS NOT NULL ORDER BY next_t LIMIT 1
    """

  /// The most urgent of those whose moment has come, and of these the oldest. No correction overtakes an
  /// older one of the same passage.
  static let mostUrgent = """
    SELECT \(columns) FROM uploads INDEXED BY uploads_order
    JOIN passages ON passages.id = uploads.passage_id
    WHERE \(NodeSchema.uploadable) AND kind = ?1 AND next_t <= ?2
      AND (kind <> 'correction' OR NOT EXISTS (
        SELECT 1 FROM uploads AS older
        WHERE older.passage_id = uploads.passage_id AND older.kind = 'correction'
          AND older.id < uploads.id AND older.status IN ('pending', 'in_flight')))
    ORDER BY uploads.priority DESC, uploads.passage_id, uploads.id LIMIT ?3
    """

  private static let columns = """
    passages.*, uploads.id AS upload_id, uploads.kind, uploads.attempts, uploads.requeues,
    uploads.priority < 0 AS is_behind, uploads.refusal,
    uploads.new_plate, uploads.new_vehicle_type, uploads.withdrawal, uploads.photo_file,
    uploads.photo_bytes, uploads.photo_type, uploads.stored_ms,
    (SELECT first.server_id FROM uploads AS first
      WHERE first.passage_id = passages.id AND first.kind = 'passage') AS known_id
    """
}

extension StoreTransaction {
  /// What is due to be uploaded at `now`; what waits for a later moment is passed over. Few do: only those
  /// whose last attempt failed.
  func dueUploads(_ query: UploadQuery, at now: BootInstant) throws(StorageError) -> UploadAnswer {
    try sorted {
      let backlog =
        try Int.fetchOne(
          database.cachedStatement(sql: "SELECT n FROM tally WHERE name = 'backlog'")) ?? 0
      let earliest = try Int64.fetchOne(
        database.cachedStatement(sql: UploadQueries.earliest), arguments: [query.kind.rawValue])
      let again = try Int64.fetchOne(database.cachedStatement(sql: UploadQueries.again))
        .map { BootInstant(nanoseconds: $0) }
      var answer = UploadAnswer(uploads: [], nextDue: nil, backlog: backlog)
      answer.nextAgain = again
      guard let earliest, earliest <= now.nanoseconds else {
        answer.nextDue = earliest.map { BootInstant(nanoseconds: $0) }
        return answer
      }
      answer.uploads = try Row.fetchAll(
        database.cachedStatement(sql: UploadQueries.mostUrgent),
        arguments: [query.kind.rawValue, now.nanoseconds, max(query.limit, 0)]
      ).map(DueUpload.init(row:))
      return answer
    }
  }

  /// Up to when everything that was recorded here is on the server, by the passages' own time; nil when
  /// nothing waits.
  func syncedThrough() throws(StorageError) -> WallTime? {
    try sorted {
      try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT open_at_ms FROM uploads INDEXED BY uploads_open
            JOIN passages ON passages.id = passage_id
            WHERE open_at_ms IS NOT NULL AND handed_on_ms IS NULL ORDER BY open_at_ms LIMIT 1
            """)
      ).map { WallTime(milliseconds: $0 - 1) }
    }
  }
}

extension StoreTransaction {
  /// What the server is told of how far this post is. A passage that was refused for good is counted, and
  /// does not hold the time of all that came after it for ever.
  func syncMark(at moment: Moment) throws(StorageError) -> SyncStanding {
    try sorted {
      let through = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT open_at_ms FROM uploads INDEXED BY uploads_open
            JOIN passages ON passages.id = passage_id
            WHERE open_at_ms IS NOT NULL AND handed_on_ms IS NULL
              AND NOT (status = 'failed' AND last_error_class = 'permanent')
            ORDER BY open_at_ms LIMIT 1
            """)
      ).map { WallTime(milliseconds: $0 - 1) }
      let waiting =
        try Int.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT coalesce(sum(iif(name = 'handed_on', -n, n)), 0) FROM tally
              WHERE name IN ('pending', 'in_flight', 'failed', 'handed_on')
              """)) ?? 0
      let withdrawn = try WithdrawnHere.uploads(database)[.passage] ?? 0
      return SyncStanding(
        through: through, waiting: max(0, waiting - withdrawn),
        clockDoubt: try ClockRows.doubt(database, at: moment))
    }
  }
}

extension SQLiteNodeStore {
  /// What goes to the server for a passage, with where each stands.
  public func uploads(of queueID: Int64) throws(StorageError) -> [UploadRecord] {
    try file.read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT * FROM uploads WHERE passage_id = ? ORDER BY kind <> 'passage', id",
        arguments: [queueID]
      ).map { try UploadRecord(row: $0, of: queueID) }
    }
  }
}

extension UploadRecord {
  fileprivate init(row: Row, of queueID: Int64) throws {
    guard let kind = UploadKind(rawValue: row["kind"]),
      let status = QueueStatus(rawValue: row["status"])
    else { throw UnreadableRow(queueID: queueID) }
    self.init(id: row["id"], kind: kind, status: status)
    attempts = row["attempts"]
    requeues = row["requeues"]
    next =
      status == .pending
      ? (row["next_t"] as Int64?).map { BootInstant(nanoseconds: $0) } : nil
    lastError = row["last_error"]
    missedSince = (row["missed_t"] as Int64?).map { BootInstant(nanoseconds: $0) }
    refusal = status == .failed ? UploadRefusal(name: row["refusal"]) : nil
    isPermanent = (row["last_error_class"] as String?) == "permanent"
    lastAttemptAt = (row["last_attempt_at_ms"] as Int64?).map { WallTime(milliseconds: $0) }
    syncedAt = (row["synced_ms"] as Int64?).map { WallTime(milliseconds: $0) }
    serverID = row["server_id"]
    photo = StoredPhoto(row: row)
    withdrawal = row["withdrawal"]
    correction = withdrawal == nil ? try PlateCorrection(row: row) : nil
  }
}

extension DueUpload {
  init(row: Row) throws {
    let queueID: Int64 = row["id"]
    guard let kind = UploadKind(rawValue: row["kind"]) else {
      throw UnreadableRow(queueID: queueID)
    }
    self.init(
      id: row["upload_id"], queueID: queueID, kind: kind, passage: try Passage(row: row),
      attempts: row["attempts"], requeues: row["requeues"], serverID: row["known_id"],
      photo: StoredPhoto(row: row), correction: try PlateCorrection(row: row))
    isStored = (row["stored_ms"] as Int64?) != nil
    withdrawal = row["withdrawal"]
    isBehind = row["is_behind"]
    refusal = UploadRefusal(name: row["refusal"])
    clockDoubt = ClockRows.doubt(row)
  }
}

extension UploadRefusal {
  /// The reason of that name; nil where there is none.
  init?(name: String?) {
    guard let name else { return nil }
    self.init(rawValue: name)
  }
}

extension StoredPhoto {
  /// The photograph of a row of `uploads`; nil for what is none.
  init?(row: Row) {
    guard let path: String = row["photo_file"], let type: String = row["photo_type"] else {
      return nil
    }
    self.init(path: path, count: row["photo_bytes"], contentType: type)
  }
}

extension PlateCorrection {
  /// The correction of a row of `uploads`; nil for what is none.
  init?(row: Row) throws {
    guard let plate: String = row["new_plate"] else { return nil }
    self.init(
      plate: try Plate(plate),
      vehicleType: (row["new_vehicle_type"] as String?).flatMap { VehicleType(rawValue: $0) })
  }
}
