public import CentralCore
import GRDB
import GSM
public import Passages
import SQLiteFile
public import Storage
public import Time

/// What became of a message, for the log.
public struct Decoded: Hashable, Sendable {
  /// What a message turned out to be.
  public enum Result: Hashable, Sendable {
    /// A passage that was not there, now a row; with what an operator should know of it.
    case passage(Passage, warnings: [IntakeWarning])
    /// A passage that was there already.
    case duplicate(Passage)
    /// No passage, and why; the message waits for an operator.
    case undecodable(Reason)
    /// A part of a longer message, of which others are missing.
    case part(Int, of: Int)
    /// A status report.
    case report
  }

  /// Its number in the inbox.
  public var id: Int64
  /// The number or the name it says it comes from.
  public var from: String
  /// What it turned out to be.
  public var result: Result
}

extension SQLiteCentralStore {
  /// Judges messages that are kept and were not looked at yet, in one transaction.
  ///
  /// - Returns: What became of each; empty when there is none left.
  public func decode(
    rules: CentralRules, at wall: WallTime
  ) throws(StorageError) -> [Decoded] {
    try SQLiteFile.write(queue, path) { database in
      try Judge.giveUpParts(database, before: wall - Limits.partsWait)
      let open = try Row.fetchAll(
        database,
        sql: "SELECT * FROM inbox WHERE state = 'received' ORDER BY id LIMIT ?",
        arguments: [Limits.decodedAtOnce])
      guard !open.isEmpty else { return [] }
      let judge = try Judge(database, rules: rules, waiver: [], wall: wall)
      return try open.map { try judge.decode($0) }
    }
  }
}

/// Judges one message inside a transaction, and writes down what came of it.
struct Judge {
  let database: Database
  let directory: Directory
  let rules: CentralRules
  let waiver: Waiver
  let wall: WallTime
  /// Which rows of the inbox may be parts of the message, as a condition to add; all by default.
  var scope = ""

  init(_ database: Database, rules: CentralRules, waiver: Waiver, wall: WallTime) throws {
    self.database = database
    directory = try StoredDirectory.load(database, bindings: rules.bindings)
    self.rules = rules
    self.waiver = waiver
    self.wall = wall
  }

  func decode(_ row: Row) throws -> Decoded {
    let item = InboxItem(row: row)
    guard item.isPDU else { return try judge(item, text: item.body, from: item.from) }
    let pdu: PDU
    do {
      pdu = try PDU.decode(hex: item.body, direction: .mobileTerminated)
    } catch {
      return try refuse(item, Reason(code: error.code, message: error.message))
    }
    switch pdu.tpdu {
    case .statusReport:
      try set(item.id, state: "report")
      return Decoded(id: item.id, from: "", result: .report)
    case .submit:
      return try refuse(
        item, Reason(code: "direction", message: "a PDU of the sending direction"))
    case .deliver(let deliver):
      return try decode(item, deliver)
    }
  }

  private func decode(_ item: InboxItem, _ deliver: SMSDeliver) throws -> Decoded {
    let sender = deliver.originator.number
    try database.execute(
      sql: "UPDATE inbox SET sender = ? WHERE id = ?", arguments: [sender, item.id])
    if let reason = Judge.reasonAgainst(deliver) { return try refuse(item, reason, from: sender) }
    guard let text = deliver.userData.text else {
      return try refuse(
        item, Reason(code: "binary", message: "a message of bytes, not of text"))
    }
    guard let part = deliver.userData.header?.concatenation, part.total > 1 else {
      return try judge(item, text: text, from: sender)
    }
    return try assemble(item, part, text, from: sender)
  }

  /// Why a message was never meant to be read as a text of a post; nil for an ordinary one.
  private static func reasonAgainst(_ deliver: SMSDeliver) -> Reason? {
    if let indication = deliver.coding.waitingIndication {
      let what = ["voice mail", "a fax", "e-mail", "something else"][Int(indication.kind & 3)]
      let state = indication.isActive ? "waits" : "no longer waits"
      return Reason(
        code: "indication", message: "the network says that \(what) \(state); it is no text")
    }
    if deliver.userData.header?.ports != nil {
      return Reason(
        code: "application", message: "a message for an application behind a port, not a text")
    }
    if deliver.coding.messageClass == 0 {
      return Reason(
        code: "class_0", message: "a message for the display (class 0), which no post sends")
    }
    return nil
  }

