import Accounts
import CentralCore
import Passages
import PostgreSQL
import RestAPI
import RestSQL
import Storage
import Time

/// What writing parks, segments and posts over the API needs of the database, over a connection in a transaction of
/// those that come one after the other.
final class WireDirectoryTables: DirectoryStore {
  private let rows: WireTables
  private let place: String
  /// What the database failed with first.
  private(set) var failure: PostgreSQLError?

  private var connection: PostgreSQLConnection { rows.connection }

  init(_ connection: PostgreSQLConnection, of place: String) {
    rows = WireTables(connection: connection)
    self.place = place
  }

  func keys(
    _ filters: [RestFilter], of table: RestTable
  ) throws(PassageFailure) -> [String] {
    guard let key = table.columns.first else { return [] }
    do throws(WireFailure) {
      return try rows.keys(filters, key, of: table)
    } catch {
      throw noted(error)
    }
  }

  func segment(_ id: String) throws(PassageFailure) -> Segment? {
    try sorted(Catalogue.segments) { () throws(PostgreSQLError) -> Segment? in
      let found = try connection.query(
        "SELECT name, distance, slowest, fastest FROM checkpost.known_segments WHERE id = $1::uuid",
        [.text(id)], isReading: true)
      guard let row = found.rows.first else { return nil }
      var segment = Segment(
        name: try row.value(0, .text), metres: try row.value(1, .integer),
        slowest: try row.value(2, .integer), fastest: try row.value(3, .integer))
      segment?.earlier = try DirectoryTables.earlier(connection)[id] ?? []
      return segment
    }
  }

  func post(_ id: String) throws(PassageFailure) -> Post? {
    try sorted(Catalogue.checkposts) { () throws(PostgreSQLError) -> Post? in
      let found = try connection.query(
        "SELECT code FROM public.checkposts WHERE id = $1::uuid", [.text(id)], isReading: true)
      guard let code = try found.rows.first?.value(0, .text) else { return nil }
      return try DirectoryTables.posts(connection).first { $0.code.code == code }
    }
  }

  func put(_ entries: [DirectoryEntry]) throws(PassageFailure) -> [DirectoryRefusal?] {
    try sorted(Catalogue.segments) { () throws(PostgreSQLError) in
      try PostgreSQLCentralStore.put(entries, connection)
    }
  }

  func make(
    _ id: String, in table: RestTable, _ row: NewDirectoryRow, at now: WallTime
  ) throws(PassageFailure) {
    var values = row.values
    values["id"] = .text(id)
    // What it follows from is not written.
    let columns = table.columns.filter { $0.mayBeWritten && values[$0.name] != nil }
    let list = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let places = columns.enumerated().map { "$\($0.offset + 1)::text::\(Self.type($0.element))" }
    try sorted(table) { () throws(PostgreSQLError) in
      try judgeLater()
      _ = try connection.query(
        "INSERT INTO public.\(table.name) (\(list)) VALUES (\(places.joined(separator: ", ")))",
        columns.map { Self.value(values[$0.name] ?? .null) })
    }
  }

  func set(
    _ values: [String: RestValue], of id: String, in table: RestTable, at now: WallTime
  ) throws(PassageFailure) {
    let columns = table.columns.filter { $0.mayBeChanged && values[$0.name] != nil }
    guard !columns.isEmpty else { return }
    var changes = columns.enumerated().map {
      "\"\($0.element.name)\" = $\($0.offset + 2)::text::\(Self.type($0.element))"
    }
    if table.column("updated_at") != nil { changes.append("updated_at = now()") }
    try sorted(table) { () throws(PostgreSQLError) in
      try judgeLater()
      _ = try connection.query(
        "UPDATE public.\(table.name) SET \(changes.joined(separator: ", ")) WHERE id = $1::uuid",
        [.text(id)] + columns.map { Self.value(values[$0.name] ?? .null) })
    }
  }

  func remove(_ id: String, from table: RestTable) throws(PassageFailure) {
    let posts =
      switch table.name {
      case Catalogue.parks.name:
        """
        SELECT c.code FROM public.checkposts c JOIN public.highway_segments h ON h.id = c.segment_id
          WHERE h.park_id = $1::uuid
        """
      case Catalogue.segments.name:
        "SELECT c.code FROM public.checkposts c WHERE c.segment_id = $1::uuid"
      default: "SELECT c.code FROM public.checkposts c WHERE c.id = $1::uuid"
      }
    let hasKeys = try sorted(table) { () throws(PostgreSQLError) -> Bool in
      try judgeLater()
      return try connection.query(
        "SELECT EXISTS (SELECT FROM checkpost.api_keys k WHERE k.checkpost IN (\(posts)))",
        [.text(id)]
      ).firstRow().value(0, .bool)
    }
    if hasKeys {
      throw .refused(.isReferenced(table.name, by: "api_keys_checkpost_fkey", of: "api_keys"))
    }
    try sorted(table) { () throws(PostgreSQLError) in
      for sql in [
        "UPDATE checkpost.accounts SET checkpost = NULL WHERE checkpost IN (\(posts))",
        "DELETE FROM public.\(table.name) WHERE id = $1::uuid",
      ] { _ = try connection.query(sql, [.text(id)]) }
    }
  }

