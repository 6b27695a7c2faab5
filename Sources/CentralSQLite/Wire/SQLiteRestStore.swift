public import CentralCore
import Dispatch
import GRDB
import Passages
public import RestAPI
import RestSQL
import SQLiteFile
import Storage
public import Time

/// The tables of the API, on the rows of the central.
///
/// Passages are not inserted as they are: each is a report, which is recognised and judged with what is there,
/// in the same transaction. What is read are views of what stands.
public final class SQLiteRestStore: RestStore, Sendable {
  let file: SQLiteFile
  private let rules: @Sendable () -> JudgingRules
  private let onChanges: @Sendable (JudgedChanges) -> Void
  private let statementTimeout: Duration
  private let writeTimeout: Duration
  /// One call of the API at a time waits for the only writer: a text that comes meanwhile waits for that one alone,
  /// and not for all that somebody hands in at once.
  private let turn = DispatchSemaphore(value: 1)

  /// A store beside its central's, on the same file.
  ///
  /// - Parameters:
  ///   - rules: The numbers that are judged by now.
  ///   - statementTimeout: How long it may take to read, to change and to remove rows, which are looked for; what takes longer
  ///     is ended, and refused.
  ///   - writeTimeout: How long a call may have the file for itself; what takes longer is taken back, and refused.
  ///   - onChanges: Told what a judgement changed, once it is on disk; that nothing did, where the directory changed, by
  ///     which what is there is to be judged.
  public init(
    of store: SQLiteCentralStore, rules: @escaping @Sendable () -> JudgingRules,
    statementTimeout: Duration = Limits.statementTimeout,
    writeTimeout: Duration = Limits.writeTimeout,
    onChanges: @escaping @Sendable (JudgedChanges) -> Void
  ) {
    file = store.file
    self.statementTimeout = statementTimeout
    self.writeTimeout = writeTimeout
    self.rules = rules
    self.onChanges = onChanges
  }

  /// Reads rows, as their view shows them, beside whoever writes.
  public func read(_ read: RestRead) throws(RestError) -> RestRows {
    try reading { database in
      var room = RestLimits.answerBytes
      let read = try WireRows.byPlates(read, database)
      let rows = try WireRows.read(read, database, room: &room)
      guard read.counts else { return RestRows(rows) }
      return RestRows(rows, total: try WireRows.count(read, database))
    }
  }

  /// Reads the rows of some reads, likewise; all of them together may take as long as one.
  public func rows(of reads: [RestRead]) throws(RestError) -> [String] {
    try reading { database in
      var room = RestLimits.answerBytes
      return try reads.flatMap { try WireRows.read($0, database, room: &room) }
    }
  }

  func reading<Value>(_ body: (Database) throws -> Value) throws(RestError) -> Value {
    var refusal: RestError?
    do {
      return try file.concurrentRead(
        within: statementTimeout, longestText: RestLimits.answerBytes
      ) { database in
        do {
          return try body(database)
        } catch let error as RestError {
          refusal = error
          throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
          refusal = .answerTooLong
          throw error
        }
      }
    } catch {
      throw refusal ?? timeout(error) ?? RestError(reading: error)
    }
  }

