import GRDB
import GSM
import NodeCore
import Storage
import Time

/// What tells the texts of one modem, or of one whose name was not written down yet.
private let sameModem = "(?1 IS NULL OR texts.sim IS NULL OR texts.sim = ?1)"

extension StoreTransaction: ReportFacts {
  /// The newest text of all; nil when there is none.
  func newestText() throws(StorageError) -> TextID? {
    try sorted {
      try TextID.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM texts"))
    }
  }

  /// The newest text of a modem with a number above `id` that left or may have.
  func newestText(by modem: String?, after id: TextID) throws(StorageError) -> SentText? {
    try sentTexts("id > ?2 AND outcome <> 'not_sent'", limit: "1", [modem, id]).first
  }

  /// Texts whose outcome is unknown or still to come.
  func unsettledTexts(_ search: TextSearch) throws(StorageError) -> [SentText] {
    try sentTexts(
      "id > ?2 AND outcome IN ('unknown', 'intent') AND recipient_tail = ?3", limit: "?4",
      [search.modem, search.after, search.recipientTail, search.limit])
  }

  private func sentTexts(
    _ condition: String, limit: String, _ arguments: StatementArguments
  ) throws(StorageError) -> [SentText] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id, outcome, refusal, recipient_tail, intent_t, intent_ms FROM texts
            WHERE \(condition) AND \(sameModem) ORDER BY id DESC LIMIT \(limit)
            """), arguments: arguments
      ).compactMap { row in
        TextState(rawValue: row[1]).map { state in
          SentText(
            id: row[0], state: state,
            refusal: (row[2] as String?).flatMap { ErrorClass(rawValue: $0) },
            recipientTail: row[3], begun: Moment(row: row, boot: 4, wall: 5))
        }
      }
    }
  }

  /// Parts of texts that were accepted with this reference.
  func sentParts(
    _ reference: UInt8, of search: TextSearch, onlyOpen: Bool
  ) throws(StorageError) -> [SentPart] {
    let condition =
      onlyOpen
      ? """
      AND (coalesce(text_parts.delivery, 'trying') = 'trying'
        OR (text_parts.delivery = 'expired' AND text_parts.delivery_status IS NULL))
      """ : ""
    return try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT text_parts.text_id, text_parts.part, texts.intent_t, texts.intent_ms
            FROM text_parts JOIN texts ON texts.id = text_parts.text_id
            WHERE text_parts.text_id > ?4 AND text_parts.reference = ?2
              AND texts.recipient_tail = ?3 AND \(sameModem) \(condition)
            ORDER BY text_parts.text_id DESC LIMIT ?5
            """),
        arguments: [
          search.modem, Int64(reference), search.recipientTail, search.after, search.limit,
        ]
      ).map { row in
        SentPart(textID: row[0], part: row[1], begun: Moment(row: row, boot: 2, wall: 3))
      }
    }
  }

  /// What the last reports said of the service centre's clock.
  func centreReadings(
    by modem: String?, without reference: UInt8, receivedAt: BootInstant, reach: Int64, limit: Int
  ) throws(StorageError) -> [CentreReading] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT received_t, received_ms, discharged_ms FROM inbox
            WHERE id > (SELECT max(id) FROM inbox) - ?2 AND kind = 'status_report'
              AND discharged_ms IS NOT NULL AND (?1 IS NULL OR modem IS NULL OR modem = ?1)
              AND NOT (received_t = ?3 AND reference = ?4)
            ORDER BY id DESC LIMIT ?5
            """),
        arguments: [modem, reach, receivedAt.nanoseconds, Int64(reference), limit]
      ).map { row in
        CentreReading(
          received: Moment(row: row, boot: 0, wall: 1),
          discharged: WallTime(milliseconds: row[2]))
      }
    }
  }

  /// Reports that fitted no text so far and came in since a moment.
  func waitingReports(
    by modem: String?, since: BootInstant, limit: Int
  ) throws(StorageError) -> [WaitingReport] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id, reference, sender, delivery, delivery_status, taken_ms, discharged_ms,
              received_t, received_ms
            FROM inbox INDEXED BY inbox_open_reports
            WHERE kind = 'status_report' AND text_id IS NULL AND error IS NULL
              AND reference IS NOT NULL
              AND (?1 IS NULL OR modem IS NULL OR modem = ?1) AND received_t >= ?2
            ORDER BY id DESC LIMIT ?3
            """), arguments: [modem, since.nanoseconds, limit]
      ).compactMap { row in
        StatusReport(row: row).map { report in
          WaitingReport(id: row[0], report: report, received: Moment(row: row, boot: 7, wall: 8))
        }
      }
    }
  }

  /// By what the outcome of a text was settled that nobody had known; nil where it was known.
  func settlingRule(of id: TextID) throws(StorageError) -> SettlingRule? {
    try sorted {
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT settled_by FROM texts WHERE id = ?"),
        arguments: [id]
      ).flatMap { SettlingRule(rawValue: $0) }
    }
  }
}

