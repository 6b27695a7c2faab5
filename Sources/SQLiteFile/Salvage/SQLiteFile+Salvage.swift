public import GRDB
public import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// What became of a database that was damaged.
public struct SalvagedFile: Hashable, Sendable {
  /// Where the damaged file is kept.
  public var kept: String
  /// Tables that were not legible as a whole, by name.
  public var damagedTables: [String]
}

extension SQLiteFile {
  /// Makes a new database of what can be read of a damaged one, and puts it in its place. The damaged file is
  /// not changed; it is kept beside it under a name that says what it is.
  ///
  /// Whatever ends the process on the way, the damaged file is where it was, and the next start begins anew.
  ///
  /// - Parameters:
  ///   - path: the damaged file.
  ///   - applicationID: the number that marks files of this role.
  ///   - migrations: the schema's history; a file of an older version becomes one of the newest.
  ///   - mending: makes the rows agree with each other again, while no trigger and no key hinders it.
  /// - Throws: why there is no new one, above all that the device failed: then nothing is known to be damaged.
  public static func salvage(
    _ path: String, applicationID: Int32, migrations: DatabaseMigrator,
    mending: (_ new: Database, _ damaged: DamagedDatabase) throws -> Void
  ) throws(StorageError) -> SalvagedFile {
    let draft = "\(path).salvaged-\(getpid()).new"
    let ends = ["", "-journal", "-wal", "-shm"]
    for end in ends { unlink(draft + end) }
    defer {
      for end in ends { unlink(draft + end) }
    }
    try refuseForeignDamaged(path, applicationID: applicationID)
    var tables: [String] = []
    do {
      try create(draft, emptyDatabase(applicationID: applicationID), of: path)
      let new = try connect(
        draft, mode: .readWrite, busyTimeoutSeconds: Limits.busyTimeoutSeconds)
      if let damaged = try connectDamaged(interrupted(path) ?? path) {
        tables = try damaged.inDatabase { try fill(new, from: $0, path: path, migrations, mending) }
        try damaged.close()
      } else {
        // What says where the tables are is gone: no row can be found.
        try migrations.migrate(new)
        tables = try new.inDatabase { try names(in: $0) }
        _ = try new.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
      }
      try new.close()
    } catch {
      throw classify(error, path: path)
    }
    try sync(draft, of: path)
    guard let kept = try exchange(draft, for: path, keptAs: "corrupt") else {
      throw .missingFile(path: path)
    }
    return SalvagedFile(kept: kept, damagedTables: tables)
  }

  /// Where the damaged file has its other name already, with its log beside that: what was begun here ended
  /// before the new file was in its place.
  private static func interrupted(_ path: String) -> String? {
    (1...Limits.savedCopies).map { "\(path).corrupt-\($0)" }.first { isSame($0, path) }
  }

  /// Nil where the list of its tables cannot be read.
  private static func connectDamaged(_ path: String) throws(StorageError) -> DatabaseQueue? {
    do {
      let queue = try connect(
        path, mode: .readOnly, busyTimeoutSeconds: Limits.busyTimeoutSeconds)
      _ = try perform(queue, path) { database in
        try Int.fetchOne(database, sql: "SELECT sum(length(sql)) FROM sqlite_schema")
      }
      return queue
    } catch {
      guard error.kind == .damaged else { throw error }
      return nil
    }
  }

  /// Reads whose file it is from its head, where no statement can be run any more.
  private static func refuseForeignDamaged(
    _ path: String, applicationID: Int32
  ) throws(StorageError) {
    var head = [UInt8](repeating: 0, count: 100)
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw whyNotCreated(path, errno) }
    defer { Glibc.close(file) }
    guard pread(file, &head, head.count, 0) == head.count else {
      throw .notADatabase(path: path)
    }
    let found = head[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if Int32(bitPattern: found) != applicationID {
      throw .foreignDatabase(path: path, found: Int32(bitPattern: found))
    }
  }

