import Accounts
import CentralCore
import GRDB
import Passages
import RestAPI
import RestSQL
import SQLiteFile
import Synchronization
import Time

/// Rows of the API, and tables that are written as they are.
enum WireRows {
  /// A statement, with the function that looks for regular expressions where it needs that.
  static func cached(_ statement: SQLStatement, _ database: Database) throws -> Statement {
    if statement.text.contains(SQLWriter.matchFunction) {
      let isThere = try Bool.fetchOne(
        database.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM pragma_function_list WHERE name = ?)"),
        arguments: [SQLWriter.matchFunction])
      if isThere != true { database.add(function: matching) }
    }
    return try database.cachedStatement(sql: statement.text)
  }

  private static let matching = DatabaseFunction(
    SQLWriter.matchFunction, argumentCount: 3, pure: true
  ) { values in
    guard let text = String.fromDatabaseValue(values[0]),
      let expression = String.fromDatabaseValue(values[1])
    else { return nil }
    // SQLite does not count the time that a function takes.
    guard !SQLiteFile.isOver else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
    let ignoresCase = values[2] == 1.databaseValue
    return pattern(expression, ignoresCase: ignoresCase)?.isFound(in: text)
  }

  /// An expression, which is read once for all rows.
  private static func pattern(_ text: String, ignoresCase: Bool) -> RestPattern? {
    known.withLock { known in
      if let pattern = known, pattern.text == text, pattern.ignoresCase == ignoresCase {
        return pattern
      }
      known = RestPattern(reading: text, ignoresCase: ignoresCase)
      return known
    }
  }

  private static let known = Mutex<RestPattern?>(nil)

  /// The same question, by the plates that fulfil its patterns where these are few.
  static func byPlates(_ read: RestRead, _ database: Database) throws -> RestRead {
    guard read.table.name == Catalogue.passages.name, !read.isByIdentity else { return read }
    var read = read
    read.filter = try read.filter.replacingPatterns(of: "plate_number") { pattern, ignoresCase in
      let (condition, argument) =
        ignoresCase
        ? ("plate LIKE ? ESCAPE '\\'", pattern) : ("plate GLOB ?", SQLWriter.glob(pattern))
      return try SQLiteCentralStore.plates(condition, [argument], database)
    }
    return read
  }

  /// How many rows there are in all.
  static func count(_ read: RestRead, _ database: Database) throws -> Int? {
    if read.table.name == Catalogue.passages.name, read.isOfAll {
      return try Int.fetchOne(database.cachedStatement(sql: ofAllPassages))
    }
    let count = SQLWriter.count(read, .sqlite)
    return try Int.fetchOne(cached(count, database), arguments: arguments(count))
  }

  /// How many passages the view of the API has: SQLite counts those that there are without looking at one, and those
  /// that the view leaves out are few, and found by indexes.
  static let ofAllPassages = """
    WITH RECURSIVE
      seen_posts(name) AS (
        SELECT min(checkpost) FROM passages
        UNION ALL SELECT (SELECT min(checkpost) FROM passages WHERE checkpost > s.name)
          FROM seen_posts s WHERE s.name IS NOT NULL),
      seen_segments(name) AS (
        SELECT min(segment) FROM passages
        UNION ALL SELECT (SELECT min(segment) FROM passages WHERE segment > s.name)
          FROM seen_segments s WHERE s.name IS NOT NULL),
      named(kind, name) AS (SELECT kind, name FROM wire_names)
    SELECT (SELECT count(*) FROM passages)
      - (SELECT count(*) FROM passages WHERE segment IS NULL)
      - (SELECT coalesce(sum((SELECT count(*) FROM passages p WHERE p.segment = s.name)), 0) FROM seen_segments s
        WHERE s.name IS NOT NULL AND ('segment', s.name) NOT IN named)
      - (SELECT coalesce(sum((SELECT count(*) FROM passages p WHERE p.checkpost = s.name
            AND ('segment', p.segment) IN named)), 0) FROM seen_posts s
        WHERE s.name IS NOT NULL AND ('post', s.name) NOT IN named)
    """

  static func read(_ read: RestRead, _ database: Database) throws -> [String] {
    let statement = SQLWriter.select(read, .sqlite)
    return try String.fetchAll(
      cached(statement, database), arguments: arguments(statement))
  }

  /// The same, of no more bytes than there is room for.
  ///
  /// - Parameter room: Bytes that there is room for; afterwards, what is left.
  static func read(
    _ read: RestRead, _ database: Database, room: inout Int
  ) throws -> [String] {
    let statement = SQLWriter.select(read, .sqlite)
    let found = try String.fetchCursor(
      cached(statement, database), arguments: arguments(statement))
    var rows: [String] = []
    while let row = try found.next() {
      room -= row.utf8.count
      guard room >= 0 else { throw RestError.answerTooLong }
      rows.append(row)
    }
    return rows
  }

  /// The values of a column of the first rows that fulfil conditions.
  static func keys(
    _ filters: [RestFilter], _ column: RestColumn, of table: RestTable, limit: Int,
    _ database: Database
  ) throws -> [String] {
    let statement = SQLWriter.keys(filters, column, of: table, limit: limit, .sqlite)
    return try String.fetchAll(
      cached(statement, database), arguments: arguments(statement))
  }

  /// The values of a column of all rows that fulfil conditions, where those are not too many to be changed.
  static func keys(
    _ filters: [RestFilter], _ column: RestColumn, of table: RestTable, _ database: Database
  ) throws -> [String] {
    let found = try keys(filters, column, of: table, limit: RestLimits.bodyRows + 1, database)
    guard found.count <= RestLimits.bodyRows else { throw tooMany }
    return found
  }

  static let tooMany = RestError(
    "54001", "the request changes more than \(RestLimits.bodyRows) rows", status: 413)

  static func arguments(_ statement: SQLStatement) -> StatementArguments {
    StatementArguments(
      statement.parameters.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .null: nil
        case .text(let text): text
        case .flag(let flag): flag
        case .integer(let integer): integer
        case .number(let number): number
        case .time(let micros):
          micros.isMultiple(of: 1_000) ? micros / 1_000 : Double(micros) / 1_000
        }
      })
  }

  // MARK: - Tables as they are

  static func insert(
    _ insert: RestInsert, _ database: Database, at now: WallTime
  ) throws -> RestChange {
    try admit(insert, database)
    var insert = insert
    var known: Set<String> = []
    for index in insert.rows.indices {
      if insert.rows[index]["id"] == nil {
        insert.rows[index]["id"] = .text(randomName())
      }
      for (name, value) in insert.rows[index] {
        // The store keeps milliseconds.
        if case .time(let micros) = value {
          insert.rows[index][name] = .time(micros - (micros % 1_000 + 1_000) % 1_000)
        }
      }
      known.formUnion(try merged(insert.rows[index], insert, database))
    }
    guard !insert.rows.isEmpty else { return RestChange([], count: 0) }
    let ids = try ids(SQLWriter.insert(insert, .sqlite), insert.table, database)
    for row in insert.rows { try checkReferences(row, of: insert.table, database) }
    if insert.table.name == Catalogue.syncMetadata.name {
      for row in insert.rows { try noteClock(of: row, insert.clockDoubt(of: row), database) }
    }
    try FineRows.check(ids, of: insert.table, database)
    try mark(ids, of: insert.table, database, at: now)
    try forgetDevices(beside: ids, of: insert.table, database)
    try insert.telling.check(ids.count)
    let rows = try told(ids, insert.table, insert.telling, database)
    try note(
      ids.filter { !known.contains($0) }, .outcomeAdded, insert.table, insert.principal, now,
      database)
    try note(
      ids.filter(known.contains), .outcomeChanged, insert.table, insert.principal, now, database)
    return RestChange(
      rows, count: ids.count, isAllMerged: !ids.isEmpty && ids.allSatisfy(known.contains))
  }

  /// Notes by how many seconds the clock of a device may have been wrong.
  private static func noteClock(
    of row: [String: RestValue], _ seconds: Int64, _ database: Database
  ) throws {
    guard let user = row["user_id"]?.text, let device = row["device_id"]?.text else { return }
    guard seconds > 0 else {
      try database.cachedStatement(
        sql: "DELETE FROM device_clocks WHERE user_id = ? AND device_id = ?"
      ).execute(arguments: [user, device])
      return
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO device_clocks VALUES (?, ?, ?)
          ON CONFLICT (user_id, device_id) DO UPDATE SET seconds = excluded.seconds
        """
    ).execute(arguments: [user, device, seconds])
  }

  /// Refuses rows that name a row of another table which the caller may not see, whatever is there already.
  private static func admit(_ insert: RestInsert, _ database: Database) throws {
    guard case .through(let column, let table, let part) = insert.admissible,
      let key = table.columns.first
    else { return }
    for row in insert.rows {
      let found = try keys(
        [.compare(key, .equal, row[column.name] ?? .null), part], key, of: table, database)
      guard !found.isEmpty else { throw RestError.denied(insert.table.name) }
    }
  }

  /// Writes down who noted what of violations.
  private static func note(
    _ ids: [String], _ kind: AuditEntry.Kind, _ table: RestTable, _ principal: RestPrincipal,
    _ now: WallTime, _ database: Database
  ) throws {
    guard table.name == Catalogue.outcomes.name else { return }
    let audit = AccountRows(database: database, path: "")
    for id in ids {
      // The row of one that was removed is gone.
      let reason = try FineRows.reason(of: id, database)
      try audit.record(
        AuditEntry(
          at: now, kind, actor: principal.name,
          detail: reason.map { "\(id), \($0.words)" } ?? id))
    }
  }

  /// The row that is there already by the rule that the request names, where it is to be changed.
  private static func merged(
    _ row: [String: RestValue], _ insert: RestInsert, _ database: Database
  ) throws -> [String] {
    guard case .merge(let unique) = insert.resolution else { return [] }
    let same = unique.columns.compactMap { name in
      insert.table.column(name).map { RestFilter.compare($0, .equal, row[name] ?? .null) }
    }
    guard let key = insert.table.columns.first else { return [] }
    let found = try keys(same, key, of: insert.table, database)
    guard !found.isEmpty else { return [] }
    let mine = try keys(same + [insert.changeable], key, of: insert.table, database)
    guard mine.count == found.count else { throw RestError.denied(insert.table.name) }
    return found
  }

  private static func checkReferences(
    _ row: [String: RestValue], of table: RestTable, _ database: Database
  ) throws {
    for reference in table.references {
      guard let value = row[reference.column], !value.isNull,
        let target = Catalogue.table(reference.target), let key = target.columns.first
      else { continue }
      let found = try keys([.compare(key, .equal, value)], key, of: target, database)
      guard found.isEmpty else { continue }
      throw RestError.unknownReference(table.name, reference.column, to: reference.target)
    }
  }

  /// Notes what devices told just now of how far they are: it says nothing of what comes after this moment.
  private static func mark(
    _ ids: [String], of table: RestTable, _ database: Database, at now: WallTime
  ) throws {
    guard table.name == Catalogue.syncMetadata.name else { return }
    for id in ids {
      try database.cachedStatement(
        sql: """
          UPDATE sync_metadata SET
            went_back_at = iif(max(min(last_sync_at, ?1), 0) / 1000 < through, ?1, went_back_at),
            through = max(min(last_sync_at, ?1), 0) / 1000, received_at = ?1
          WHERE id = ?2
          """
      ).execute(arguments: [now.milliseconds, id])
    }
  }

  /// An account has so many devices at most; those that told something longest ago are forgotten.
  private static func forgetDevices(
    beside ids: [String], of table: RestTable, _ database: Database
  ) throws {
    guard table.name == Catalogue.syncMetadata.name, !ids.isEmpty else { return }
    try database.cachedStatement(
      sql: """
        WITH news AS (SELECT value AS id FROM json_each(?1))
        DELETE FROM sync_metadata WHERE id IN (
          SELECT id FROM (
            SELECT id, row_number() OVER (
              PARTITION BY user_id ORDER BY id IN (SELECT id FROM news) DESC, received_at DESC, id) AS place
            FROM sync_metadata
            WHERE user_id IN (SELECT user_id FROM sync_metadata WHERE id IN (SELECT id FROM news)))
          WHERE place > ?2)
        """
    ).execute(
      arguments: [
        "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]", RestLimits.devices,
      ])
  }

  /// Up to which second posts have handed in everything, as their devices say: all that told anything lately have
  /// to say that nothing waits, and the one counts that did so first. Each account has devices of its own, whatever
  /// these are called. Of one whose clock may have been wrong so much less is certain.
  ///
  /// - Parameter users: Whose posts; nil for all.
  static func reports(
    of users: [String]?, _ database: Database
  ) throws -> [(post: CheckpostCode, through: Int64)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          WITH devices AS (
            SELECT w.name AS post, m.through - coalesce(d.seconds, 0) AS through, m.pending_count, m.received_at,
              max(m.received_at) OVER (PARTITION BY w.name) AS newest
            FROM sync_metadata m JOIN api_user_profiles u ON u.id = m.user_id
              JOIN wire_names w ON w.kind = 'post' AND w.uuid = u.assigned_checkpost_id
              LEFT JOIN device_clocks d ON d.user_id = m.user_id AND d.device_id = m.device_id
            WHERE m.through IS NOT NULL AND (?2 IS NULL OR u.assigned_checkpost_id IN (
              SELECT assigned_checkpost_id FROM api_user_profiles
              WHERE id IN (SELECT value FROM json_each(?2)))))
          SELECT post, min(through) FROM devices
          WHERE received_at > newest - ?1
          GROUP BY post HAVING max(pending_count) = 0 AND min(pending_count) = 0 ORDER BY post
          """),
      arguments: [
        CentralCore.Limits.deviceSilence.components.seconds * 1_000,
        users.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" },
      ]
    ).map { row in
      (post: CheckpostCode(asItStands: row[0] as String), through: row[1])
    }
  }

  static func update(
    _ update: RestUpdate, _ database: Database, at now: WallTime
  ) throws -> RestChange {
    guard !update.changes.isEmpty else { return RestChange([], count: 0) }
    var update = update
    for index in update.changes.indices {
      if case .time(let micros) = update.changes[index].value {
        update.changes[index].value = .time(micros - (micros % 1_000 + 1_000) % 1_000)
      }
    }
    let ids = try ids(SQLWriter.update(update, .sqlite), update.table, database)
    if update.changes.contains(where: { ["outcome_type", "notes"].contains($0.column.name) }) {
      try FineRows.check(ids, of: update.table, database)
    }
    try mark(ids, of: update.table, database, at: now)
    try update.telling.check(ids.count)
    let rows = try told(ids, update.table, update.telling, database)
    try note(ids, .outcomeChanged, update.table, update.principal, now, database)
    return RestChange(rows, count: ids.count)
  }

  static func delete(
    _ delete: RestDelete, _ database: Database, at now: WallTime
  ) throws -> RestChange {
    // They are told as they were.
    guard let key = delete.table.columns.first else { return RestChange([], count: 0) }
    let before = try keys(
      [delete.filter, delete.removable, delete.telling.visible], key, of: delete.table, database)
    let rows = try told(before, delete.table, delete.telling, database)
    let ids = try ids(SQLWriter.delete(delete, .sqlite), delete.table, database)
    try delete.telling.check(ids.count)
    try note(ids, .outcomeRemoved, delete.table, delete.principal, now, database)
    return RestChange(rows, count: ids.count)
  }

  private static func ids(
    _ statement: SQLStatement, _ table: RestTable, _ database: Database
  ) throws -> [String] {
    do {
      return try String.fetchAll(
        cached(statement, database), arguments: arguments(statement))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw refusal(error, table)
    }
  }

  /// Which rule of a table stands in the way.
  private static func refusal(_ error: DatabaseError, _ table: RestTable) -> RestError {
    let message = error.message ?? ""
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY:
      let unique = table.uniques.last { unique in
        unique.columns.allSatisfy { message.contains("\(table.name).\($0)") }
      }
      return .duplicate(unique?.name ?? "\(table.name)_pkey")
    default: return .check(table.name, "row")
    }
  }

  static func told(
    _ ids: [String], _ table: RestTable, _ telling: RestTelling, _ database: Database
  ) throws -> [String] {
    guard telling.tells, let key = table.columns.first else { return [] }
    let rows = try ids.flatMap { try read(telling.read(key, .text($0)), database) }
    guard rows.count == ids.count else { throw RestError.denied(table.name) }
    return rows
  }

  private static func randomName() -> String {
    ClientID(random: .random(in: .min ... .max), .random(in: .min ... .max)).description
  }
}
