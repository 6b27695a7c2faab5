public import CentralCore
import GRDB
import Passages
import SQLiteFile
public import Storage
public import Time

#if canImport(Glibc)
  import Glibc
#endif

/// What is dropped and erased. What SQLite removes is overwritten, and its room used again for what comes.
extension SQLiteCentralStore: KeepingStore {
  /// Drops some of what is older than it is to be kept.
  public func expire(
    after keep: Duration, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Expired {
    try keeping { rows throws(StorageError) in try rows.expire(after: keep, rules: rules, at: wall)
    }
  }

  /// All that is known of a vehicle.
  public func holdings(of plate: String) throws(StorageError) -> VehicleHoldings {
    let naming = try file.concurrentRead { database in
      try InboxTransaction(database: database, path: path).naming(of: plate)
    }
    let scan = try scan(for: naming)
    return try file.concurrentRead { database in
      let rows = InboxTransaction(database: database, path: path)
      let records = try rows.records(naming: plate)
      let passages = Set(records.map { $0.row ?? $0.record.number }).sorted()
      let uuids = try ClientID.fetch(
        "SELECT uuid FROM violations WHERE plate = ? ORDER BY exit_earliest", [plate], database)
      return VehicleHoldings(
        passages: try passages.map { try StoredRows.evidence(of: $0, database) },
        violations: try uuids.compactMap { try StoredRows.violation($0, database) },
        alerts: try StoredRows.alerts("plate = ? ORDER BY due_at", [plate], database),
        messages: try Set(scan.found).union(records.compactMap(\.inboxID)).sorted().compactMap {
          try InboxRows.archived("id = ?", [$0], database).first
        })
    }
  }

  /// Erases all that is known of a vehicle, and empties the log, in which it stands otherwise until that is
  /// written again.
  public func erase(
    _ order: ErasureOrder, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Erased {
    let naming = try file.concurrentRead { database in
      try InboxTransaction(database: database, path: path).naming(of: order.plate)
    }
    let early = try scan(for: naming)
    var trial: Erased?
    do {
      let erased = try keeping { rows throws(StorageError) in
        // What came since is looked at while nothing more can come.
        let naming = try rows.naming(of: order.plate)
        let scan = try SQLiteCentralStore.scan(for: naming, after: early) {
          after throws(StorageError) in try rows.messages(after: after)
        }
        let erased = try rows.erase(order, messages: scan, rules: rules, at: wall)
        if order.isTrial {
          trial = erased
          throw SQLiteCentralStore.isTrial
        }
        return erased
      }
      try emptyLog()
      return erased
    } catch {
      // Nothing of a trial stays.
      guard error == SQLiteCentralStore.isTrial, let trial else { throw error }
      return trial
    }
  }

  /// Messages as they came, the oldest first.
  public func messages(
    after: Int64, since: WallTime?, until: WallTime?, limit: Int
  ) throws(StorageError) -> [ArchivedMessage] {
    var conditions = RowConditions()
    conditions.add("id > ?", after)
    conditions.add("received_at_ms >= ?", since?.milliseconds)
    conditions.add("received_at_ms < ?", until?.milliseconds)
    return try file.concurrentRead {
      try InboxRows.archived(
        "\(conditions.sql) ORDER BY id LIMIT ?", conditions.arguments + [limit], $0)
    }
  }

  /// Photographs that belong to nothing any more.
  public func droppedPhotographs(limit: Int) throws(StorageError) -> [String] {
    try file.concurrentRead {
      try String.fetchAll(
        $0, sql: "SELECT path FROM dropped_photographs ORDER BY path LIMIT ?", arguments: [limit])
    }
  }

  /// Notes that photographs were removed.
  public func forget(photographs: [String]) throws(StorageError) {
    try file.write { database in
      for path in photographs {
        try database.cachedStatement(sql: "DELETE FROM dropped_photographs WHERE path = ?")
          .execute(arguments: [path])
      }
    }
  }

  /// Which of these photographs belong to something.
  public func namedPhotographs(
    among names: [PhotoName]
  ) throws(StorageError) -> Set<PhotoName> {
    try file.concurrentRead { database in
      try InboxTransaction(database: database, path: path).named(among: names)
    }
  }

  /// Copies a store into a new file, whatever others write meanwhile.
  public static func copy(_ path: String, to copy: String) throws(StorageError) {
    try SQLiteFile.copy(path, to: copy, applicationID: Schema.applicationID)
  }

  /// Makes a database of a saved one beside `path`, up to date and ready to take its place.
  ///
  /// - Returns: Where it is, for ``exchange(_:for:)``.
  /// - Throws: What is wrong with the saved one; then nothing is left beside `path`.
  public static func prepare(_ backup: String, for path: String) throws(StorageError) -> String {
    let file = "\(path).restored-\(getpid())"
    try SQLiteFile.copy(backup, to: file, applicationID: Schema.applicationID)
    do throws(StorageError) {
      try SQLiteCentralStore(path: file, mayBeMade: false).close()
    } catch {
      discard(file)
      throw error
    }
    return file
  }

  /// Puts what ``prepare(_:for:)`` made in the place of the database at `path`.
  ///
  /// - Returns: Where the other one is now; nil when there was none.
  public static func exchange(_ file: String, for path: String) throws(StorageError) -> String? {
    try SQLiteFile.exchange(file, for: path)
  }

  /// Removes what ``prepare(_:for:)`` made.
  public static func discard(_ file: String) {
    for end in ["", "-wal", "-shm"] { unlink(file + end) }
  }

  private static let isTrial = StorageError(
    .refused, of: "erasure", problem: "It was a trial", remedy: "Erase it")

  private func keeping<Value: Sendable>(
    _ body: (InboxTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try file.perform { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    return try file.write { database in
      try body(InboxTransaction(database: database, path: path))
    }
  }

  /// Brings the log into the file and empties it. While another process reads, the log stays until its next
  /// end.
  private func emptyLog() throws(StorageError) {
    do {
      try file.perform { _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    } catch {
      guard error.kind == .busy || error.kind == .full else { throw error }
    }
  }

  private func scan(for naming: VehicleNaming) throws(StorageError) -> MessageScan {
    let last = try file.concurrentRead { database in
      try Int64.fetchOne(database, sql: "SELECT max(id) FROM inbox") ?? 0
    }
    let identities = "[\(naming.identities.map { "\"\($0)\"" }.joined(separator: ","))]"
    var scan = try SQLiteCentralStore.scan(for: naming, after: MessageScan()) {
      after throws(StorageError) in
      try file.concurrentRead {
        try InboxRows.archived(
          SQLiteCentralStore.mayName,
          [after, last, naming.pattern, identities, Limits.scannedAtOnce], $0)
      }
    }
    scan.end(at: last)
    return scan
  }

  /// Messages that a vehicle may be named in: of very many others that shows without reading them.
  private static let mayName = """
    id > ?1 AND id <= ?2 AND (kind = 'pdu' OR body LIKE ?3 OR length(body) <> length(CAST(body AS BLOB))
      OR client_id IN (SELECT value FROM json_each(?4))) ORDER BY id LIMIT ?5
    """

  private static func scan(
    for naming: VehicleNaming, after early: MessageScan,
    _ page: (Int64) throws(StorageError) -> [ArchivedMessage]
  ) throws(StorageError) -> MessageScan {
    var scan = early
    while true {
      let messages = try page(scan.through)
      guard !messages.isEmpty else { return scan }
      scan.look(at: messages, for: naming)
    }
  }
}

extension InboxTransaction {
  fileprivate func messages(after: Int64) throws(StorageError) -> [ArchivedMessage] {
    try sorted {
      try InboxRows.archived(
        "id > ? ORDER BY id LIMIT ?", [after, Limits.scannedAtOnce], database)
    }
  }
}

extension InboxRows {
  /// Messages with what names them at their provider.
  static func archived(
    _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [ArchivedMessage] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM inbox WHERE \(condition)"), arguments: arguments
    ).map {
      ArchivedMessage(InboxItem(row: $0), providerID: $0["provider_id"], to: $0["recipient"])
    }
  }
}

extension ClientID {
  fileprivate static func fetch(
    _ sql: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [ClientID] {
    try String.fetchAll(database, sql: sql, arguments: arguments).compactMap { ClientID($0) }
  }
}
