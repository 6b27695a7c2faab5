import Accounts
public import CentralCore
import GSM
import Passages
import PostgreSQL
public import Storage
public import Time

/// What came in.
extension PostgreSQLCentralStore {
  /// Keeps messages as they came, in one statement. When the connection is lost while it is on its way nobody knows
  /// whether they are kept: it throws then, and whoever hands them over again finds out.
  public func keep(_ messages: [InboundMessage]) throws(StorageError) -> [InboxReceipt] {
    guard !messages.isEmpty else { return [] }
    let values = InboxTable.values(of: messages.map { KeptMessage($0) })
    return try run { connection throws(PostgreSQLError) in
      var receipts: [InboxReceipt] = []
      for row in try connection.query(InboxTable.keep, values).rows {
        let id = try row.value(0, .integer)
        receipts.append(try row.value(1, .bool) ? .kept(id) : .known(id))
      }
      guard receipts.count == messages.count else {
        throw .misused(reason: "\(receipts.count) of \(messages.count) messages were answered")
      }
      return receipts
    }
  }

  /// Messages of the inbox, newest first.
  public func inbox(_ query: InboxQuery) throws(StorageError) -> [InboxItem] {
    var conditions = Conditions()
    conditions.add("id < ?", .integer(query.before))
    // The state stands in the statement itself, so that the index of those that wait serves.
    if let state = query.state { conditions.add("state = '\(state.rawValue)'") }
    switch query.isDismissed {
    case nil: break
    case true?: conditions.add("dismissed_at IS NOT NULL")
    case false?: conditions.add("dismissed_at IS NULL")
    }
    conditions.add("reason = ?", .text(query.reason))
    conditions.add("sender = ANY (?)", query.senders.map { .texts($0) } ?? .null)
    conditions.add("received_at >= ?", .time(query.since))
    conditions.add("received_at < ?", .time(query.until))
    let limit = conditions.place(of: .integer(Int64(query.limit)))
    let wanted = conditions
    return try run { connection throws(PostgreSQLError) in
      try InboxTable.items(
        "WHERE \(wanted.sql) ORDER BY id DESC LIMIT \(limit)", wanted.values, connection)
    }
  }

  /// Notes that a person looked at messages, and that somebody did into the audit log.
  public func dismiss(
    _ dismissal: InboxDismissal, at wall: WallTime
  ) throws(StorageError) -> Int64 {
    var conditions = Conditions()
    conditions.add("state = 'undecodable' AND dismissed_at IS NULL")
    conditions.add("id = ANY (?)", dismissal.ids.map { .integers($0) } ?? .null)
    conditions.add("reason = ?", .text(dismissal.reason))
    conditions.add("sender = ANY (?)", dismissal.senders.map { .texts($0) } ?? .null)
    conditions.add("received_at < ?", .time(dismissal.before))
    let (moment, author) = (
      conditions.place(of: .time(wall)), conditions.place(of: .text(dismissal.author))
    )
    let wanted = conditions
    return try writeInTurn { connection throws(PostgreSQLError) in
      let count = try connection.query(
        """
        WITH held AS MATERIALIZED (
          SELECT id FROM checkpost.inbox WHERE \(wanted.sql) ORDER BY id FOR NO KEY UPDATE),
        done AS (
          UPDATE checkpost.inbox i SET dismissed_at = \(moment), dismissed_by = \(author)
          FROM held h WHERE i.id = h.id RETURNING i.id)
        SELECT count(*) AS n FROM done
        """, wanted.values
      ).firstRow().value("n", .integer)
      guard count > 0 else { return 0 }
      try connection.query(
        "INSERT INTO checkpost.audit (at, kind, actor, detail) VALUES ($1, $2, $3, $4)",
        [
          .time(wall), .text(AuditEntry.Kind.messagesDismissed.rawValue),
          .text(dismissal.author), .text(dismissal.note(count)),
        ])
      return count
    }
  }