  func effect(at now: WallTime) throws(PassageFailure) -> DirectoryEffect {
    try sorted(Catalogue.segments) { () throws(PostgreSQLError) in
      var trial = DirectoryTrial()
      do throws(PostgreSQLError) {
        try connection.savepoint { connection throws(PostgreSQLError) in
          trial = try Self.trial(connection, at: now)
          // Nothing of it is kept.
          throw .misused(reason: Self.undone)
        }
      } catch {
        guard case .misused(Self.undone) = error else { throw error }
      }
      let entries = trial.changes.violations.filter {
        [.changed, .retracted].contains($0.revision.change)
      }.map(\.revision.entry)
      let settled = try connection.query(
        """
        SELECT count(*) FROM checkpost.violations v WHERE v.entry = ANY ($1) AND (v.confirmed_at IS NOT NULL
          OR EXISTS (SELECT FROM checkpost.records r JOIN public.violations p ON p.entry_passage_id = r.passage_id
            JOIN public.violation_outcomes o ON o.violation_id = p.id
            WHERE r.number = v.entry AND o.outcome_type = 'fined'))
        """, [.integers(entries)], isReading: true
      ).firstRow().value(0, .integer)
      return DirectoryEffect(settled: Int(settled), isWhole: trial.isWhole)
    }
  }

  private static let undone = "a trial is undone"

  private static func trial(
    _ connection: PostgreSQLConnection, at now: WallTime
  ) throws(PostgreSQLError) -> DirectoryTrial {
    try DirectoryTrial(vehicles: RestLimits.triedVehicles) { count throws(PostgreSQLError) in
      try JudgingDatabase(connection).rejudge(limit: count, at: now)
    }
  }

  func note(_ entry: AuditEntry) throws(PassageFailure) {
    try sorted(Catalogue.segments) { () throws(PostgreSQLError) in
      _ = try connection.query(
        "INSERT INTO checkpost.audit (at, kind, actor, detail) VALUES ($1, $2, $3, $4)",
        [.time(entry.at), .text(entry.kind.rawValue), .text(entry.actor), .text(entry.detail)])
    }
  }

  // MARK: - Values

  private func judgeLater() throws(PostgreSQLError) {
    try connection.query("SELECT set_config('checkpost.judge_later', 'on', true)")
  }

  private static func type(_ column: RestColumn) -> String {
    switch column.kind {
    case .uuid: "uuid"
    case .text, .words: "text"
    case .timestamp: "timestamptz"
    case .flag: "boolean"
    case .integer: "integer"
    case .short: "smallint"
    case .numeric: "numeric"
    }
  }

  private static func value(_ value: RestValue) -> PostgreSQLValue {
    switch value {
    case .null: .null
    case .text(let text): .text(text)
    case .flag(let flag): .text(flag ? "true" : "false")
    case .integer(let number): .text("\(number)")
    case .number(let number): .text("\(number)")
    case .time(let micros): .text(RestMoment.text(micros))
    }
  }

  private func sorted<Value>(
    _ table: RestTable, _ body: () throws(PostgreSQLError) -> Value
  ) throws(PassageFailure) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw noted(WireFailure(error, in: table))
    }
  }

  private func noted(_ error: WireFailure) -> PassageFailure {
    switch error {
    case .refused(let refusal): return .refused(refusal)
    case .failed(let error):
      failure = failure ?? error
      return .failed(StorageError(error, of: place))
    }
  }
}

extension PostgreSQLRestStore {
  typealias Writing = DirectoryWriting<WireDirectoryTables>

  /// Puts rows of the directory in.
  func directory(
    _ table: RestTable, _ telling: RestTelling, at now: WallTime,
    _ body:
      @escaping @Sendable (Writing) throws(PassageFailure) -> (ids: [String], known: Set<String>)
  ) throws(RestError) -> RestChange {
    try inTurn(at: now) { writing, rows throws(WireFailure) in
      let (ids, known): ([String], Set<String>)
      do throws(PassageFailure) {
        (ids, known) = try body(writing)
      } catch {
        throw WireFailure(error)
      }
      try rows.check(telling, ids.count)
      return RestChange(
        try rows.told(ids, table, telling), count: ids.count,
        isAllMerged: !ids.isEmpty && ids.allSatisfy(known.contains))
    }
  }

