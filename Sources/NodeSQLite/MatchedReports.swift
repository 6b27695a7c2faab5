import GRDB
import NodeCore
import Time

/// Which text a report is about.
enum Deliveries {
  /// What tells the texts of one modem, or of one whose name was not written down yet.
  static let sameModem = "(?1 IS NULL OR texts.sim IS NULL OR texts.sim = ?1)"
  /// What may still be said more about.
  private static let isOpen = """
    (coalesce(text_parts.delivery, 'trying') = 'trying'
      OR (text_parts.delivery = 'expired' AND text_parts.delivery_status IS NULL))
    """

  /// Finds the text of a report, and notes what the report says unless something final is known.
  static func note(
    _ database: Database, _ report: StatusReport, from modem: String?, received: Moment,
    at moment: Moment
  ) throws -> MatchedReport? {
    let received = ReceivedReport(
      report, from: modem, at: received,
      readings: try readings(database, before: report, from: modem, at: received))
    let tail = TextWrites.phoneTail(report.recipient)
    let newest = try TextID.fetchOne(
      database.cachedStatement(sql: "SELECT max(id) FROM texts"))
    guard let newest else { return nil }
    // By modem, reference and number, newest first: the reference is one octet and comes round.
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.part, texts.intent_t, texts.intent_ms
          FROM text_parts JOIN texts ON texts.id = text_parts.text_id
          WHERE text_parts.text_id > ?4 AND text_parts.reference = ?2
            AND texts.recipient_tail = ?3 AND \(sameModem) AND \(isOpen)
          ORDER BY text_parts.text_id DESC LIMIT ?5
          """),
      arguments: [
        received.modem, Int64(report.reference), tail, newest - NodeCore.Limits.reportReach,
        NodeCore.Limits.sameReference,
      ])
    let parts = rows.map { row in
      SentPart(textID: row[0], part: row[1], begun: Moment(row: row, boot: 2, wall: 3))
    }
    if let own = received.own(among: parts) {
      try set(database, report, text: own.textID, part: own.part, at: moment)
      return MatchedReport(textID: own.textID, report: report, resolved: false)
    }
    guard try !isRepeated(database, received, tail: tail, newest: newest),
      let (id, rule) = try UnsettledTexts.settled(
        database, by: received, tail: tail, newest: newest)
    else { return nil }
    try TextWrites.end(
      database, id, .accepted(references: [report.reference]), .texted, at: moment)
    try TextWrites.settle(database, id, by: rule)
    try set(database, report, text: id, part: 1, at: moment)
    return MatchedReport(textID: id, report: report, resolved: true, rule: rule)
  }

  /// One that is repeated about a text of which the end is known tells nothing about any other.
  private static func isRepeated(
    _ database: Database, _ received: ReceivedReport, tail: String, newest: TextID
  ) throws -> Bool {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT texts.intent_t, texts.intent_ms
          FROM text_parts JOIN texts ON texts.id = text_parts.text_id
          WHERE text_parts.text_id > ?4 AND text_parts.reference = ?2
            AND texts.recipient_tail = ?3 AND \(sameModem)
          ORDER BY text_parts.text_id DESC LIMIT ?5
          """),
      arguments: [
        received.modem, Int64(received.report.reference), tail, newest - 256,
        NodeCore.Limits.sameReference,
      ]
    ).contains { !received.isOlder(than: Moment(row: $0, boot: 0, wall: 1)) }
  }

  /// Tries reports once more that fitted no text when they came.
  static func settle(
    _ database: Database, from modem: String?, at moment: Moment
  ) throws -> [MatchedReport] {
    var matched: [MatchedReport] = []
    var isDone = false
    while !isDone {
      isDone = true
      let open = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id, reference, sender, delivery, delivery_status, taken_ms, discharged_ms,
              received_t, received_ms
            FROM inbox INDEXED BY inbox_open_reports
            WHERE kind = 'status_report' AND text_id IS NULL AND error IS NULL
              AND reference IS NOT NULL
              AND (?1 IS NULL OR modem IS NULL OR modem = ?1) AND received_t >= ?2
            ORDER BY id DESC LIMIT ?3
            """),
        arguments: [
          modem, (moment.boot - NodeCore.Limits.reportsWait).nanoseconds,
          NodeCore.Limits.openReports,
        ])
      for row in open.reversed() {
        guard let report = StatusReport(row: row) else { continue }
        let received = Moment(row: row, boot: 7, wall: 8)
        guard
          let found = try note(database, report, from: modem, received: received, at: moment)
        else { continue }
        try database.cachedStatement(sql: "UPDATE inbox SET text_id = ? WHERE id = ?").execute(
          arguments: [found.textID, row[0] as Int64])
        matched.append(found)
        if found.resolved { isDone = false }
      }
    }
    return matched
  }

  /// What the last reports of the same card said of the service centre's clock, without this one.
  private static func readings(
    _ database: Database, before report: StatusReport, from modem: String?, at received: Moment
  ) throws -> [CentreReading] {
    // Without a time of its own nothing is compared.
    guard report.takenAt != nil else { return [] }
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT received_t, received_ms, discharged_ms FROM inbox
          WHERE id > (SELECT max(id) FROM inbox) - ?2 AND kind = 'status_report'
            AND discharged_ms IS NOT NULL AND (?1 IS NULL OR modem IS NULL OR modem = ?1)
            AND NOT (received_t = ?3 AND reference = ?4)
          ORDER BY id DESC LIMIT ?5
          """),
      arguments: [
        modem, NodeCore.Limits.centreReach, received.boot.nanoseconds, Int64(report.reference),
        NodeCore.Limits.centreReports,
      ]
    ).map { row in
      CentreReading(
        received: Moment(row: row, boot: 0, wall: 1), discharged: WallTime(milliseconds: row[2]))
    }
  }

  private static func set(
    _ database: Database, _ report: StatusReport, text id: TextID, part: Int, at moment: Moment
  ) throws {
    try database.cachedStatement(
      sql: """
        UPDATE text_parts SET delivery = ?, delivery_status = ?, delivery_ms = ?
        WHERE text_id = ? AND part = ?
        """
    ).execute(arguments: [
      report.delivery.rawValue, Int64(report.status), moment.wall.milliseconds, id, part,
    ])
    switch report.delivery {
    case .delivered, .trying: break
    case .failed, .expired:
      try database.cachedStatement(
        sql: """
          UPDATE queue SET undelivered = (sms_sent = 1 AND \(NodeSchema.isUndelivered("queue.id")))
          WHERE id = (SELECT queue_id FROM texts WHERE id = ?)
          """
      ).execute(arguments: [id])
    }
  }
}

extension StatusReport {
  /// The report of a row that ``Deliveries`` reads; nil when it says nothing that is known here.
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
