public import GRDB
public import Storage

/// The one way in which this program opens a database file.
///
/// What is acknowledged must survive a power cut: the file is in WAL mode with
/// `synchronous = FULL`, and because a connection's own set-up may lower that setting, it is set
/// after opening and read back; a connection that does not sync is refused. A damaged, empty or foreign
/// file is refused before anything is written to it. Once the file is deleted, moved or replaced while
/// it is open, nothing is committed to it any more.
public struct SQLiteFile: Sendable {
  /// The file, or ``inMemory``.
  public let path: String
  let queue: DatabaseQueue
  /// Where the file was when it was opened; nil for what is only read or stands in memory.
  private let place: FilePlace?
  /// Those who read beside whoever writes; nil where all is done by the one connection.
  let readers: ReaderPool?

  private init(_ path: String, _ queue: DatabaseQueue, _ place: FilePlace?) {
    self.path = path
    self.queue = queue
    self.place = place
    readers = place == nil ? nil : ReaderPool(of: path)
  }

  /// What a connection may do.
  public enum Mode: Hashable, Sendable {
    /// Read and write; the file is created when it does not exist.
    case readWrite
    /// Read and write an existing file.
    case existing
    /// Read an existing file.
    case readOnly
  }

  /// The path of a database that lives in memory and ends with its connection, for simulation.
  public static let inMemory = ":memory:"