/// The references that a modem gives its texts.
extension StoreTransaction {
  /// What the references around a text tell.
  func references(
    around id: TextID, by modem: String?
  ) throws(StorageError) -> ReferencesAround {
    try sorted {
      let last = try given(
        "\(sameModem) AND text_parts.text_id < ?2", newestFirst: true, [modem, id, 1]
      ).first
      let next = try given(
        "\(sameModem) AND text_parts.text_id > ?2", newestFirst: false, [modem, id, 1]
      ).first
      let parts = try last.flatMap { last in
        try Int.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT coalesce(sum(parts), 0) FROM texts WHERE id > ?2 AND id <= ?3 AND \(sameModem)
              """), arguments: [modem, last.textID, id])
      }
      return ReferencesAround(
        before: last?.reference, after: next?.reference, parts: parts ?? 0)
    }
  }

  /// The references of a modem, of texts with numbers above `id`.
  func references(
    by modem: String, after id: TextID, limit: Int
  ) throws(StorageError) -> [GivenReference] {
    try sorted {
      try given(
        "texts.sim = ?1 AND text_parts.text_id > ?2", newestFirst: true, [modem, id, limit])
    }
  }

  private func given(
    _ condition: String, newestFirst: Bool, _ arguments: StatementArguments
  ) throws -> [GivenReference] {
    let order = newestFirst ? "DESC" : "ASC"
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.reference FROM text_parts
          JOIN texts ON texts.id = text_parts.text_id WHERE \(condition)
          ORDER BY text_parts.text_id \(order), text_parts.part \(order) LIMIT ?3
          """), arguments: arguments
    ).map { GivenReference(textID: $0[0], reference: UInt8(clamping: $0[1] as Int64)) }
  }

  /// Texts of a modem between two others that left or may have.
  func countTexts(
    by modem: String, between older: TextID, and newer: TextID
  ) throws(StorageError) -> Int {
    try sorted {
      try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT count(*) FROM texts
            WHERE id > ?2 AND id < ?3 AND sim = ?1 AND outcome <> 'not_sent'
            """), arguments: [modem, older, newer]) ?? 0
    }
  }

  /// Texts of a modem, with numbers above `id`, of which nobody knows whether they left.
  func unknownTexts(
    by modem: String, after id: TextID, limit: Int
  ) throws(StorageError) -> [TextID] {
    try sorted {
      try TextID.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id FROM texts INDEXED BY texts_unknown
            WHERE outcome = 'unknown' AND sim = ?1 AND id > ?2 ORDER BY id DESC LIMIT ?3
            """), arguments: [modem, id, limit])
    }
  }
}

extension StatusReport {
  /// The report of a row of the inbox; nil when it says nothing that is known here.
  fileprivate init?(row: Row) {
    guard let delivery = Delivery(rawValue: row[3]) else { return nil }
    let (taken, discharged): (Int64?, Int64?) = (row[5], row[6])
    self.init(
      reference: UInt8(clamping: row[1] as Int64), recipient: row[2], delivery: delivery,
      status: UInt8(clamping: row[4] as Int64),
      takenAt: taken.map { WallTime(milliseconds: $0) },
      dischargedAt: discharged.map { WallTime(milliseconds: $0) })
  }
}

extension Moment {
  /// The moment that two columns of a row hold.
  init(row: Row, boot: Int, wall: Int) {
    self.init(
      boot: BootInstant(nanoseconds: row[boot]), wall: WallTime(milliseconds: row[wall]))
  }
}