  /// Changes or removes rows of the directory that fulfil conditions.
  ///
  /// - Parameter isTellingBefore: Whether they are told as they were.
  func directory(
    _ table: RestTable, _ telling: RestTelling, at now: WallTime, isTellingBefore: Bool = false,
    of filters: [RestFilter],
    _ body: @escaping @Sendable (Writing, [String]) throws(PassageFailure) -> Void
  ) throws(RestError) -> RestChange {
    guard let key = table.columns.first else { return RestChange([], count: 0) }
    return try inTurn(at: now) { writing, rows throws(WireFailure) in
      let ids = try rows.keys(filters, key, of: table)
      try rows.check(telling, ids.count)
      let before = isTellingBefore ? try rows.told(ids, table, telling) : []
      do throws(PassageFailure) {
        try body(writing, ids)
      } catch {
        throw WireFailure(error)
      }
      return RestChange(
        isTellingBefore ? before : try rows.told(ids, table, telling), count: ids.count)
    }
  }

  private func inTurn(
    at now: WallTime,
    _ body: @escaping @Sendable (Writing, WireTables) throws(WireFailure) -> RestChange
  ) throws(RestError) -> RestChange {
    let place = store.place
    let change = try perform(writingInTurn) { connection throws(WireFailure) in
      let rows = WireDirectoryTables(connection, of: place)
      do throws(WireFailure) {
        return try body(DirectoryWriting(into: rows, at: now), WireTables(connection: connection))
      } catch {
        // The database's own words say whether it may be tried again.
        if let failure = rows.failure { throw .failed(failure) }
        throw error
      }
    }
    onChanges(JudgedChanges())
    return change
  }
}

/// People without an account: profiles that no account has.
extension AccountTables: PersonStore {
  func person(_ id: String) throws(StorageError) -> DirectoryPerson? {
    guard let id = AccountID(id)?.text else { return nil }
    return try rows(
      """
      SELECT p.full_name, u.phone_number, c.code, p.is_active FROM checkpost.api_user_profiles p
        JOIN public.user_profiles u ON u.id = p.id
        LEFT JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
      WHERE p.id = $1::uuid AND NOT EXISTS (SELECT FROM checkpost.accounts a WHERE a.id = p.id)
      """, [.text(id)]
    ) { row throws(PostgreSQLError) -> DirectoryPerson? in
      guard let phone = try row.optional(1, .text).flatMap({ PhoneNumber($0) }) else { return nil }
      return DirectoryPerson(
        name: try row.value(0, .text), phone: phone,
        post: try row.optional(2, .text).map { CheckpostCode(asItStands: $0) },
        isActive: try row.value(3, .bool))
    }.first ?? nil
  }

  func isTaken(_ phone: PhoneNumber, but id: String?) throws(StorageError) -> Bool {
    let numbers = try rows(
      """
      SELECT phone_number FROM checkpost.api_user_profiles
      WHERE phone_number IS NOT NULL AND id::text IS DISTINCT FROM $1
      """, [.text(id)]
    ) { row throws(PostgreSQLError) in try row.value(0, .text) }
    return numbers.contains { PhoneNumber($0) == phone }
  }

  func insert(_ person: DirectoryPerson, at now: WallTime) throws(StorageError) -> String {
    try rows(
      "SELECT checkpost.put_ranger(NULL, $1, $2, $3, $4, NULL)::text",
      [
        .text(person.name), .text(person.phone.description), .text(person.phone.digits),
        .text(person.post?.code),
      ]
    ) { row throws(PostgreSQLError) in try row.value(0, .text) }.first ?? ""
  }

  func change(
    _ id: String, from known: DirectoryPerson, to person: DirectoryPerson, at now: WallTime
  ) throws(StorageError) {
    try execute(
      """
      UPDATE public.user_profiles SET full_name = $2, phone_number = $3, is_active = $4, updated_at = now(),
        assigned_checkpost_id = (SELECT c.id FROM public.checkposts c WHERE c.code = $5)
      WHERE id = $1::uuid
      """,
      [
        .text(id), .text(person.name), .text(person.phone.description), .bool(person.isActive),
        .text(person.post?.code),
      ])
  }

  func isPark(_ id: String) throws(StorageError) -> Bool {
    try rows("SELECT EXISTS (SELECT FROM public.parks WHERE id = $1::uuid)", [.text(id)]) {
      row throws(PostgreSQLError) in try row.value(0, .bool)
    }.first ?? false
  }

  func assign(_ profile: String, toPark park: String?, at now: WallTime) throws(StorageError)
    -> Bool
  {
    try execute(
      "UPDATE public.user_profiles SET assigned_park_id = $2::uuid, updated_at = now() WHERE id = $1::uuid",
      [.text(profile), .text(park)]) > 0
  }
}
