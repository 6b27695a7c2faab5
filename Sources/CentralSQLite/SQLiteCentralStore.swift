public import CentralCore
import GRDB
import Passages
import SQLiteFile
public import Storage
import Time

/// The central's posts, segments, rangers, inbox and passages on disk.
public final class SQLiteCentralStore: CentralStore {
  /// The database file.
  public let path: String
  let file: SQLiteFile
  private let reserveBytes: Int64

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - mayBeMade: Whether it is created when it does not exist.
  ///   - checks: Whether to check the file's integrity; the service does, a command that runs beside it
  ///     need not.
  ///   - reserveBytes: Space that must stay free when a message is kept.
  public init(
    path: String, mayBeMade: Bool = true, checks: Bool = true,
    reserveBytes: Int64 = Limits.reserveBytes
  ) throws(StorageError) {
    file = try SQLiteFile.open(
      path, applicationID: Schema.applicationID, migrations: Schema.migrations,
      mode: mayBeMade ? .readWrite : .existing, checks: checks, cacheBytes: Limits.cacheBytes)
    self.path = path
    self.reserveBytes = path == SQLiteFile.inMemory ? 0 : reserveBytes
  }

  /// Opens the store for looking only.
  public init(readingFrom path: String) throws(StorageError) {
    file = try SQLiteFile.open(
      path, applicationID: Schema.applicationID, migrations: Schema.migrations, mode: .readOnly,
      checks: false)
    self.path = path
    reserveBytes = 0
  }

  /// A file belongs to one service.
  public var isShared: Bool { false }

  /// That there is no room for another message, with the reserve for what becomes of those that are
  /// kept already; nil while there is.
  public var shortage: StorageError? {
    guard reserveBytes > 0, let free = SQLiteFile.freeBytes(path) else { return nil }
    return free < reserveBytes ? .diskFull(path: path) : nil
  }

  /// Runs `body` in one transaction. SQLite lets one writer at a time, so those of all processes come
  /// one after the other.
  public func transaction<Value: Sendable>(
    _ body: (any CentralTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try file.write { database in
      try body(InboxTransaction(database: database, path: path))
    }
  }

  /// Proves that something can be written: writes again what stands there, down to the disk.
  ///
  /// - Throws: Why it cannot.
  public func proveWritable() throws(StorageError) {
    if let shortage { throw shortage }
    try file.write { database in
      try database.cachedStatement(sql: "UPDATE tally SET n = n WHERE name = 'inbox'").execute()
    }
  }

  /// Saves all that the store holds into a new file beside it, also when its own file is not there any
  /// more; returns the path of that file.
  public func saveCopy() throws(StorageError) -> String? {
    try file.saveCopy()
  }

  /// Closes the file; nothing can be done with the store afterwards.
  public func close() throws(StorageError) {
    try file.close()
  }
}

extension SQLiteCentralStore {
  /// The store in numbers, at the cost of a few look-ups however many messages there are.
  public func overview() throws(StorageError) -> CentralOverview {
    let free = path == SQLiteFile.inMemory ? nil : SQLiteFile.freeBytes(path)
    return try file.concurrentRead { database in
      var tally: [String: Int] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT name, n FROM tally") {
        tally[row[0]] = row[1]
      }
      func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      let heard = try Row.fetchAll(
        database,
        sql: """
          SELECT code, name, at_ms, passages, recorded, \(HeartbeatRows.columns)
          FROM posts LEFT JOIN heard ON checkpost = code
          UNION ALL SELECT checkpost, NULL, at_ms, passages, recorded, \(HeartbeatRows.columns) FROM heard
            WHERE checkpost NOT IN (SELECT code FROM posts)
          ORDER BY 1
          """
      ).map { row in
        var post = PostHeard(
          code: row[0], name: row[1], lastAt: (row[2] as Int64?).map { WallTime(milliseconds: $0) })
        post.passages = row[3] ?? 0
        post.recorded = row[4] ?? 0
        post.heartbeat = try HeartbeatRows.heartbeat(
          of: CheckpostCode(asItStands: post.code), row, from: 5)
        return post
      }
      let ways = try HeardWays.all(database)
      let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      var overview = CentralOverview(
        posts: try count("SELECT count(*) FROM posts"),
        segments: try count("SELECT count(*) FROM segments"),
        rangers: try count(
          "SELECT count(*) FROM rangers WHERE is_active AND checkpost IS NOT NULL"),
        passages: tally["passages"] ?? 0, received: tally["inbox"] ?? 0,
        undecodable: tally["undecodable"] ?? 0, duplicates: tally["duplicate"] ?? 0,
        heard: heard.map { ways.complete($0) }, databaseBytes: pages * pageSize, freeBytes: free)
      overview.violations = tally["violations"] ?? 0
      let unproven = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), min(since_ms) FROM violations
          WHERE finality = 'provisional' AND is_retracted = 0 AND unreported_from_ms IS NULL
            AND confirmed_at_ms IS NULL
          """)
      overview.unproven = unproven?[0] ?? 0
      overview.unprovenSince = (unproven?[1] as Int64?).map { WallTime(milliseconds: $0) }
      let changed = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), min(changed_final_ms) FROM violations WHERE changed_final_ms IS NOT NULL
          """)
      overview.changedAfterFinal = changed?[0] ?? 0
      overview.changedSince = (changed?[1] as Int64?).map { WallTime(milliseconds: $0) }
      overview.alerts = tally["alerts"] ?? 0
      overview.unreadable = try count(
        "SELECT count(*) FROM passages INDEXED BY passages_unreadable WHERE \(Schema.isUnreadable)")
      overview.judgesAgain = try count("SELECT cause IS NOT NULL FROM judging") > 0
      return overview
    }
  }
}
