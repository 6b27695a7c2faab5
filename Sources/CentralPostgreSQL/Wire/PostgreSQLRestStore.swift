public import CentralCore
import Dispatch
import PostgreSQL
public import RestAPI
import RestSQL
import Storage
public import Time

/// The tables of the API, on the rows of a central in PostgreSQL.
///
/// Passages are not inserted as they are: each is a report, which is recognised and judged with what is there, in
/// the same transaction. What is read are views of what stands, and who may read what is decided here, by the
/// conditions that come with a request.
public final class PostgreSQLRestStore: RestStore, Sendable {
  let store: PostgreSQLCentralStore
  let writeTimeout: Duration
  let onChanges: @Sendable (JudgedChanges) -> Void
  /// However many calls of the API are under way, and for however long, one connection is there for texts and for
  /// those who sign in.
  private let room: DispatchSemaphore

  /// A store on the connections of its central's.
  ///
  /// By which numbers passages are judged, the database says.
  ///
  /// - Parameters:
  ///   - writeTimeout: How long a call may write; what takes longer is taken back, and refused.
  ///   - onChanges: Told what a judgement changed, once it is committed; that nothing did, where the directory
  ///     changed, by which what is there is to be judged.
  public init(
    of store: PostgreSQLCentralStore, writeTimeout: Duration = Limits.writtenWithin,
    onChanges: @escaping @Sendable (JudgedChanges) -> Void
  ) {
    self.store = store
    room = DispatchSemaphore(value: store.connections - 1)
    self.writeTimeout = writeTimeout
    self.onChanges = onChanges
  }

  /// Reads rows, as their view shows them.
  public func read(_ read: RestRead) throws(RestError) -> RestRows {
    let read = try byPlates(read)
    let select = WireTables.command(SQLWriter.select(read, .postgreSQL))
    guard read.counts else {
      return try perform(store.run, isReading: true) { connection throws(WireFailure) in
        try WireFailure.sorting(read.table) { () throws(PostgreSQLError) in
          RestRows(
            try WireTables.texts(try connection.query(select.text, select.values, isReading: true)))
        }
      }
    }
    let count = WireTables.command(SQLWriter.count(read, .postgreSQL))
    return try perform(store.readAll, isReading: true) { connection throws(WireFailure) in
      try WireFailure.sorting(read.table) { () throws(PostgreSQLError) in
        let results = try connection.pipeline([select, count], isReading: true)
        let total = try results[1].firstRow().value(0, .integer)
        return RestRows(try WireTables.texts(results[0]), total: Int(total))
      }
    }
  }

  /// The same question, by the plates that fulfil its patterns where these are few: an index has the plates, and
  /// finds their rows.
  private func byPlates(_ read: RestRead) throws(RestError) -> RestRead {
    guard read.table.name == Catalogue.passages.name, !read.isByIdentity else { return read }
    var read = read
    read.filter = try read.filter.replacingPatterns(of: "plate_number") {
      pattern, ignoresCase throws(RestError) in
      try perform(store.run, isReading: true) { connection throws(WireFailure) -> [String]? in
        do throws(PostgreSQLError) {
          let result = try connection.query(
            """
            SELECT DISTINCT v.plate_number FROM public.vehicle_passages v
            WHERE v.plate_number \(ignoresCase ? "ILIKE" : "LIKE") $1 LIMIT $2
            """, [.text(pattern), .integer(Int64(Limits.fewPlates) + 1)], isReading: true)
          let plates = try WireTables.texts(result)
          return plates.count > Limits.fewPlates ? nil : plates
        } catch {
          throw .failed(error)
        }
      }
    }
    return read
  }

  /// Reads the rows of some reads; all of them together may take as long as one.
  public func rows(of reads: [RestRead]) throws(RestError) -> [String] {
    guard let table = reads.first?.table else { return [] }
    return try perform(store.run, isReading: true) { connection throws(WireFailure) in
      let end = ContinuousClock.now + Limits.toldWithin
      var left = reads[...]
      var (rows, room) = ([String](), RestLimits.answerBytes)
      while !left.isEmpty {
        let some = Array(left.prefix(Limits.toldAtOnce))
        left = left.dropFirst(some.count)
        let told = try WireFailure.sorting(table) { () throws(PostgreSQLError) in
          try WireTables(connection: connection).rows(of: some)
        }
        room -= told.reduce(0) { $0 + $1.utf8.count }
        guard room >= 0 else { throw .refused(.answerTooLong) }
        guard ContinuousClock.now < end else { throw .refused(.statementTimeout) }
        rows += told
      }
      return rows
    }
  }

