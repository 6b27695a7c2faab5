public import CentralCore
import GRDB
public import Passages
import SQLiteFile
public import Storage
public import Time

/// What was judged, as rows.
extension SQLiteCentralStore {
  /// Recognised passages.
  public func passages(_ query: PassageQuery) throws(StorageError) -> [StoredPassage] {
    try file.concurrentRead { database in
      guard case .newest = query.order, let segment = query.segment else {
        return try SQLiteCentralStore.passages(query, database)
      }
      // The newest of each end: asked for all ends at once, SQLite sorts everything that ever passed there.
      let ends = try Row.fetchAll(
        database,
        sql: "SELECT DISTINCT post, since_s, until_s FROM held_ends WHERE segment = ?",
        arguments: [segment])
      var all: [StoredPassage] = []
      for row in ends {
        let end = CheckpostCode(asItStands: row["post"] as String)
        guard query.checkpost == nil || query.checkpost == end else { continue }
        var one = query
        one.checkpost = end
        one.segment = nil
        if let since = (row["since_s"] as Int64?).map({ WallTime(epochSeconds: $0) }) {
          one.since = max(one.since ?? since, since)
        }
        if let until = (row["until_s"] as Int64?).map({ WallTime(epochSeconds: $0) }) {
          one.until = min(one.until ?? until, until)
        }
        all += try SQLiteCentralStore.passages(one, database)
      }
      all.sort { ($0.passage.recordedAt, $0.id) > ($1.passage.recordedAt, $1.id) }
      return Array(all.prefix(query.limit))
    }
  }

  private static func passages(
    _ query: PassageQuery, _ database: Database
  ) throws -> [StoredPassage] {
    var conditions = RowConditions()
    let order: String
    switch query.order {
    case .arrival(let row), .following(let row):
      conditions.add("p.id > ?", row)
      // The first page begins where there is anything of that time, which an index knows, and not at the first of all.
      if row == 0, query.plate == nil {
        conditions.add(
          "p.id >= (SELECT min(+id) FROM passages INDEXED BY passages_time WHERE recorded_at_ms >= ?)",
          query.since?.milliseconds)
      }
      order = "p.id"
    case .newest(let place):
      if let place {
        conditions.add(
          "(p.recorded_at_ms, p.id) < (?, ?)", place.recordedAt.milliseconds, place.row)
      }
      order = "p.recorded_at_ms DESC, p.id DESC"
    }
    conditions.add("p.checkpost = ?", query.checkpost?.code)
    conditions.add(
      """
      EXISTS (SELECT 1 FROM held_ends e WHERE e.segment = ? AND e.post = p.checkpost
        AND \(Schema.isHeld("e", at: "(p.recorded_at_ms / 1000)")))
      """, query.segment)
    conditions.add("p.ranger_phone_suffix = ?", query.suffix?.digits)
    conditions.add("p.plate_number = ?", query.plate)
    if let part = query.platePart, query.plate == nil {
      // Few vehicles are found by an index; of many, some are among the first that are looked at.
      let plates = try plates("instr(plate, ?) > 0", [part], database)
      if plates?.isEmpty == true { return [] }
      conditions.add("p.plate_number", oneOf: plates)
    }
    conditions.add("instr(p.plate_number, ?) > 0", query.platePart)
    conditions.add("p.recorded_at_ms >= ?", query.since?.milliseconds)
    conditions.add("p.recorded_at_ms < ?", query.until?.milliseconds)
    if query.onSegment { conditions.add("p.segment IS NOT NULL") }
    if query.isUnpaired { conditions.add("p.partner IS NULL") }
    var rangers = RangerNames()
    return try Row.fetchAll(
      database,
      sql: "\(PassageRows.select) WHERE \(conditions.sql) ORDER BY \(order) LIMIT ?",
      arguments: conditions.arguments + [query.limit]
    ).map { try PassageRows.passage($0, &rangers, database) }
  }