  /// Keeps a part until the others are there; they survive a restart, as they lie in the inbox.
  private func assemble(
    _ item: InboxItem, _ part: Concatenation, _ text: String, from sender: String
  ) throws -> Decoded {
    let width = part.is16Bit ? 16 : 8
    let key = "\(sender)/\(part.reference)/\(width)/\(part.total)"
    try database.execute(
      sql: """
        UPDATE inbox SET state = 'part', part_key = ?, part = ?, parts = ? WHERE id = ?
        """, arguments: [key, Int(part.part), Int(part.total), item.id])
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT id, part, body FROM inbox WHERE part_key = ? AND state = 'part' \(scope)
        GROUP BY part HAVING id = max(id) ORDER BY part LIMIT ?
        """, arguments: [key, Limits.parts])
    guard rows.count == Int(part.total) else {
      return Decoded(
        id: item.id, from: sender, result: .part(Int(part.part), of: Int(part.total)))
    }
    let decoded = try judge(item, text: try joined(rows) ?? text, from: sender)
    // The others have become what this one became.
    try database.execute(
      sql: """
        UPDATE inbox SET state = this.state, reason = this.reason, words = this.words,
          client_id = this.client_id
        FROM (SELECT state, reason, words, client_id FROM inbox WHERE id = ?) AS this
        WHERE part_key = ? AND inbox.state = 'part' \(scope)
        """, arguments: [item.id, key])
    return decoded
  }

  /// The text of a long message. Its parts are joined before they are read, because senders do cut
  /// inside a surrogate pair.
  private func joined(_ rows: [Row]) throws -> String? {
    var reassembler = Reassembler()
    for row in rows {
      let pdu = try PDU.decode(hex: row["body"] as String, direction: .mobileTerminated)
      guard case .deliver(let deliver) = pdu.tpdu else { continue }
      if case .complete(let whole) = reassembler.add(deliver, at: 0) {
        return whole.userData.text
      }
    }
    return nil
  }

  /// Sets parts aside whose others never came, for an operator to see.
  static func giveUpParts(_ database: Database, before limit: WallTime) throws {
    try database.cachedStatement(sql: givingUpParts).execute(arguments: [
      limit.milliseconds, Limits.openParts,
    ])
  }

  /// Runs with every message, so it looks at nothing but parts that wait.
  static let givingUpParts = """
    UPDATE inbox INDEXED BY inbox_parts SET state = 'undecodable', reason = 'missing_parts',
      words = 'part ' || part || ' of ' || parts || '; the others never came'
    WHERE state = 'part' AND (received_at_ms < ?1 OR id <= (
      SELECT id FROM inbox INDEXED BY inbox_parts WHERE state = 'part'
      ORDER BY id DESC LIMIT 1 OFFSET ?2))
    """

  private func judge(_ item: InboxItem, text: String, from sender: String) throws -> Decoded {
    switch Intake.decide(
      text: text, sender: sender, receivedAt: item.receivedAt, directory: directory,
      rules: rules, waiving: waiver)
    {
    case .undecodable(let reason): return try refuse(item, reason, from: sender)
    case .passage(let passage, let warnings):
      let isNew = try insert(passage, item)
      try set(
        item.id, state: isNew ? "decoded" : "duplicate", client: passage.clientID.description,
        warnings: warnings)
      return Decoded(
        id: item.id, from: sender,
        result: isNew ? .passage(passage, warnings: warnings) : .duplicate(passage))
    }
  }

  /// Inserts a passage; false when one of that identity is there.
  private func insert(_ passage: Passage, _ item: InboxItem) throws -> Bool {
    try database.cachedStatement(
      sql: """
        INSERT INTO passages (client_id, content_client_id, plate_number, plate_number_raw,
          vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, source,
          v1_body, inbox_id, inserted_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """
    ).execute(arguments: [
      passage.clientID.description, passage.contentClientID?.description, passage.plate.compact,
      passage.plate.raw, passage.vehicleType.rawValue, passage.checkpost.code, passage.segment,
      passage.recordedAt.milliseconds, passage.suffix.digits, passage.ranger,
      passage.source.rawValue, passage.v1Body, item.id, wall.milliseconds,
    ])
    return database.changesCount > 0
  }

  func refuse(
    _ item: InboxItem, _ reason: Reason, from sender: String? = nil
  ) throws -> Decoded {
    try database.execute(
      sql: "UPDATE inbox SET state = 'undecodable', reason = ?, words = ? WHERE id = ?",
      arguments: [reason.code, reason.message, item.id])
    return Decoded(id: item.id, from: sender ?? item.from, result: .undecodable(reason))
  }

  private func set(
    _ id: Int64, state: String, client: String? = nil, warnings: [IntakeWarning] = []
  ) throws {
    let words = warnings.map(\.rawValue).joined(separator: " ")
    try database.cachedStatement(
      sql: "UPDATE inbox SET state = ?, client_id = ?, warnings = ? WHERE id = ?"
    ).execute(arguments: [state, client, words.isEmpty ? nil : words, id])
  }
}
