public import CentralCore
import GRDB
import SQLiteFile
public import Storage
public import Time

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

extension SQLiteCentralStore {
  /// Keeps messages as they came, in one transaction: on disk when this returns, and only then may
  /// whoever handed them over be told.
  ///
  /// - Throws: Why they could not be kept; `StorageError.diskFull` also while only the reserve is left.
  public func keep(_ messages: [InboundMessage]) throws(StorageError) -> [KeepOutcome] {
    guard hasRoom else { throw .diskFull(path: path) }
    return try SQLiteFile.write(queue, path) { database in
      try messages.map { message in
        let (kind, body) =
          switch message.content {
          case .text(let text): ("text", text)
          case .pdu(let hex): ("pdu", hex)
          }
        let providerID = InboxText.kept(message.providerID)
        if let known = try Int64.fetchOne(
          database.cachedStatement(
            sql: """
              UPDATE inbox SET times_received = times_received + 1
              WHERE provider = ? AND provider_id = ? RETURNING id
              """), arguments: [message.provider.rawValue, providerID])
        {
          return .known(known)
        }
        try database.cachedStatement(
          sql: """
            INSERT INTO inbox (provider, provider_id, sender, recipient, kind, body,
              received_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          message.provider.rawValue, providerID, InboxText.kept(message.from),
          message.to.map { InboxText.kept($0) }, kind,
          InboxText.kept(String(body.prefix(Limits.bodyCharacters))),
          message.receivedAt.milliseconds,
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
      // The state stands in the statement itself, so that the index of those that wait serves.
      let condition = state.map { "AND state = '\($0.rawValue)'" } ?? ""
      return try Row.fetchAll(
        database,
        sql: "SELECT * FROM inbox WHERE id < ? \(condition) ORDER BY id DESC LIMIT ?",
        arguments: [before ?? .max, limit]
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
}

/// Text as the inbox keeps it.
enum InboxText {
  /// A text with a visible sign (U+2400) where it has a NUL: SQLite ends a text there, so that what
  /// comes after it would be lost, and what comes before it be taken for all there was.
  static func kept(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
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
