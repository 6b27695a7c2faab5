import GRDB
public import NodeCore
public import Passages
import SQLiteFile
public import Storage
import Time

extension SQLiteNodeStore {
  /// Passages with where they stand, oldest first unless the query says otherwise.
  public func list(_ query: QueueQuery) throws(StorageError) -> [QueueItem] {
    var conditions = ["queue.id > ?"]
    var arguments: StatementArguments = [query.afterID]
    if let before = query.beforeID {
      conditions.append("queue.id < ?")
      arguments += [before]
    }
    if let status = query.status {
      conditions.append("queue.status = ?")
      arguments += [status.rawValue]
    }
    if let isParked = query.isParked {
      conditions.append("queue.parked_reason IS \(isParked ? "NOT NULL" : "NULL")")
    }
    if let text = query.text {
      conditions.append("(\(text.condition))")
    }
    if let among = query.among {
      conditions.append(among.condition)
    }
    if let plate = query.plate {
      conditions.append("queue.plate_number = ?")
      arguments += [plate]
    }
    let order = "ORDER BY queue.id\(query.beforeID == nil ? "" : " DESC") LIMIT ?"
    let all = arguments + [min(max(query.limit, 0), NodeCore.Limits.page)]
    return try file.read { [conditions] database in
      let few = try Narrowing.condition(query, database).map { [$0] } ?? []
      let sql = """
        \(QueueItem.columns) WHERE \((conditions + few).joined(separator: " AND ")) \(order)
        """
      return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: all)
        .map(QueueItem.init(row:))
    }
  }

  /// One passage by its place in the queue.
  public func item(_ queueID: Int64) throws(StorageError) -> QueueItem? {
    try item(where: "queue.id = ?", [queueID])
  }

  /// One passage by its identity, or by the identity of its V1 text.
  public func item(_ client: ClientID) throws(StorageError) -> QueueItem? {
    if let item = try item(where: "queue.client_id = ?", [client.description]) {
      return item
    }
    return try item(where: "queue.content_client_id = ?", [client.description])
  }

  /// Passages whose identity begins with these characters of one, two at most.
  public func items(beginning prefix: String) throws(StorageError) -> [QueueItem] {
    try file.read { database in
      try Row.fetchAll(
        database,
        // What follows all that begin so: no identity has a letter above f.
        sql:
          "\(QueueItem.columns) WHERE queue.client_id >= ?1 AND queue.client_id < ?1 || 'g' LIMIT 2",
        arguments: [prefix]
      ).map(QueueItem.init(row:))
    }
  }

  private func item(
    where condition: String, _ arguments: StatementArguments
  ) throws(StorageError) -> QueueItem? {
    try file.read { database in
      try Row.fetchOne(
        database.cachedStatement(
          sql: "\(QueueItem.columns) WHERE \(condition) ORDER BY queue.id LIMIT 1"),
        arguments: arguments
      ).map(QueueItem.init(row:))
    }
  }

  /// Who gets a passage as a text, with where each delivery stands.
  public func textDeliveries(of queueID: Int64) throws(StorageError) -> [TextDeliveryRecord] {
    try file.read { database in
      // The centre's is made first, and the others in their order.
      try Row.fetchAll(
        database,
        sql: """
          SELECT recipient, due_t, sms_sent, text_attempts, refusals, outdated, parked_reason,
            (SELECT iif(outcome = 'accepted', NULL, error) FROM texts
              WHERE delivery_id = text_deliveries.id ORDER BY texts.id DESC LIMIT 1)
          FROM text_deliveries WHERE passage_id = ? ORDER BY recipient <> 'centre', id
          """, arguments: [queueID]
      ).compactMap { row in
        TextRecipient(name: row[0]).map { recipient in
          TextDeliveryRecord(
            recipient: recipient,
            due: (row[1] as Int64?).map { BootInstant(nanoseconds: $0) }, isTexted: row[2],
            attempts: row[3], refusals: row[4], isOutdated: row[5], parkedReason: row[6],
            lastError: row[7])
        }
      }
    }
  }

  /// The texts of one passage, oldest first; with nil the operators' own texts.
  public func texts(of queueID: Int64?) throws(StorageError) -> [TextRecord] {
    try file.read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT texts.*, (SELECT text_deliveries.recipient FROM text_deliveries
            WHERE text_deliveries.id = texts.delivery_id) AS delivered_to
          FROM texts WHERE \(queueID == nil ? "delivery_id IS NULL AND ?1 IS NULL"
            : "delivery_id IN (SELECT id FROM text_deliveries WHERE passage_id = ?1)")
          ORDER BY id DESC LIMIT ?2
          """,
        arguments: [queueID, NodeCore.Limits.textsShown])
      return try rows.reversed().map { row in
        let id: TextID = row["id"]
        let parts = try Row.fetchAll(
          database,
          sql: "SELECT reference, delivery FROM text_parts WHERE text_id = ? ORDER BY part",
          arguments: [id])
        return TextRecord(row: row, parts: parts)
      }
    }
  }
}

extension TextRecord {
  fileprivate init(row: Row, parts: [Row]) {
    let outcomeMilliseconds: Int64? = row["outcome_ms"]
    let deliveries = parts.map { part in
      (part["delivery"] as String?).flatMap { Delivery(rawValue: $0) }
    }
    self.init(
      id: row["id"], recipient: row["recipient"], body: row["body"], modem: ModemID(row["modem"]),
      modemName: row["sim"], begunAt: WallTime(milliseconds: row["intent_ms"]),
      outcome: row["outcome"], outcomeAt: outcomeMilliseconds.map { WallTime(milliseconds: $0) },
      error: row["error"],
      settledBy: (row["settled_by"] as String?).flatMap { SettlingRule(rawValue: $0) },
      references: parts.map { UInt8(clamping: $0["reference"] as Int64) },
      delivery: TextRecord.delivery(of: deliveries))
    isHeartbeat = row["is_heartbeat"]
    to = (row["delivered_to"] as String?).flatMap { TextRecipient(name: $0) }
  }
}
