import GRDB
import GSM
public import NodeCore
import SQLiteFile
public import Storage
import Time

extension StoreTransaction {
  /// Counts a message that was kept under this identity since a moment once more; false when there is
  /// none.
  func countAgain(_ identity: String, since: BootInstant) throws(StorageError) -> Bool {
    try sorted {
      try database.cachedStatement(
        sql: """
          UPDATE inbox SET times = times + 1 WHERE id = (
            SELECT id FROM inbox WHERE identity = ? AND received_t >= ? ORDER BY id DESC LIMIT 1)
          """
      ).execute(arguments: [identity, since.nanoseconds])
      return database.changesCount > 0
    }
  }

  /// Keeps something received, with the text that it is a report about.
  func insert(_ entry: InboxEntry, about textID: TextID?, at moment: Moment) throws(StorageError) {
    try sorted {
      var (kind, sender, text) = ("undecodable", String?.none, String?.none)
      var (part, report, error) = (MessagePart?.none, StatusReport?.none, String?.none)
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
        kind, sender, text, entry.messageClass.map { Int64($0) }, part?.key, part?.part,
        part?.total,
        textID, report.map { Int64($0.reference) },
        report?.recipientTail, report?.delivery.rawValue,
        report.map { Int64($0.status) }, error, report?.takenAt?.milliseconds,
        report?.dischargedAt?.milliseconds,
      ])
    }
  }

  /// The PDUs of a long message in the order of its parts, once all are there; nil before.
  func completeParts(_ place: MessagePart) throws(StorageError) -> [String]? {
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
  func join(_ place: MessagePart, text: String) throws(StorageError) {
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
}

extension SQLiteNodeStore {
  /// What came in, newest first.
  ///
  /// - Parameter isWhole: whether status reports and the parts that have become a whole text are
  ///   among it.
  public func inbox(
    limit: Int, isWhole: Bool
  ) throws(StorageError) -> [InboxMessage] {
    try file.read { database in
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
