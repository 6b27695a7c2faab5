import CentralCore
import GRDB
import GSM
import Passages
import SQLiteFile
import Storage
import Time

/// The store inside one transaction.
struct InboxTransaction: CentralTransaction {
  let database: Database
  let path: String

  func unprocessed(limit: Int) throws(StorageError) -> [InboxItem] {
    try items("SELECT * FROM inbox WHERE state = 'received' ORDER BY id LIMIT ?", [limit])
  }

  func waitingParts(
    receivedBefore limit: WallTime, beyondNewest count: Int
  ) throws(StorageError) -> [InboxItem] {
    try items(InboxRows.waitingParts, [limit.milliseconds, count])
  }

  func parts(
    ofKeys keys: [String], states: [InboxItem.State]
  ) throws(StorageError) -> [InboxItem] {
    try sorted { try states.flatMap { try InboxRows.parts(keys, $0, database) } }
  }

  func message(_ id: Int64) throws(StorageError) -> InboxItem? {
    try sorted { try InboxRows.item(id, database) }
  }

  func refused(
    after: Int64, reason: String?, limit: Int
  ) throws(StorageError) -> [InboxItem] {
    try items(
      """
      SELECT * FROM inbox INDEXED BY inbox_waiting
      WHERE state = 'undecodable' AND dismissed_at_ms IS NULL AND id > ?1 AND (?2 IS NULL OR reason = ?2)
      ORDER BY id LIMIT ?3
      """, [after, reason, limit])
  }

  func posts() throws(StorageError) -> [Post] {
    try sorted { try DirectoryRows.posts(database) }
  }

  func rangers() throws(StorageError) -> [Ranger] {
    try sorted { try DirectoryRows.rangers(database) }
  }

  func numbers() throws(StorageError) -> [SenderBinding] {
    try sorted { try DirectoryRows.numbers(database) }
  }

  func apply(
    _ facts: [InboxFact], repeated: Set<Int64>, at wall: WallTime
  ) throws(StorageError) {
    try sorted {
      for fact in facts { try write(fact, isRepeated: repeated.contains(fact.id)) }
    }
  }

  /// Where a message stands once a fact is written down.
  private struct Standing {
    var state: InboxItem.State
    var reason: Reason?
    var client: String?
    var warnings: String?
  }

  private func write(_ fact: InboxFact, isRepeated: Bool) throws {
    let standing: Standing
    switch fact.change {
    case .report: standing = Standing(state: .report)
    case .heartbeat: standing = Standing(state: .heartbeat)
    case .waits: standing = Standing(state: .part)
    case .refused(let reason): standing = Standing(state: .undecodable, reason: reason)
    case .passage(let passage, let warnings, _):
      let words = warnings.map(\.rawValue).joined(separator: " ")
      standing = Standing(
        state: isRepeated ? .duplicate : .decoded, client: passage.clientID.description,
        warnings: words.isEmpty ? nil : words)
    }
    try database.cachedStatement(
      sql: """
        UPDATE inbox SET sender = ?, state = ?, reason = ?, words = ?, client_id = ?, warnings = ?,
          part_key = ?, part = ?, parts = ?, dismissed_at_ms = NULL, dismissed_by = NULL WHERE id = ?
        """
    ).execute(arguments: [
      fact.sender, standing.state.rawValue, standing.reason?.code, standing.reason?.message,
      standing.client, standing.warnings, fact.part?.key, fact.part?.part, fact.part?.total,
      fact.id,
    ])
    for id in fact.others {
      try database.cachedStatement(
        sql: """
          UPDATE inbox SET state = ?, reason = ?, words = ?, client_id = ?, dismissed_at_ms = NULL,
            dismissed_by = NULL WHERE id = ?
          """
      ).execute(arguments: [
        standing.state.rawValue, standing.reason?.code, standing.reason?.message, standing.client,
        id,
      ])
    }
  }

  private func items(
    _ sql: String, _ arguments: StatementArguments
  ) throws(StorageError) -> [InboxItem] {
    try sorted {
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
        .map { InboxItem(row: $0) }
    }
  }

  func sorted<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
    do {
      return try body()
    } catch {
      throw SQLiteFile.classify(error, path: path)
    }
  }
}