  /// Puts rows in, all or none; passages are judged with it.
  public func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    let rules = rules()
    if insert.table.isOfDirectory {
      return try directory { database in
        let (ids, known) = try directoryWriting(database, rules, now).insert(insert)
        return try change(
          ids, known: known, of: insert.table, insert.telling, database)
      }
    }
    if insert.table.name == Catalogue.profiles.name {
      return try directory { database in
        let rows = AccountRows(database: database, path: file.path)
        let ids = try ProfileWriting.insert(insert, rows, at: now).get()
        return try change(ids, of: insert.table, insert.telling, database)
      }
    }
    guard insert.table.name == Catalogue.passages.name else {
      return try judged { database in
        let change = try WireRows.insert(insert, database, at: now)
        return (change, try reported(insert.table, insert.reporters, database, rules, now))
      }
    }
    do throws(RestError) {
      return try judged { database in
        var writing = writing(database, rules, now)
        let change = try writing.insert(insert)
        return (change, writing.changes)
      }
    } catch {
      // Refused as a whole; but that it came again, and by whom, is something to know of what is there. A
      // post takes the conflict for success, so it is told only once that is kept.
      if error.code == "23505" {
        _ = try judged { database in
          var writing = writing(database, rules, now)
          try writing.addToKnown(insert)
          return (RestChange([], count: 0), writing.changes)
        }
      }
      throw error
    }
  }

  /// Changes rows; a change of a passage is a correction, and judged.
  public func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    let end = ContinuousClock.now + statementTimeout
    var update = update
    update.filter = try narrowed(
      update.filter, [update.changeable, update.telling.visible], of: update.table, until: end)
    let rules = rules()
    if update.table.isOfDirectory {
      return try directory(within: left(until: end)) { database in
        guard let key = update.table.columns.first else { return RestChange([], count: 0) }
        let ids = try WireRows.keys(
          [update.filter, update.changeable, update.telling.visible], key, of: update.table,
          database)
        try directoryWriting(database, rules, now).update(update, of: ids)
        return try change(ids, of: update.table, update.telling, database)
      }
    }
    return try judged(within: left(until: end)) { database in
      guard update.table.name == Catalogue.passages.name else {
        let change =
          try peopleChange(update, database, at: now)
          ?? WireRows.update(update, database, at: now)
        return (change, try reported(update.table, update.reporters, database, rules, now))
      }
      var writing = writing(database, rules, now)
      let change = try writing.update(update)
      return (change, writing.changes)
    }
  }

  /// Removes rows.
  public func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
    let end = ContinuousClock.now + statementTimeout
    var delete = delete
    delete.filter = try narrowed(
      delete.filter, [delete.removable, delete.telling.visible], of: delete.table, until: end)
    guard delete.table.isOfDirectory else {
      return try write(within: left(until: end)) { try WireRows.delete(delete, $0, at: now) }
    }
    let rules = rules()
    return try directory(within: left(until: end)) { database in
      guard let key = delete.table.columns.first else { return RestChange([], count: 0) }
      let ids = try WireRows.keys(
        [delete.filter, delete.removable, delete.telling.visible], key, of: delete.table, database)
      // They are told as they were.
      let told = try change(ids, of: delete.table, delete.telling, database)
      try directoryWriting(database, rules, now).delete(delete, of: ids)
      return told
    }
  }

  /// The filter of a change, together with the keys of the rows that fulfil it now.
  ///
  /// Rows that are not asked for by a key are looked for on a connection that only reads, so that nobody who has
  /// something to write waits meanwhile. What such a row says is looked at again when it is changed, and what comes to
  /// fulfil the filter in between is not changed: as PostgreSQL does it (Read Committed).
  private func narrowed(
    _ filter: RestFilter, _ others: [RestFilter], of table: RestTable,
    until end: ContinuousClock.Instant
  ) throws(RestError) -> RestFilter {
    guard let key = table.columns.first, !table.isKeyed(by: filter) else { return filter }
    let found: [String]
    do {
      found = try file.concurrentRead(within: left(until: end)) { database in
        try WireRows.keys(
          [filter] + others, key, of: table, limit: RestLimits.bodyRows + 1, database)
      }
    } catch {
      throw timeout(error) ?? RestError(error)
    }
    guard found.count <= RestLimits.bodyRows else { throw WireRows.tooMany }
    return .all([.oneOf(key, found.map { .text($0) }), filter])
  }

  /// Takes it that posts handed in everything, where a device said so just now.
  private func reported(
    _ table: RestTable, _ users: [String]?, _ database: Database, _ rules: JudgingRules,
    _ now: WallTime
  ) throws -> JudgedChanges {
    var changes = JudgedChanges()
    guard table.name == Catalogue.syncMetadata.name else { return changes }
    let rows = InboxTransaction(database: database, path: file.path)
    for (post, through) in try WireRows.reports(of: users, database) {
      changes.append(
        try rows.report(
          post, through: through, receivedAt: now, by: .devices, rules: rules, at: now))
    }
    return changes
  }

  /// Writes what judging goes by, and tells the service that judges.
  private func directory(
    within limit: Duration? = nil, _ body: (Database) throws -> RestChange
  ) throws(RestError) -> RestChange {
    let change = try write(within: limit, body)
    onChanges(JudgedChanges())
    return change
  }

  private func directoryWriting(
    _ database: Database, _ rules: JudgingRules, _ now: WallTime
  ) -> DirectoryWriting<WireDirectory> {
    DirectoryWriting(
      into: WireDirectory(database: database, path: file.path, rules: rules), at: now)
  }

  private func change(
    _ ids: [String], known: Set<String> = [], of table: RestTable, _ telling: RestTelling,
    _ database: Database
  ) throws -> RestChange {
    try telling.check(ids.count)
    return RestChange(
      try WireRows.told(ids, table, telling, database), count: ids.count,
      isAllMerged: !ids.isEmpty && ids.allSatisfy(known.contains))
  }

  private func judged(
    within limit: Duration? = nil, _ body: (Database) throws -> (RestChange, JudgedChanges)
  ) throws(RestError) -> RestChange {
    let (change, changes) = try write(within: limit, body)
    if !changes.isEmpty { onChanges(changes) }
    return change
  }

  private func writing(
    _ database: Database, _ rules: JudgingRules, _ now: WallTime
  ) -> PassageWriting<WirePassages> {
    PassageWriting(
      into: WirePassages(database, path: file.path, rules: rules, now: now), at: now)
  }

  /// Runs `body` in one transaction; what it refuses takes all of it back.
  func write<Value>(
    within limit: Duration? = nil, _ body: (Database) throws -> Value
  ) throws(RestError) -> Value {
    let limit = min(limit ?? writeTimeout, writeTimeout)
    // What waits is not begun, so that nothing of it has to be taken back.
    guard turn.wait(timeout: .now() + .nanoseconds(Int(limit.wholeNanoseconds))) == .success else {
      throw .statementTimeout
    }
    defer { turn.signal() }
    var refusal: RestError?
    do {
      return try file.write(within: limit) { database in
        do {
          return try body(database)
        } catch let error as RestError {
          refusal = error
          throw error
        } catch let failure as PassageFailure {
          if case .failed(let error) = failure { throw error }
          refusal = RestError(failure)
          throw failure
        }
      }
    } catch {
      throw refusal ?? timeout(error) ?? RestError(error)
    }
  }

  private func left(until end: ContinuousClock.Instant) -> Duration {
    ContinuousClock.now.duration(to: end)
  }

  /// What is answered where a failure is that it took too long; nil for any other.
  private func timeout(_ error: StorageError) -> RestError? {
    error == .tookTooLong(path: file.path) ? .statementTimeout : nil
  }
}
