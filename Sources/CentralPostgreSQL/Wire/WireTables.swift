import Accounts
import PostgreSQL
import RestAPI
import RestSQL
import Time

/// Rows of the API, and tables that are written as they are, over a connection in a transaction.
struct WireTables {
  let connection: PostgreSQLConnection

  static func command(_ statement: SQLStatement) -> PostgreSQLCommand {
    PostgreSQLCommand(statement.text, values(statement))
  }

  private static func values(_ statement: SQLStatement) -> [PostgreSQLValue] {
    statement.parameters.map { value in
      switch value {
      case .null: .null
      case .text(let text): .text(text)
      case .flag(let flag): .bool(flag)
      case .integer(let number): .integer(number)
      case .number(let number): .text("\(number)")
      case .time(let micros): .text(RestMoment.text(micros))
      }
    }
  }

  /// The rows of some reads, one after the other.
  func rows(of reads: [RestRead]) throws(PostgreSQLError) -> [String] {
    let results = try connection.pipeline(
      reads.map { WireTables.command(SQLWriter.select($0, .postgreSQL)) }, isReading: true)
    var rows: [String] = []
    for result in results { rows += try WireTables.texts(result) }
    return rows
  }

  static func texts(_ result: PostgreSQLResult) throws(PostgreSQLError) -> [String] {
    var texts: [String] = []
    for row in result.rows { texts.append(try row.value(0, .text)) }
    return texts
  }

  /// The values of a column of the rows that fulfil conditions.
  func keys(
    _ filters: [RestFilter], _ column: RestColumn, of table: RestTable
  ) throws(WireFailure) -> [String] {
    let statement = SQLWriter.keys(
      filters, column, of: table, limit: RestLimits.bodyRows + 1, .postgreSQL)
    let found = try failing { () throws(PostgreSQLError) in
      try WireTables.texts(try query(statement))
    }
    guard found.count <= RestLimits.bodyRows else {
      throw .refused(
        RestError(
          "54001", "the request changes more than \(RestLimits.bodyRows) rows", status: 413))
    }
    return found
  }

  private func query(_ statement: SQLStatement) throws(PostgreSQLError) -> PostgreSQLResult {
    try connection.query(statement.text, WireTables.values(statement))
  }