  private static func fill(
    _ new: DatabaseQueue, from damaged: Database, path: String, _ migrations: DatabaseMigrator,
    _ mending: (Database, DamagedDatabase) throws -> Void
  ) throws -> [String] {
    try new.inDatabase { database in
      // It is nobody's yet: what it is to outlast is the end of this.
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = MEMORY")
      try database.execute(sql: "PRAGMA synchronous = OFF")
    }
    let version = try version(of: damaged, path: path, migrations)
    if let version { try migrations.migrate(new, upTo: version) }
    var tables: [String] = []
    try withoutRules(new) { database in
      for table in try names(in: database) {
        try database.execute(sql: "DELETE FROM \"\(table)\"")
        if try !copy(table, from: damaged, to: database) { tables.append(table) }
      }
    }
    try migrations.migrate(new)
    try withoutRules(new) { try mending($0, DamagedDatabase(database: damaged)) }
    try new.inDatabase { database in
      let broken = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check")
      if let broken {
        throw StorageError.corrupt(
          path: path, detail: "rows without those they belong to: \(broken)")
      }
      try check(database, path: path)
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
    }
    return tables
  }

  /// The version of the schema that the damaged file has; the newest where that cannot be read.
  private static func version(
    of damaged: Database, path: String, _ migrations: DatabaseMigrator
  ) throws -> String? {
    let applied = try DamagedTable.legible {
      try String.fetchSet(damaged, sql: "SELECT identifier FROM grdb_migrations")
    }
    guard let applied, !applied.isEmpty else { return migrations.migrations.last }
    guard applied.isSubset(of: migrations.migrations) else {
      throw StorageError.newerSchema(path: path)
    }
    return migrations.migrations.last { applied.contains($0) }
  }

  /// The tables that are to be filled.
  private static func names(in database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
        """)
  }

  /// False when not all of the table could be read, or be kept.
  private static func copy(
    _ table: String, from damaged: Database, to new: Database
  ) throws -> Bool {
    let known = try DamagedTable.legible {
      try Set(
        Row.fetchAll(damaged, sql: "PRAGMA table_info(\"\(table)\")").map { $0["name"] as String })
    }
    guard let known, !known.isEmpty else { return false }
    let info = try Row.fetchAll(new, sql: "PRAGMA table_info(\"\(table)\")").filter { row in
      known.contains(row["name"])
    }
    let primary = info.filter { ($0["pk"] as Int) > 0 }.sorted {
      ($0["pk"] as Int) < ($1["pk"] as Int)
    }
    let names = info.map { "\"\($0["name"] as String)\"" }
    let hasRowID =
      try Int.fetchOne(
        new, sql: "SELECT wr FROM pragma_table_list WHERE name = ? AND schema = 'main'",
        arguments: [table]) == 0
    let keys = hasRowID ? ["rowid"] : primary.map { "\"\($0["name"] as String)\"" }
    let values = names.map { _ in "?" }.joined(separator: ", ")
    let insert = try new.makeStatement(
      sql: """
        INSERT OR IGNORE INTO "\(table)" (\(names.joined(separator: ", "))) VALUES (\(values))
        """)
    var isWhole = true
    let isLegible = try DamagedDatabase(database: damaged).read(
      "\"\(table)\" NOT INDEXED", columns: keys + names, keys: keys.count
    ) { row in
      do {
        try insert.execute(arguments: StatementArguments(row.dropFirst(keys.count)))
        if new.changesCount != 1 { isWhole = false }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // What no rule of the table allows was never written like this.
        isWhole = false
      }
    }
    return isWhole && isLegible
  }

  /// Runs `body` in one transaction while no trigger and no foreign key is looked at.
  private static func withoutRules(
    _ queue: DatabaseQueue, _ body: (Database) throws -> Void
  ) throws {
    try queue.inDatabase { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      try database.inTransaction(.immediate) {
        let triggers = try Row.fetchAll(
          database, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid"
        )
        for trigger in triggers {
          try database.execute(sql: "DROP TRIGGER \"\(trigger["name"] as String)\"")
        }
        try body(database)
        for trigger in triggers { try database.execute(sql: trigger["sql"]) }
        return .commit
      }
      try database.execute(sql: "PRAGMA foreign_keys = ON")
    }
  }
}