  /// Puts rows in, all or none; passages are judged with it.
  public func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    if insert.table.isOfDirectory {
      return try directory(insert.table, insert.telling, at: now) {
        writing throws(PassageFailure) in
        try writing.insert(insert)
      }
    }
    if insert.table.name == Catalogue.profiles.name { return try addProfiles(insert, at: now) }
    guard insert.table.name == Catalogue.passages.name else {
      return try reported(insert.table, insert.reporters, at: now) { tables throws(WireFailure) in
        try tables.insert(insert, at: now)
      }
    }
    do throws(RestError) {
      return try judged(at: now) { writing throws(PassageFailure) in try writing.insert(insert) }
    } catch {
      // Refused as a whole; but that it came again, and by whom, is something to know of what is there. A
      // post takes the conflict for success, so it is told only once that is kept.
      if error.code == "23505" {
        _ = try judged(at: now) { writing throws(PassageFailure) in
          try writing.addToKnown(insert)
          return RestChange([], count: 0)
        }
      }
      throw error
    }
  }

  /// Changes rows; a change of a passage is a correction, and judged.
  public func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    if update.table.name == Catalogue.profiles.name { return try changeProfiles(update, at: now) }
    if update.table.name == Catalogue.alerts.name { return try endAlerts(update, at: now) }
    if update.table.isOfDirectory {
      return try directory(
        update.table, update.telling, at: now,
        of: [update.filter, update.changeable, update.telling.visible]
      ) { writing, ids throws(PassageFailure) in try writing.update(update, of: ids) }
    }
    guard update.table.name == Catalogue.passages.name else {
      return try reported(update.table, update.reporters, at: now) { tables throws(WireFailure) in
        try tables.update(update, at: now)
      }
    }
    return try judged(at: now) { writing throws(PassageFailure) in try writing.update(update) }
  }

  /// Removes rows.
  public func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
    if delete.table.isOfDirectory {
      return try directory(
        delete.table, delete.telling, at: now, isTellingBefore: true,
        of: [delete.filter, delete.removable, delete.telling.visible]
      ) { writing, ids throws(PassageFailure) in try writing.delete(delete, of: ids) }
    }
    return try perform(writing) { connection throws(WireFailure) in
      try WireTables(connection: connection).delete(delete, at: now)
    }
  }

  // MARK: - Transactions

  /// Writes rows of a table as it is; what a device says of how far it is, is the word of its post.
  private func reported(
    _ table: RestTable, _ users: [String]?, at now: WallTime,
    _ body: @escaping @Sendable (WireTables) throws(WireFailure) -> RestChange
  ) throws(RestError) -> RestChange {
    let isOfDevices = table.name == Catalogue.syncMetadata.name
    let (change, changes) = try perform(writing) { connection throws(WireFailure) in
      let tables = WireTables(connection: connection)
      guard isOfDevices else { return (try body(tables), JudgedChanges()) }
      do throws(PostgreSQLError) {
        _ = try connection.query(
          "SELECT set_config('checkpost.devices', 'service', true), set_config('checkpost.moment', $1, true)",
          [.text(now.rfc3339)])
      } catch {
        throw .failed(error)
      }
      let change = try body(tables)
      do throws(PostgreSQLError) {
        return (change, try JudgingDatabase(connection).reportDevices(of: users, at: now))
      } catch {
        throw .failed(error)
      }
    }
    if !changes.isEmpty { onChanges(changes) }
    return change
  }

  private func judged(
    at now: WallTime,
    _ body:
      @escaping @Sendable (inout PassageWriting<WirePassageTables>) throws(PassageFailure) ->
      RestChange
  ) throws(RestError) -> RestChange {
    let place = store.place
    let (change, changes) = try perform(writing) { connection throws(WireFailure) in
      let passages = WirePassageTables(connection, of: place, now: now)
      var writing = PassageWriting(into: passages, at: now)
      do throws(PassageFailure) {
        let change = try body(&writing)
        return (change, writing.changes)
      } catch {
        // The database's own words say whether it may be tried again.
        if let failure = passages.failure { throw .failed(failure) }
        throw .refused(RestError(error))
      }
    }
    if !changes.isEmpty { onChanges(changes) }
    return change
  }

  /// Runs `work` in one transaction, which may take no longer than a call may write.
  func writing<Value: Sendable>(
    _ work: @escaping Work<Value>
  ) throws(StorageError) -> Result<Value, RestError> {
    try store.write(within: writeTimeout, work)
  }

  /// The same in one of those that come one after the other.
  func writingInTurn<Value: Sendable>(
    _ work: @escaping Work<Value>
  ) throws(StorageError) -> Result<Value, RestError> {
    try store.writeInTurn(within: writeTimeout, work)
  }

  typealias Work<Value> =
    @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Result<Value, RestError>

  /// Runs `body`; what it refuses takes back all that it did.
  func perform<Value: Sendable>(
    _ run: (@escaping Work<Value>) throws(StorageError) -> Result<Value, RestError>,
    isReading: Bool = false,
    _ body: @escaping @Sendable (PostgreSQLConnection) throws(WireFailure) -> Value
  ) throws(RestError) -> Value {
    guard room.wait(timeout: .now() + Limits.roomWithin) == .success else { throw .noConnection }
    defer { room.signal() }
    let outcome: Result<Value, RestError>
    do throws(StorageError) {
      outcome = try run { connection throws(PostgreSQLError) in
        do throws(WireFailure) {
          return .success(try body(connection))
        } catch {
          switch error {
          case .refused(let refusal):
            connection.rollBackAtEnd()
            return .failure(refusal)
          case .failed(let failure): throw failure
          }
        }
      }
    } catch {
      throw isReading ? RestError(reading: error) : RestError(error)
    }
    return try outcome.get()
  }
}
