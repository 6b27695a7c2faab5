import GRDB
import NodeCore
import SQLiteFile
public import Storage
public import Time

/// The store in numbers.
public struct StoreOverview: Hashable, Sendable {
  /// Passages that wait for their turn to be uploaded.
  public var pending: Int
  /// Passages that are being uploaded: one at most.
  public var inFlight: Int
  /// Passages that the server has.
  public var synced: Int
  /// Passages whose upload was given up.
  public var failed: Int
  /// Passages that are or will be due for a text.
  public var waitingForText: Int
  /// Passages with an accepted text.
  public var texted: Int
  /// Passages of which every text was, as the network reported, not delivered, and that nobody set
  /// aside: nothing more is sent for them until somebody asks.
  public var undelivered: Int
  /// Passages of which nobody knows whether their text left, and that are neither sent again nor set
  /// aside: nothing more is sent for them until a report tells, or somebody asks.
  public var unknownTexts: Int
  /// Passages that are set aside.
  public var parked: Int
  /// Passages of which nobody knows when they were, since the clock had not been set; they are not
  /// texted.
  public var undated: Int
  /// How long the oldest passage that is pending has been so.
  public var oldestPendingAge: Duration?
  /// When the oldest passage that is pending was recorded.
  public var oldestPendingAt: WallTime?
  /// When the last text was accepted.
  public var lastTextAt: WallTime?
  /// Messages of the last 24 hours of the node's clock that went on air or may have. The budget
  /// counts refused ones too.
  public var textsLastDay: Int
  /// The size of the database.
  public var databaseBytes: Int64
  /// What is free on its file system.
  public var freeBytes: Int64?
  /// Whether its file system takes nothing at all.
  public var isReadOnly: Bool
}

extension SQLiteNodeStore {
  /// The store in numbers, at the cost of a few look-ups however many passages there are.
  public func overview(at now: BootInstant) throws(StorageError) -> StoreOverview {
    let free = path == SQLiteFile.inMemory ? nil : SQLiteFile.freeBytes(path)
    let isReadOnly = path != SQLiteFile.inMemory && SQLiteFile.isOnReadOnlyFileSystem(path)
    return try SQLiteFile.read(queue, path) { database in
      var tally: [String: Int] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT name, n FROM tally") {
        tally[row[0]] = row[1]
      }
      let oldest = try Row.fetchOne(
        database,
        sql: """
          SELECT since_t, created_at_ms FROM queue WHERE status = 'pending' ORDER BY id LIMIT 1
          """)
      let lastText = try Int64.fetchOne(
        database,
        sql: "SELECT outcome_ms FROM texts WHERE outcome = 'accepted' ORDER BY id DESC LIMIT 1")
      let undated = try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM passages INDEXED BY passages_undated
          JOIN queue ON queue.id = passages.id
          WHERE undated = 1 AND status <> 'synced' AND parked_reason IS NULL
          """)
      let textsLastDay = try TextWrites.onAir(database, since: now - .seconds(86_400))
      let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      return StoreOverview(
        pending: tally["pending"] ?? 0, inFlight: tally["in_flight"] ?? 0,
        synced: tally["synced"] ?? 0, failed: tally["failed"] ?? 0,
        waitingForText: tally["waiting"] ?? 0, texted: tally["texted"] ?? 0,
        undelivered: try TextStanding.undelivered.count(database),
        unknownTexts: try TextStanding.unknown.count(database), parked: tally["parked"] ?? 0,
        undated: undated ?? 0,
        oldestPendingAge: oldest.map { now - BootInstant(nanoseconds: $0[0]) },
        oldestPendingAt: oldest.map { WallTime(milliseconds: $0[1]) },
        lastTextAt: lastText.map { WallTime(milliseconds: $0) },
        textsLastDay: textsLastDay, databaseBytes: pages * pageSize, freeBytes: free,
        isReadOnly: isReadOnly)
    }
  }
}
