import GRDB
import GSM
public import NodeCore
import SQLiteFile
public import Storage
import Time

/// Operators' texts: written down when they are asked for.
enum OutgoingTexts {
  static func keep(
    _ database: Database, _ text: ManualText, _ modemName: String?, at moment: Moment
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO outgoing_texts (id, recipient, body, modem, parts, queued_t, queued_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      text.id, text.to, text.body, modemName, max(1, text.parts), moment.boot.nanoseconds,
      moment.wall.milliseconds,
    ])
  }

  /// One is handed to a modem, and what becomes of it stands with the texts; of any other text nothing is
  /// changed.
  static func begin(_ database: Database, _ id: TextID, at moment: Moment) throws {
    try change(database, id, "begun", nil, at: moment)
  }

  /// One will not be begun; whether it waited.
  @discardableResult
  static func end(
    _ database: Database, _ id: TextID, _ end: TextEnd, at moment: Moment
  ) throws -> Bool {
    switch end {
    case .withdrawn: try change(database, id, "withdrawn", nil, at: moment)
    case .notSent(let reason):
      try change(
        database, id, "not_sent", String(reason.prefix(NodeCore.Limits.errorCharacters)), at: moment
      )
    }
    return database.changesCount > 0
  }

  private static func change(
    _ database: Database, _ id: TextID, _ state: String, _ reason: String?, at moment: Moment
  ) throws {
    try database.cachedStatement(
      sql: """
        UPDATE outgoing_texts SET state = ?, changed_ms = ?, reason = ?
        WHERE id = ? AND state = 'waiting'
        """
    ).execute(arguments: [state, moment.wall.milliseconds, reason, id])
  }

  /// Those that wait, oldest first.
  static func waiting(_ database: Database, modems: [String]) throws -> [KeptText] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, recipient, body, modem, parts, queued_t FROM outgoing_texts
        WHERE state = 'waiting' ORDER BY id
        """
    ).map { row in
      let name: String? = row[3]
      var text = ManualText(
        requestID: 0, to: row[1], body: row[2], parts: row[4],
        // A modem that is not there any more has no more claim to it than the others.
        modem: name.flatMap { modems.firstIndex(of: $0) }.map { ModemID($0) })
      text.id = row[0]
      return KeptText(text, queued: BootInstant(nanoseconds: row[5]))
    }
  }
}

extension StoreTransaction {
  /// Withdraws an operator's text that waits; false when it does not.
  func withdrawText(_ id: TextID, at moment: Moment) throws(StorageError) -> Bool {
    try sorted { try OutgoingTexts.end(database, id, .withdrawn, at: moment) }
  }
}

extension SQLiteNodeStore {
  /// Operators' texts, newest first.
  public func keptTexts(
    limit: Int, onlyWaiting: Bool
  ) throws(StorageError) -> [KeptTextRecord] {
    try file.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT outgoing_texts.id, outgoing_texts.recipient, outgoing_texts.body, state, queued_ms,
            changed_ms, reason, outcome, outcome_ms, error
          FROM outgoing_texts LEFT JOIN texts ON texts.id = outgoing_texts.id
          \(onlyWaiting ? "WHERE state = 'waiting'" : "")
          ORDER BY outgoing_texts.id DESC LIMIT ?
          """, arguments: [limit]
      ).map { row in
        let id: TextID = row[0]
        let parts = try Row.fetchAll(
          database,
          sql: "SELECT reference, delivery FROM text_parts WHERE text_id = ? ORDER BY part",
          arguments: [id])
        return KeptTextRecord(row: row, parts: parts)
      }
    }
  }
}

extension KeptTextRecord {
  fileprivate init(row: Row, parts: [Row]) {
    let begun: String? = row[7]
    let state: String = row[3]
    let changed = (row[8] as Int64?) ?? (row[5] as Int64?)
    let deliveries = parts.map { part in
      (part[1] as String?).flatMap { Delivery(rawValue: $0) }
    }
    self.init(
      id: row[0], recipient: row[1], body: row[2],
      state: begun == TextState.intent.rawValue
        ? .sending : State(rawValue: begun ?? state) ?? .unknown,
      queuedAt: WallTime(milliseconds: row[4]),
      changedAt: changed.map { WallTime(milliseconds: $0) },
      reason: (row[9] as String?) ?? (row[6] as String?),
      references: parts.map { UInt8(clamping: $0[0] as Int64) },
      delivery: TextRecord.delivery(of: deliveries))
  }
}
