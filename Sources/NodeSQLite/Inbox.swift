import GRDB
public import NodeCore
import SQLiteFile
public import Storage
import Time

/// How what came in lies in the store.
enum Inbox {
  static func insert(
    _ database: Database, _ entry: InboxEntry, textID: TextID?, at moment: Moment
  ) throws {
    var (kind, sender, text) = ("undecodable", String?.none, String?.none)
    var (part, report, error) = (InboxPart?.none, StatusReport?.none, String?.none)
    switch entry.content {
    case .statusReport(let found):
      (kind, sender, report) = ("status_report", found.recipient, found)
    case .text(let from, let words): (kind, sender, text) = ("deliver", from, words)
    case .part(let from, let words, let place):
      (kind, sender, text, part) = ("part", from, words, place)
    case .data(let from, let hex): (kind, sender, text) = ("data", from, hex)
    case .indication(let from, let words): (kind, sender, text) = ("indication", from, words)
    case .undecodable(let reason): error = reason
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO inbox (pdu, identity, modem, received_ms, received_t, kind, sender, text,
          message_class, part_key, part, parts, text_id, reference, recipient_tail, delivery,
          delivery_status, error, taken_ms, discharged_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      entry.pdu, entry.identity, entry.modem, moment.wall.milliseconds, moment.boot.nanoseconds,
      kind, sender, text, entry.messageClass.map { Int64($0) }, part?.key, part?.part, part?.total,
      textID, report.map { Int64($0.reference) },
      report.map { TextWrites.phoneTail($0.recipient) }, report?.delivery.rawValue,
      report.map { Int64($0.status) }, error, report?.takenAt?.milliseconds,
      report?.dischargedAt?.milliseconds,
    ])
  }
}

extension StoreTransaction {
  /// The PDUs of a long message in the order of its parts, once all are there; nil before.
  func completeParts(_ place: InboxPart) throws(StorageError) -> [String]? {
    try sorted {
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT pdu, max(id) FROM inbox
            WHERE part_key = ? AND kind = 'part' AND whole_id IS NULL
            GROUP BY part ORDER BY part
            """), arguments: [place.key])
      return rows.count == place.total ? rows.map { $0[0] } : nil
    }
  }

  /// Makes a long message of its parts: the first bears the whole text, the others say so.
  func join(_ place: InboxPart, text: String) throws(StorageError) {
    try sorted {
      let first = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT min(id) FROM inbox WHERE part_key = ? AND kind = 'part' AND whole_id IS NULL
            """), arguments: [place.key])
      guard let first else { return }
      try database.cachedStatement(
        sql: """
          UPDATE inbox SET whole_id = ?1, kind = iif(id = ?1, 'deliver', kind),
            text = iif(id = ?1, ?2, text)
          WHERE part_key = ?3 AND kind = 'part' AND whole_id IS NULL
          """
      ).execute(arguments: [first, text, place.key])
    }
  }

  /// Gives up on parts that have waited for the others for too long, or that are too many; what
  /// there is of them stays readable.
  ///
  /// - Returns: how many there were.
  func giveUpParts(at moment: Moment) throws(StorageError) -> Int {
    try sorted {
      try database.cachedStatement(
        sql: """
          UPDATE inbox SET kind = 'deliver', error = 'missing_parts'
          WHERE kind = 'part' AND whole_id IS NULL AND (received_t < ?1 OR id <= (
            SELECT id FROM inbox WHERE kind = 'part' AND whole_id IS NULL
            ORDER BY id DESC LIMIT 1 OFFSET ?2))
          """
      ).execute(arguments: [
        (moment.boot - NodeCore.Limits.partsWait).nanoseconds, NodeCore.Limits.openParts,
      ])
      return database.changesCount
    }
  }

  /// Removes the oldest messages beyond those that are kept.
  func trimInbox() throws(StorageError) {
    try sorted {
      try database.cachedStatement(
        sql: "DELETE FROM inbox WHERE id <= (SELECT max(id) FROM inbox) - ?"
      ).execute(arguments: [NodeCore.Limits.inboxRows])
    }
  }
}

extension SQLiteNodeStore {
  /// What came in, newest first.
  ///
  /// - Parameter isWhole: whether status reports and the parts that have become a whole text are
  ///   among it.
  public func inbox(
    limit: Int, isWhole: Bool
  ) throws(StorageError) -> [InboxMessage] {
    try SQLiteFile.read(queue, path) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM inbox
          WHERE ?1 OR kind <> 'status_report' AND coalesce(whole_id, id) = id
          ORDER BY id DESC LIMIT ?2
          """,
        arguments: [isWhole, min(max(limit, 0), NodeCore.Limits.page)]
      ).map { row in
        InboxMessage(
          id: row["id"], modem: row["modem"],
          receivedAt: WallTime(milliseconds: row["received_ms"]), kind: row["kind"],
          sender: row["sender"], text: row["text"],
          messageClass: row["message_class"], times: row["times"], wholeID: row["whole_id"],
          delivery: row["delivery"], error: row["error"])
      }
    }
  }
}