  /// The plates that fulfil a condition; nil where they are too many to be looked up one by one.
  static func plates(
    _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [String]? {
    let plates = try String.fetchAll(
      database.cachedStatement(sql: "SELECT plate FROM plates WHERE \(condition) LIMIT ?"),
      arguments: arguments + [Limits.fewPlates + 1])
    return plates.count > Limits.fewPlates ? nil : plates
  }

  /// Rows of passages that cannot be read, by what names them.
  public func unreadable(after id: String?, limit: Int) throws(StorageError) -> [UnreadablePassage]
  {
    try file.concurrentRead { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT uuid, client_id, plate_number, recorded_at_ms, checkpost
          FROM passages INDEXED BY passages_unreadable
          WHERE \(Schema.isUnreadable) AND uuid > ? ORDER BY uuid LIMIT ?
          """, arguments: [id ?? "", limit]
      ).map { row in
        UnreadablePassage(
          id: row[0], clientID: row[1], plate: row[2], recordedAt: "\(row[3] as Int64)",
          checkpost: row[4])
      }
    }
  }

  /// The place of the last one in the order in which passages first came.
  public func lastArrival() throws(StorageError) -> Int64 {
    try file.concurrentRead { database in
      try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), 0) FROM passages") ?? 0
    }
  }

  /// The passages that identities lead to.
  public func passages(
    identifiedBy identities: [ClientID]
  ) throws(StorageError) -> [ClientID: StoredPassage] {
    try file.concurrentRead { database in
      var rangers = RangerNames()
      var found: [ClientID: StoredPassage] = [:]
      for identity in identities {
        found[identity] = try Row.fetchOne(
          database.cachedStatement(sql: PassageRows.ofIdentity), arguments: [identity.description]
        ).map { try PassageRows.passage($0, &rangers, database) }
      }
      return found
    }
  }

  /// Violations, the newest exit first.
  public func violations(_ query: ViolationQuery) throws(StorageError) -> [StoredViolation] {
    var conditions = RowConditions()
    conditions.add("entry", oneOf: query.entries)
    switch query.standing {
    case .standing: conditions.add("NOT is_retracted")
    case .retracted: conditions.add("is_retracted")
    case .all: break
    }
    conditions.add("kind = ?", query.kind?.rawValue)
    conditions.add("finality = ?", query.finality?.rawValue)
    conditions.add(
      "instr(' ' || doubts || ' ', ' ' || ? || ' ') > 0", query.doubt?.rawValue)
    conditions.add("(confirmed_at_ms IS NOT NULL) = ?", query.isConfirmed)
    switch query.outcome {
    case .open: conditions.add("NOT \(SQLiteCentralStore.isClosed)")
    case .recorded: conditions.add(SQLiteCentralStore.isClosed)
    case nil: break
    }
    if query.isChangedAfterFinal { conditions.add("changed_final_ms IS NOT NULL") }
    conditions.add("plate = ?", query.plate)
    conditions.add("segment = ?", query.segment)
    if let post = query.post?.code { conditions.add("? IN (entry_post, exit_post)", post) }
    conditions.add("exit_earliest >= ?", query.since?.epochSeconds)
    conditions.add("exit_earliest < ?", query.until?.epochSeconds)
    if let place = query.after {
      conditions.add("(exit_earliest, entry) < (?, ?)", place.second, place.row)
    }
    return try file.concurrentRead { database in
      try StoredRows.violations(
        "\(conditions.sql) ORDER BY exit_earliest DESC, entry DESC LIMIT ?",
        conditions.arguments + [query.limit], database)
    }
  }

  /// All that a violation rests on.
  public func violation(_ uuid: ClientID) throws(StorageError) -> ViolationEvidence? {
    try file.concurrentRead { try StoredRows.violation(uuid, $0) }
  }

  /// Alerts, the one that was due last first.
  public func alerts(_ query: AlertQuery) throws(StorageError) -> [StoredAlert] {
    var conditions = RowConditions()
    if query.isOpen { conditions.add("ending IS NULL") }
    conditions.add("plate = ?", query.plate)
    conditions.add("post = ?", query.post?.code)
    conditions.add(
      "EXISTS (SELECT 1 FROM passages WHERE id = alerts.entry AND passages.segment = ?)",
      query.segment)
    conditions.add("due_at >= ?", query.since?.epochSeconds)
    conditions.add("due_at < ?", query.until?.epochSeconds)
    if let place = query.after {
      conditions.add("(due_at, entry) < (?, ?)", place.second, place.row)
    }
    return try file.concurrentRead { database in
      try StoredRows.alerts(
        "\(conditions.sql) ORDER BY due_at DESC, entry DESC LIMIT ?",
        conditions.arguments + [query.limit], database)
    }
  }

  /// Does what the clock asks for.
  public func clock(rules: JudgingRules, at wall: WallTime) throws(StorageError) -> ClockDuties {
    try judging { rows throws(StorageError) in try rows.clock(rules: rules, at: wall) }
  }

  /// Judges some more vehicles again.
  public func rejudge(
    rules: JudgingRules, everything: Bool, limit: Int, at wall: WallTime
  ) throws(StorageError) -> Rejudged {
    try judging { rows throws(StorageError) in
      try rows.rejudge(rules: rules, everything: everything, limit: limit, at: wall)
    }
  }

  /// Notes that a person says that a violation is so.
  public func confirm(
    _ uuid: ClientID, by author: String?, actor: String?, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> StoredViolation? {
    try judging { rows throws(StorageError) in
      guard try rows.confirm(uuid, by: author, actor: actor, rules: rules, at: wall) != nil else {
        return nil
      }
      return try rows.sorted {
        try StoredRows.violations("uuid = ?", [uuid.description], rows.database).first
      }
    }
  }

  /// Records what came of a violation.
  public func record(
    _ outcome: ViolationOutcome, of uuid: ClientID, actor: String?
  ) throws(StorageError) -> OutcomeReceipt {
    try judging { rows throws(StorageError) in
      try rows.record(outcome, of: uuid, actor: actor)
    }
  }

  private static let isClosed =
    "EXISTS (SELECT 1 FROM violation_outcomes WHERE violation_id = violations.uuid)"

  private func judging<Value: Sendable>(
    _ body: (InboxTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try file.write { database in
      try body(InboxTransaction(database: database, path: path))
    }
  }
}

/// What rows have to be, with its arguments.
struct RowConditions {
  private var words = ["true"]
  private(set) var arguments: StatementArguments = []

  init() {}

  var sql: String { words.joined(separator: " AND ") }

  mutating func add(_ condition: String) { words.append(condition) }

  /// A condition on a value; none where there is no value.
  mutating func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
    guard let value else { return }
    words.append(condition)
    arguments += [value]
  }

  /// That a column has one of these values; no condition where there is no list.
  mutating func add(_ column: String, oneOf values: [some DatabaseValueConvertible]?) {
    guard let values else { return }
    words.append("\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))")
    arguments += StatementArguments(values)
  }

  mutating func add(_ condition: String, _ first: Int64, _ second: Int64) {
    words.append(condition)
    arguments += [first, second]
  }
}