  /// Opens `path`, brings its schema up to date, and proves that its commits are durable.
  ///
  /// - Parameters:
  ///   - path: the file, or ``inMemory``.
  ///   - applicationID: the number that marks files of this role (`PRAGMA application_id`); a file
  ///     that carries another one is refused. Zero neither marks nor checks.
  ///   - migrations: the schema's history; a file with a migration unknown here is refused.
  ///   - mode: read and write, or read only. A file opened for reading is not migrated, and it is
  ///     refused when it is older than `migrations`.
  ///   - checks: whether to run the integrity check; a command that opens the file for one write
  ///     beside a running service leaves it out.
  ///   - isSuspect: whether the check is of the whole file, with its indexes, however large it is.
  ///   - busyTimeoutSeconds: how long a statement waits for another process's lock.
  ///   - cacheBytes: how much of the file its connection holds in memory at most. A transaction that changes
  ///     more writes and reads its pages several times.
  /// - Throws: what is wrong with the file, in words with the remedy.
  public static func open(
    _ path: String, applicationID: Int32 = 0, migrations: DatabaseMigrator,
    mode: Mode = .readWrite, checks: Bool = true, isSuspect: Bool = false,
    busyTimeoutSeconds: Double = Limits.busyTimeoutSeconds,
    cacheBytes: Int = Limits.cacheBytes
  ) throws(StorageError) -> SQLiteFile {
    if path != inMemory, try !isThere(path, mode: mode) {
      try refuseLogWithoutItsFile(path)
      try make(path, applicationID: applicationID)
    }
    let queue = try connect(path, mode: mode, busyTimeoutSeconds: busyTimeoutSeconds)
    try perform(queue, path) { database in
      try refuseForeign(database, path: path, applicationID: applicationID)
      // A new one has a single page, and what is shorter than one has none.
      if path != inMemory, try tables(in: database) == 0, try pages(in: database) != 1 {
        throw StorageError.corrupt(path: path, detail: "it has lost its tables")
      }
      if checks, path != inMemory {
        try check(database, path: path, isSuspect: isSuspect)
      }
    }
    if mode == .readOnly {
      try refuseOtherSchema(queue, path: path, migrations: migrations)
      return SQLiteFile(path, queue, nil)
    }
    // Two processes may find the same new file. The slower one of them fails half way, and finds
    // most of the work done when it tries again.
    var failure = StorageError.locked(path: path)
    for _ in 0..<Limits.openingTries {
      do {
        try setUp(queue, path: path, applicationID: applicationID, migrations: migrations)
        try perform(queue, path) { database in
          // Negative numbers are KiB, others pages (SQLite, PRAGMA cache_size).
          try database.execute(sql: "PRAGMA cache_size = -\(cacheBytes >> 10)")
        }
        if checks, path != inMemory { try bringIn(queue, path: path) }
        return SQLiteFile(path, queue, path == inMemory ? nil : FilePlace(of: path))
      } catch {
        guard error.kind != .otherVersion else { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// Runs `body` with the connection outside a transaction, and sorts what it throws.
  public func perform<Value>(
    _ body: (Database) throws -> Value
  ) throws(StorageError) -> Value {
    try Self.perform(queue, path, body)
  }

  /// Runs `body` in one immediate transaction, committed and on disk when this returns, and rolled
  /// back when it throws. `body` lets every error out: SQLite may have rolled back already when it
  /// reports one, and what followed would stand alone. Those of one `SQLiteFile` are run in the order in which they
  /// were asked for; another process, or another `SQLiteFile`, waits until it finds a moment between them.
  ///
  /// - Parameter limit: How long it may take, apart from its end; nil for as long as it takes.
  /// - Throws: `StorageError.tookTooLong` at the limit, `StorageError.replaced` when the file is not where it was, and
  ///   what else is wrong.
  public func write<Value>(
    within limit: Duration? = nil, _ body: (Database) throws -> Value
  ) throws(StorageError) -> Value {
    try transaction(
      queue, "BEGIN IMMEDIATE TRANSACTION", { try Self.run(body, $0, within: limit) },
      check: { place throws(StorageError) in try place.check() })
  }

  /// Runs `body` in one read transaction: a view of one moment, whatever others write meanwhile.
  ///
  /// - Throws: `StorageError.replaced` when the file is not where it was, and what else is wrong.
  public func read<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    // Not GRDB's own `read`: that guards the connection with a pragma which makes SQLite compile
    // every statement anew.
    try transaction(queue, "BEGIN DEFERRED TRANSACTION", body) { place throws(StorageError) in
      try place.checkDatabase()
    }
  }

  /// Closes the file; nothing can be done with it afterwards.
  public func close() throws(StorageError) {
    readers?.close()
    do {
      try queue.close()
    } catch {
      throw Self.classify(error, path: path)
    }
  }

  /// GRDB's own transactions compile their first and last statement each time, and its observers are
  /// asked at each end: a good part of what a small transaction costs beside its flush.
  func transaction<Value>(
    _ queue: DatabaseQueue, _ beginning: String, _ body: (Database) throws -> Value,
    check: (FilePlace) throws(StorageError) -> Void
  ) throws(StorageError) -> Value {
    try Self.perform(queue, path) { database in
      try database.cachedStatement(sql: beginning).execute()
      do {
        let value = try body(database)
        if let place { try check(place) }
        try database.cachedStatement(sql: "COMMIT TRANSACTION").execute()
        return value
      } catch {
        // The first error is the one to tell; a rollback that fails leaves the connection to the
        // next beginning, which will fail as well.
        try? database.rollback()
        throw error
      }
    }
  }

  static func perform<Value>(
    _ queue: DatabaseQueue, _ path: String, _ body: (Database) throws -> Value
  ) throws(StorageError) -> Value {
    do {
      return try queue.inDatabase(body)
    } catch {
      throw classify(error, path: path)
    }
  }
}

extension SQLiteFile {
  static func connect(
    _ path: String, mode: Mode, busyTimeoutSeconds: Double
  ) throws(StorageError) -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = mode == .readOnly
    configuration.busyMode = .timeout(busyTimeoutSeconds)
    configuration.foreignKeysEnabled = true
    do {
      if path == inMemory {
        return try DatabaseQueue(configuration: configuration)
      }
      // The journal mode is set later, by us: a file that will be refused stays as it was.
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw classify(error, path: path)
    }
  }

  private static func tables(in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
  }

  private static func pages(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
  }

  static func refuseForeign(
    _ database: Database, path: String, applicationID: Int32
  ) throws {
    let found = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    guard applicationID != 0, found != applicationID else { return }
    if try found != 0 || tables(in: database) > 0 {
      throw StorageError.foreignDatabase(path: path, found: found)
    }
  }

  static func check(_ database: Database, path: String, isSuspect: Bool = false) throws {
    let pages = try pages(in: database)
    let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    let isSmall = pages * size <= Limits.checkedWholeBytes
    let pragma =
      isSuspect
      ? "PRAGMA integrity_check(1)"
      : isSmall ? "PRAGMA quick_check(1)" : "PRAGMA quick_check('sqlite_schema')"
    let answer = try String.fetchOne(database, sql: pragma) ?? "no answer from quick_check"
    if answer != "ok" {
      throw isDeviceFailure(answer)
        ? StorageError.deviceFailed(path: path, detail: answer)
        : StorageError.corrupt(path: path, detail: answer)
    }
  }

  /// Whether a check found a page that could not be read, which says nothing of what stands there: it
  /// ends with "error code=" and a result code of SQLite, whose lowest byte is its kind.
  private static func isDeviceFailure(_ answer: String) -> Bool {
    guard let sign = answer.lastIndex(of: "="), answer[..<sign].hasSuffix("error code"),
      let code = Int32(answer[answer.index(after: sign)...])
    else { return false }
    return ResultCode(rawValue: code).primaryResultCode == .SQLITE_IOERR
  }

  private static func refuseOtherSchema(
    _ queue: DatabaseQueue, path: String, migrations: DatabaseMigrator
  ) throws(StorageError) {
    try perform(queue, path) { database in
      if try migrations.hasBeenSuperseded(database) {
        throw StorageError.newerSchema(path: path)
      }
      if try !migrations.hasCompletedMigrations(database) {
        throw StorageError.olderSchema(path: path)
      }
    }
  }

  private static func setUp(
    _ queue: DatabaseQueue, path: String, applicationID: Int32, migrations: DatabaseMigrator
  ) throws(StorageError) {
    let isComplete = try perform(queue, path) { database in
      if try migrations.hasBeenSuperseded(database) {
        throw StorageError.newerSchema(path: path)
      }
      if applicationID != 0 {
        try mark(database, applicationID: applicationID)
      }
      try makeDurable(database, path: path)
      return try migrations.hasCompletedMigrations(database)
    }
    if isComplete {
      return
    }
    do {
      try migrations.migrate(queue)
    } catch {
      throw classify(error, path: path)
    }
    // Migrations may turn foreign keys off and on again; what holds afterwards is what counts.
    try perform(queue, path) { try makeDurable($0, path: path) }
  }

  /// Brings what the log holds into the file, and empties the log.
  ///
  /// After a sync that failed, the log may stand in the memory of the system alone, which takes it for
  /// written and never tries again. What is committed behind such a page is gone with the next power
  /// cut; so whoever was ended by that failure begins by writing all of it anew. Without room for it, or
  /// while another process reads, the log stays.
  private static func bringIn(_ queue: DatabaseQueue, path: String) throws(StorageError) {
    do {
      try perform(queue, path) { database in
        _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch {
      guard error.kind == .full || error.kind == .busy else { throw error }
    }
  }

  private static func mark(_ database: Database, applicationID: Int32) throws {
    if try Int32.fetchOne(database, sql: "PRAGMA application_id") != applicationID {
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
  }

  /// Sets what the connection's own set-up may have lowered, and reads it back.
  private static func makeDurable(_ database: Database, path: String) throws {
    if path != inMemory {
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
    }
    try database.execute(sql: "PRAGMA synchronous = FULL")
    _ = try Int.fetchOne(
      database, sql: "PRAGMA journal_size_limit = \(Limits.writeAheadLogBytes)")
    let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
    guard synchronous == 2 else {
      throw StorageError.notDurable(path: path, found: "synchronous is \(synchronous), not 2")
    }
    let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "unknown"
    guard journal == "wal" || path == inMemory else {
      throw StorageError.notDurable(path: path, found: "journal mode is \(journal), not wal")
    }
    guard try Int.fetchOne(database, sql: "PRAGMA foreign_keys") == 1 else {
      throw StorageError.other(path: path, detail: "foreign keys are not enforced")
    }
  }
}
