import Accounts
public import CentralCore
import GRDB
import GSM
import SQLiteFile
public import Storage
public import Time

/// What came in, as rows.
extension SQLiteCentralStore {
  /// Keeps messages as they came, in one transaction.
  public func keep(_ messages: [InboundMessage]) throws(StorageError) -> [InboxReceipt] {
    if let shortage { throw shortage }
    return try file.write { database in
      try messages.map { try InboxRows.keep(KeptMessage($0), database) }
    }
  }

  /// Messages of the inbox, newest first.
  public func inbox(_ query: InboxQuery) throws(StorageError) -> [InboxItem] {
    var conditions = RowConditions()
    conditions.add("id < ?", query.before ?? .max)
    // The state stands in the statement itself, so that the index of those that wait serves.
    if let state = query.state { conditions.add("state = '\(state.rawValue)'") }
    switch query.isDismissed {
    case nil: break
    case true?: conditions.add("dismissed_at_ms IS NOT NULL")
    case false?: conditions.add("dismissed_at_ms IS NULL")
    }
    conditions.add("reason = ?", query.reason)
    conditions.add("sender", oneOf: query.senders)
    conditions.add("received_at_ms >= ?", query.since?.milliseconds)
    conditions.add("received_at_ms < ?", query.until?.milliseconds)
    return try file.concurrentRead { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM inbox WHERE \(conditions.sql) ORDER BY id DESC LIMIT ?",
        arguments: conditions.arguments + [query.limit]
      ).map { InboxItem(row: $0) }
    }
  }

  /// Notes that a person looked at messages, and that somebody did into the audit log.
  public func dismiss(
    _ dismissal: InboxDismissal, at wall: WallTime
  ) throws(StorageError) -> Int64 {
    var conditions = RowConditions()
    conditions.add("state = 'undecodable' AND dismissed_at_ms IS NULL")
    conditions.add("id IN (SELECT value FROM json_each(?))", dismissal.ids?.list)
    conditions.add("reason = ?", dismissal.reason)
    conditions.add("sender", oneOf: dismissal.senders)
    conditions.add("received_at_ms < ?", dismissal.before?.milliseconds)
    return try file.write { database in
      try database.execute(
        sql: "UPDATE inbox SET dismissed_at_ms = ?, dismissed_by = ? WHERE \(conditions.sql)",
        arguments: [wall.milliseconds, dismissal.author] + conditions.arguments)
      let count = Int64(database.changesCount)
      guard count > 0 else { return 0 }
      try AccountRows(database: database, path: path).record(
        AuditEntry(
          at: wall, .messagesDismissed, actor: dismissal.author, detail: dismissal.note(count)))
      return count
    }
  }

  /// The message of that number.
  public func inboxItem(_ id: Int64) throws(StorageError) -> InboxItem? {
    try file.concurrentRead { try InboxRows.item(id, $0) }
  }
}

enum InboxRows {
  static func keep(_ message: KeptMessage, _ database: Database) throws -> InboxReceipt {
    // In one statement, since this is what whoever hands a message over waits for. SQLite never makes a number that
    // is negative here.
    let id = try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          INSERT INTO inbox (id, provider, provider_id, sender, recipient, kind, body,
            received_at_ms)
            SELECT max(\(Schema.given("last_message")),
                coalesce((SELECT max(id) FROM inbox WHERE \(Schema.leavesRoom("id"))), 0)) + 1,
              ?, ?, ?, ?, ?, ?, ? FROM keeping WHERE true
            ON CONFLICT (provider, provider_id) DO UPDATE
              SET times_received = \(Schema.oneMore("times_received"))
            RETURNING iif(times_received = 1, id, -id)
          """),
      arguments: [
        message.provider.rawValue, message.providerID, message.from, message.to,
        message.isPDU ? "pdu" : "text", message.body, message.receivedAt.milliseconds,
      ])
    guard let id else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table keeping has no row")
    }
    return id > 0 ? .kept(id) : .known(-id)
  }

  static func item(_ id: Int64, _ database: Database) throws -> InboxItem? {
    try Row.fetchOne(database, sql: "SELECT * FROM inbox WHERE id = ?", arguments: [id])
      .map { InboxItem(row: $0) }
  }

  /// Runs with every message, so it looks at nothing but parts that wait.
  static let waitingParts = """
    SELECT * FROM inbox INDEXED BY inbox_parts WHERE state = 'part' AND (received_at_ms < ?1 OR id <= (
      SELECT id FROM inbox INDEXED BY inbox_parts WHERE state = 'part'
      ORDER BY id DESC LIMIT 1 OFFSET ?2)) ORDER BY id
    """

  /// Parts of the long messages of these keys that stand so, found by the index of that state.
  static func parts(
    _ keys: [String], _ state: InboxItem.State, _ database: Database
  ) throws -> [InboxItem] {
    let index =
      switch state {
      case .received: "INDEXED BY inbox_open"
      case .part: "INDEXED BY inbox_parts"
      case .undecodable: "INDEXED BY inbox_undecodable"
      case .report, .decoded, .duplicate, .heartbeat: ""
      }
    let marks = keys.map { _ in "?" }.joined(separator: ", ")
    return try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM inbox \(index) WHERE state = '\(state.rawValue)' AND part_key IN (\(marks))
        ORDER BY id
        """, arguments: StatementArguments(keys)
    ).map { InboxItem(row: $0) }
  }
}

extension InboxItem {
  init(row: Row) {
    let part: MessagePart? =
      if let key: String = row["part_key"], let part: Int = row["part"],
        let total: Int = row["parts"]
      { MessagePart(key: key, part: part, total: total) } else { nil }
    self.init(
      id: row["id"], provider: row["provider"], from: row["sender"] ?? "", body: row["body"],
      isPDU: row["kind"] == "pdu",
      receivedAt: WallTime(milliseconds: row["received_at_ms"]),
      timesReceived: row["times_received"], state: State(rawValue: row["state"]) ?? .received,
      reason: row["reason"], words: row["words"], clientID: row["client_id"],
      warnings: (row["warnings"] as String? ?? "").split(separator: " ").compactMap {
        IntakeWarning(rawValue: String($0))
      }, part: part)
    if let at: Int64 = row["dismissed_at_ms"] {
      dismissal = Dismissal(at: WallTime(milliseconds: at), by: row["dismissed_by"] ?? "")
    }
  }
}