  private func failing<Value>(
    _ body: () throws(PostgreSQLError) -> Value
  ) throws(WireFailure) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw .failed(error)
    }
  }

  // MARK: - Tables as they are

  func insert(_ insert: RestInsert, at now: WallTime) throws(WireFailure) -> RestChange {
    guard !insert.rows.isEmpty else { return RestChange([], count: 0) }
    try admit(insert)
    for row in insert.rows { try checkKnown(row, insert) }
    var ids: [String] = []
    var new: [String] = []
    do throws(PostgreSQLError) {
      for row in try query(SQLWriter.insert(insert, .postgreSQL)).rows {
        ids.append(try row.value(0, .text))
        if try row.value(1, .bool) { new.append(try row.value(0, .text)) }
      }
    } catch {
      throw WireFailure(error, in: insert.table)
    }
    try check(insert.telling, ids.count)
    try noteClocks(insert)
    let rows = try told(ids, insert.table, insert.telling)
    let added = Set(new)
    try note(new, .outcomeAdded, insert.table, insert.principal, now)
    try note(
      ids.filter { !added.contains($0) }, .outcomeChanged, insert.table, insert.principal, now)
    return RestChange(rows, count: ids.count, isAllMerged: !ids.isEmpty && added.isEmpty)
  }

  /// Notes by how many seconds the clocks of devices may have been wrong.
  private func noteClocks(_ insert: RestInsert) throws(WireFailure) {
    guard insert.table.name == Catalogue.syncMetadata.name else { return }
    for row in insert.rows {
      guard let user = row["user_id"]?.text, let device = row["device_id"]?.text else { continue }
      let seconds = insert.clockDoubt(of: row)
      _ = try failing { () throws(PostgreSQLError) in
        try connection.query(
          "SELECT checkpost.doubt_device($1::uuid, $2::text, $3::bigint)",
          [.text(user), .text(device), .integer(seconds)])
      }
    }
  }

  /// Refuses rows that name a row of another table which the caller may not see, whatever is there already.
  private func admit(_ insert: RestInsert) throws(WireFailure) {
    guard case .through(let column, let table, let part) = insert.admissible,
      let key = table.columns.first
    else { return }
    for row in insert.rows {
      let found = try keys(
        [.compare(key, .equal, row[column.name] ?? .null), part], key, of: table)
      guard !found.isEmpty else { throw .refused(.denied(insert.table.name)) }
    }
  }

  /// Writes down who noted what of violations.
  private func note(
    _ ids: [String], _ kind: AuditEntry.Kind, _ table: RestTable, _ principal: RestPrincipal,
    _ now: WallTime
  ) throws(WireFailure) {
    guard table.name == Catalogue.outcomes.name, !ids.isEmpty else { return }
    _ = try failing { () throws(PostgreSQLError) in
      try connection.query(
        """
        INSERT INTO checkpost.audit (at, kind, actor, detail)
          SELECT $1, $2, $3, u.id || CASE WHEN $5 THEN coalesce(', ' || checkpost.fine_reason(u.id::uuid), '')
            ELSE '' END
          FROM unnest($4::text[]) WITH ORDINALITY AS u(id, place) ORDER BY u.place
        """,
        [
          .time(now), .text(kind.rawValue), .text(principal.name), .texts(ids),
          .bool(kind != .outcomeRemoved),
        ])
    }
  }

  /// Refuses a row that is to be merged into one of somebody else.
  private func checkKnown(
    _ row: [String: RestValue], _ insert: RestInsert
  ) throws(WireFailure) {
    guard case .merge(let unique) = insert.resolution, let key = insert.table.columns.first else {
      return
    }
    let same = unique.columns.compactMap { name in
      insert.table.column(name).map { RestFilter.compare($0, .equal, row[name] ?? .null) }
    }
    let found = try keys(same, key, of: insert.table)
    guard !found.isEmpty else { return }
    let mine = try keys(same + [insert.changeable], key, of: insert.table)
    guard mine.count == found.count else { throw .refused(.denied(insert.table.name)) }
  }

  func update(_ update: RestUpdate, at now: WallTime) throws(WireFailure) -> RestChange {
    guard !update.changes.isEmpty else { return RestChange([], count: 0) }
    let ids = try self.ids(SQLWriter.update(update, .postgreSQL), update.table)
    try check(update.telling, ids.count)
    let rows = try told(ids, update.table, update.telling)
    try note(ids, .outcomeChanged, update.table, update.principal, now)
    return RestChange(rows, count: ids.count)
  }

  func delete(_ delete: RestDelete, at now: WallTime) throws(WireFailure) -> RestChange {
    // They are told as they were.
    guard let key = delete.table.columns.first else { return RestChange([], count: 0) }
    let before = try keys(
      [delete.filter, delete.removable, delete.telling.visible], key, of: delete.table)
    let rows = try told(before, delete.table, delete.telling)
    let ids = try self.ids(SQLWriter.delete(delete, .postgreSQL), delete.table)
    try check(delete.telling, ids.count)
    try note(ids, .outcomeRemoved, delete.table, delete.principal, now)
    return RestChange(rows, count: ids.count)
  }

  private func ids(
    _ statement: SQLStatement, _ table: RestTable
  ) throws(WireFailure) -> [String] {
    try WireFailure.sorting(table) { () throws(PostgreSQLError) in
      try WireTables.texts(try query(statement))
    }
  }

  func check(_ telling: RestTelling, _ count: Int) throws(WireFailure) {
    do throws(RestError) {
      try telling.check(count)
    } catch {
      throw .refused(error)
    }
  }

  func told(
    _ ids: [String], _ table: RestTable, _ telling: RestTelling
  ) throws(WireFailure) -> [String] {
    guard telling.tells, let key = table.columns.first, !ids.isEmpty else { return [] }
    let rows = try failing { () throws(PostgreSQLError) -> [String] in
      try self.rows(of: ids.map { telling.read(key, .text($0)) })
    }
    guard rows.count == ids.count else { throw .refused(.denied(table.name)) }
    return rows
  }
}
