public import CentralCore
import GRDB
public import SQLiteFile
public import Timing

/// A message in the inbox.
public struct InboxItem: Hashable, Sendable {
  /// Where a message stands.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// On disk, and not looked at yet.
    case received
    /// A part that waits for the others.
    case part
    /// A status report; nothing follows from it here.
    case report
    /// It became a passage.
    case decoded
    /// Its passage was there already.
    case duplicate
    /// It is no passage as it stands; it waits for an operator.
    case undecodable
  }

  /// Its number in the inbox; later messages have higher ones.
  public var id: Int64
  /// Who handed it over, as ``Provider`` names it.
  public var provider: String
  /// The number or the name it says it comes from; empty when it cannot be read.
  public var from: String
  /// The text, or the PDU as it came.
  public var body: String
  /// Whether `body` is a PDU in hexadecimal digits, and not a text.
  public var isPDU: Bool
  /// When it first came in, by the central's wall clock.
  public var receivedAt: WallTime
  /// How often it was handed over.
  public var timesReceived: Int
  /// Where it stands.
  public var state: State
  /// Why it is no passage: a stable name; nil when nothing is wrong with it.
  public var reason: String?
  /// Why it is no passage, in words; nil when nothing is wrong with it.
  public var words: String?
  /// The passage that it became or is a duplicate of.
  public var clientID: String?
  /// What an operator should know of a passage that was taken all the same.
  public var warnings: [IntakeWarning]
}

/// What came of keeping a message.
public enum KeepOutcome: Hashable, Sendable {
  /// It is on disk under this number.
  case kept(Int64)
  /// The same message is there already.
  case known(Int64)
}

extension CentralStore {
  /// Keeps messages as they came, in one transaction: on disk when this returns, and only then may
  /// whoever handed them over be told.
  public func keep(_ messages: [InboundMessage]) throws(StorageError) -> [KeepOutcome] {
    try SQLiteFile.write(queue, path) { database in
      try messages.map { message in
        let (kind, body) =
          switch message.content {
          case .text(let text): ("text", text)
          case .pdu(let hex): ("pdu", hex)
          }
        if let known = try Int64.fetchOne(
          database.cachedStatement(
            sql: """
              UPDATE inbox SET times_received = times_received + 1
              WHERE provider = ? AND provider_id = ? RETURNING id
              """), arguments: [message.provider.rawValue, message.providerID])
        {
          return .known(known)
        }
        try database.cachedStatement(
          sql: """
            INSERT INTO inbox (provider, provider_id, sender, recipient, kind, body,
              received_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          message.provider.rawValue, message.providerID, message.from, message.to, kind,
          String(body.prefix(Limits.bodyCharacters)), message.receivedAt.milliseconds,
        ])
        return .kept(database.lastInsertedRowID)
      }
    }
  }

  /// Messages, newest first.
  ///
  /// - Parameter before: Only those with lower numbers; nil for the newest.
  public func inbox(
    state: InboxItem.State? = nil, before: Int64? = nil, limit: Int = Limits.page
  ) throws(StorageError) -> [InboxItem] {
    try SQLiteFile.read(queue, path) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM inbox WHERE id < ? AND (? IS NULL OR state = ?) ORDER BY id DESC LIMIT ?
          """,
        arguments: [before ?? .max, state?.rawValue, state?.rawValue, limit]
      ).map { InboxItem(row: $0) }
    }
  }

  /// The message of that number.
  public func inboxItem(_ id: Int64) throws(StorageError) -> InboxItem? {
    try SQLiteFile.read(queue, path) { database in
      try Row.fetchOne(database, sql: "SELECT * FROM inbox WHERE id = ?", arguments: [id])
        .map { InboxItem(row: $0) }
    }
  }

  /// Lets undecodable messages be looked at again; how many there are.
  ///
  /// - Parameter id: Only this one, with the other parts of a long message; nil for all.
  public func rerun(_ id: Int64? = nil) throws(StorageError) -> Int {
    try SQLiteFile.write(queue, path) { database in
      try database.execute(
        sql: """
          UPDATE inbox SET state = 'received', reason = NULL, words = NULL
          WHERE state = 'undecodable' AND (?1 IS NULL OR id = ?1
            OR part_key = (SELECT part_key FROM inbox WHERE id = ?1))
          """, arguments: [id])
      return database.changesCount
    }
  }
}

extension InboxItem {
  init(row: Row) {
    self.init(
      id: row["id"], provider: row["provider"], from: row["sender"] ?? "", body: row["body"],
      isPDU: row["kind"] == "pdu",
      receivedAt: WallTime(milliseconds: row["received_at_ms"]),
      timesReceived: row["times_received"], state: State(rawValue: row["state"]) ?? .received,
      reason: row["reason"], words: row["words"], clientID: row["client_id"],
      warnings: (row["warnings"] as String? ?? "").split(separator: " ").compactMap {
        IntakeWarning(rawValue: String($0))
      })
  }
}