  /// The message of that number.
  public func inboxItem(_ id: Int64) throws(StorageError) -> InboxItem? {
    try run { connection throws(PostgreSQLError) in try InboxTable.item(id, connection) }
  }

  /// Proves that something can be written, down to the server's disk, and that there is room for more than what fits
  /// into pages that are there already.
  ///
  /// - Throws: Why it cannot.
  public func proveWritable() throws(StorageError) {
    try write { connection throws(PostgreSQLError) in
      try connection.run(script: InboxTable.proof)
    }
  }
}

/// Messages as rows.
enum InboxTable {
  static let keep = "SELECT id, is_new FROM checkpost.keep($1, $2, $3, $4, $5, $6, $7)"

  /// A row that needs pages of its own, which is undone, and one that is not.
  static let proof = """
    SAVEPOINT proof;
    INSERT INTO checkpost.proofs VALUES (convert_to(repeat('x', 131072), 'UTF8'));
    ROLLBACK TO SAVEPOINT proof;
    INSERT INTO checkpost.tally_changes (name, n) VALUES ('inbox', 0)
    """

  static func values(of messages: [KeptMessage]) -> [PostgreSQLValue] {
    [
      .texts(messages.map(\.provider.rawValue)), .texts(messages.map(\.providerID)),
      .texts(messages.map(\.from)), .texts(messages.map(\.to)),
      .texts(messages.map { $0.isPDU ? "pdu" : "text" }), .texts(messages.map(\.body)),
      .times(messages.map(\.receivedAt)),
    ]
  }

  /// What is strange about a message, as its column has it.
  static func warnings(_ words: String?) -> [IntakeWarning] {
    (words ?? "").split(separator: " ").compactMap { IntakeWarning(rawValue: String($0)) }
  }

  private static let columns = """
    SELECT id, provider, sender, body, kind, received_at, times_received, state, reason, words,
      client_id::text AS client_id, warnings, part_key, part, parts, dismissed_at, dismissed_by
    FROM checkpost.inbox
    """

  static func items(
    _ conditions: String, _ values: [PostgreSQLValue], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [InboxItem] {
    var items: [InboxItem] = []
    let result = try connection.query("\(columns) \(conditions)", values, isReading: true)
    for row in result.rows { items.append(try item(row)) }
    return items
  }

  static func item(
    _ id: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> InboxItem? {
    try items("WHERE id = $1", [.integer(id)], connection).first
  }

  /// Parts that came before a moment, or are older than the newest so many. It runs with every message, so it looks
  /// at nothing but parts that wait.
  static let waitingParts = """
    WHERE state = 'part' AND (received_at < $1 OR id <= (
      SELECT id FROM checkpost.inbox WHERE state = 'part' ORDER BY id DESC LIMIT 1 OFFSET $2))
    ORDER BY id
    """

  private static func item(_ row: PostgreSQLRow) throws(PostgreSQLError) -> InboxItem {
    var part: MessagePart?
    if let key = try row.optional(12, .text), let number = try row.optional(13, .integer),
      let total = try row.optional(14, .integer)
    {
      part = MessagePart(key: key, part: Int(number), total: Int(total))
    }
    let warnings = warnings(try row.optional(11, .text))
    var item = InboxItem(
      id: try row.value(0, .integer), provider: try row.value(1, .text),
      from: try row.optional(2, .text) ?? "", body: try row.value(3, .text),
      isPDU: try row.value(4, .text) == "pdu", receivedAt: try row.value(5, .time),
      timesReceived: Int(try row.value(6, .integer)),
      state: InboxItem.State(rawValue: try row.value(7, .text)) ?? .received,
      reason: try row.optional(8, .text), words: try row.optional(9, .text),
      clientID: try row.optional(10, .text),
      warnings: warnings,
      part: part)
    if let at = try row.optional(15, .time) {
      item.dismissal = InboxItem.Dismissal(at: at, by: try row.optional(16, .text) ?? "")
    }
    return item
  }
}
