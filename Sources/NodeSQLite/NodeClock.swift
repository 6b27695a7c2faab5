import GRDB
public import NodeCore
import SQLiteFile
public import Storage
public import Time

extension NodeClock {
  /// Reads the clock of the boot named `bootID`, or starts it when the machine has been restarted.
  static func carriedOver(
    _ database: Database, bootID: String
  ) throws -> NodeClock {
    let known = try Meta.text(database, .bootID)
    let offset = try Meta.integer(database, .clockOffset) ?? 0
    if known == bootID {
      return NodeClock(offset: .nanoseconds(offset))
    }
    let last = try lastTime(database)
    try ClockRows.beginStart(database)
    try Meta.set(database, .bootID, bootID)
    try Meta.set(database, .clockOffset, last)
    // How long the machine was off, this clock does not tell: what the server's showed says nothing now.
    try Meta.keep(database, .serverTime, nil as Int64?)
    try Meta.keep(database, .serverTimeAt, nil as Int64?)
    // A start of which nothing was kept has nothing to tell either.
    try database.execute(
      sql: "INSERT OR REPLACE INTO boots (start_t, boot_id) VALUES (?, ?)",
      arguments: [last, bootID])
    return NodeClock(offset: .nanoseconds(last))
  }

  /// The last moment that the store has seen: nothing in it may come to lie ahead of the clock, as a text
  /// would that was begun after the time was last kept.
  private static func lastTime(_ database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT max(
          coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?1), 0),
          coalesce((SELECT since_t FROM passages ORDER BY id DESC LIMIT 1), 0),
          coalesce((SELECT received_t FROM inbox ORDER BY id DESC LIMIT 1), 0),
          coalesce((SELECT max(max(intent_t, coalesce(outcome_t, 0))) FROM
            (SELECT intent_t, outcome_t FROM texts ORDER BY id DESC LIMIT ?2)), 0))
        """, arguments: [Meta.Key.lastTime.rawValue, Limits.lastTexts]) ?? 0
  }
}

extension SQLiteNodeStore {
  /// The moment of the machine's boot clock at which the node's clock showed `time`, in whichever start
  /// of the machine that was: while it lasts, a wall clock that has been set since tells when that was.
  /// Nil for times before the first start that is known.
  public func bootMoment(of time: BootInstant) throws(StorageError) -> BootMoment? {
    try file.read { database in
      try Row.fetchOne(
        database,
        // A start goes on from the last moment of the one before, which was that one's.
        sql: "SELECT start_t, boot_id FROM boots WHERE start_t < ? ORDER BY start_t DESC LIMIT 1",
        arguments: [time.nanoseconds]
      ).map { row in
        let start = BootInstant(nanoseconds: row[0])
        return BootMoment(bootID: row[1], time: .zero + (time - start))
      }
    }
  }
}

/// Single values of the store.
enum Meta {
  enum Key: String {
    case bootID = "boot_id"
    case clockOffset = "clock_offset_ns"
    case lastTime = "last_time_ns"
    case fallbackAfter = "fallback_after_ns"
    case reportsSettled = "reports_settled_text"
    case lastText = "last_text"
    case refreshToken = "refresh_token"
    case userID = "server_user"
    case directory = "server_directory"
    case serverDownSince = "server_down_since_ns"
    case pushFailed = "push_failed_ns"
    case signInRests = "sign_in_rests_ns"
    case pushImpairment = "push_impairment"
    case offlineSince = "offline_since_ns"
    case lastSynced = "last_synced_ms"
    case lastPulled = "last_pulled_ms"
    case serverTime = "server_time_ms"
    case serverTimeAt = "server_time_at_ns"
    case changed = "changed_passages"
    case alerts
    case salvaged
    case newestWall = "newest_wall_ms"
    case seenWall = "seen_wall_ms"
    case seenWallAt = "seen_wall_at_ns"
    case unproven = "unproven_step_ms"
  }

  static func text(_ database: Database, _ key: Key) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"),
      arguments: [key.rawValue])
  }

  static func integer(_ database: Database, _ key: Key) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"),
      arguments: [key.rawValue])
  }

  /// Keeps a value, or forgets it; what is kept already is not written again.
  static func keep<Value: DatabaseValueConvertible & Equatable>(
    _ database: Database, _ key: Key, _ value: Value?
  ) throws {
    let known = try Value.fetchOne(
      database.cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"),
      arguments: [key.rawValue])
    guard known != value else { return }
    if let value {
      try set(database, key, value)
    } else {
      try database.cachedStatement(sql: "DELETE FROM meta WHERE key = ?").execute(
        arguments: [key.rawValue])
    }
  }

  static func set(_ database: Database, _ key: Key, _ value: some DatabaseValueConvertible) throws {
    try database.cachedStatement(
      sql: "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    ).execute(arguments: [key.rawValue, value])
  }
}
