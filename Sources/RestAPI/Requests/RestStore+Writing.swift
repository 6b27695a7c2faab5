import Time

/// What is written is told beside the transaction that writes it: a caller who asks for much of it keeps nobody waiting
/// who has something to write.
extension RestStore {
  /// Puts rows in, and tells them as they stand then.
  func writing(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    guard insert.telling.tells, let key = Self.key(of: insert.table) else {
      return try self.insert(insert, at: now)
    }
    var silent = insert
    silent.telling = insert.telling.keys(key)
    var change = try self.insert(silent, at: now)
    change.rows = try told(change, insert.telling, key)
    return change
  }

  /// Changes rows, some at a time, and tells them as they stand then. Which ones is looked up first; what no longer
  /// fulfils the filter when its turn comes is left alone.
  func writing(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    guard let key = Self.key(of: update.table), let id = update.table.columns.first else {
      return try self.update(update, at: now)
    }
    let found = try keys(
      [update.filter, update.changeable], update.telling.visible, id, of: update.table)
    if found.count > 1 { try update.telling.check(found.count) }
    var part = update
    if update.telling.tells { part.telling = update.telling.keys(key) }
    var change = RestChange([], count: 0)
    var left = found[...]
    repeat {
      let slice = left.prefix(RestLimits.changedAtOnce)
      left = left.dropFirst(slice.count)
      part.filter = .all([.oneOf(id, slice.map { .text($0) }), update.filter])
      do throws(RestError) {
        let written = try self.update(part, at: now)
        change.rows += written.rows
        change.count += written.count
      } catch {
        guard change.count > 0 else { throw error }
        var refusal = error
        refusal.details = "\(change.count) of \(found.count) rows were changed before that."
        throw refusal
      }
    } while !left.isEmpty
    if update.telling.tells { change.rows = try told(change, update.telling, key) }
    return change
  }

  /// Removes rows, and tells them as they were.
  func writing(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
    guard delete.telling.tells, let id = delete.table.columns.first else {
      return try self.delete(delete, at: now)
    }
    let found = try keys(
      [delete.filter, delete.removable], delete.telling.visible, id, of: delete.table)
    let reads = found.map { delete.telling.read(id, .text($0)) }
    var rows: [String: String] = [:]
    // One that is gone meanwhile has no row, so each is asked for by itself.
    for (id, row) in zip(found, try each(reads)) where row != nil { rows[id] = row }
    var known = delete
    known.telling = delete.telling.keys(id)
    known.filter = .all([.oneOf(id, rows.keys.sorted().map { .text($0) }), delete.filter])
    var change = try self.delete(known, at: now)
    change.rows = Self.values(of: id, in: change.rows).compactMap { rows[$0] }
    return change
  }

  /// The column by which what was written is asked for again: a passage that came under several identities is told as
  /// the one that was handed in.
  private static func key(of table: RestTable) -> RestColumn? {
    table.column("client_id") ?? table.columns.first
  }

  /// The keys of the rows that fulfil conditions, each once.
  private func keys(
    _ filters: [RestFilter], _ visible: RestFilter, _ id: RestColumn, of table: RestTable
  ) throws(RestError) -> [String] {
    let rows = try read(
      RestRead(
        selection: RestSelection(id, of: table), filter: .all(filters), visible: visible,
        limit: RestLimits.bodyRows + 1)
    ).rows
    guard rows.count <= RestLimits.bodyRows else {
      throw RestError(
        "54001", "the request changes more than \(RestLimits.bodyRows) rows", status: 413)
    }
    var seen: Set<String> = []
    return Self.values(of: id, in: rows).filter { seen.insert($0).inserted }
  }

  private static func values(of column: RestColumn, in rows: [String]) -> [String] {
    rows.compactMap { RestJSON(Array($0.utf8))?.object?[column.name]?.text }
  }

  private func told(
    _ change: RestChange, _ telling: RestTelling, _ key: RestColumn
  ) throws(RestError) -> [String] {
    let keys = Self.values(of: key, in: change.rows)
    guard !keys.isEmpty else { return [] }
    do throws(RestError) {
      return try rows(of: keys.map { telling.read(key, .text($0)) })
    } catch {
      throw error.afterWriting()
    }
  }

  /// The row of each read; nil where there is none.
  private func each(_ reads: [RestRead]) throws(RestError) -> [String?] {
    let rows = try rows(of: reads)
    // All are there, as almost always.
    if rows.count == reads.count { return rows }
    var found: [String?] = []
    for read in reads { found.append(try self.rows(of: [read]).first) }
    return found
  }
}
