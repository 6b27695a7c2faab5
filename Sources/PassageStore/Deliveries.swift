import GRDB
public import NodeCore
public import SQLiteFile
import Timing

extension StoreTransaction {
  /// Keeps something received, before the modem is told to delete it, and notes what a status report
  /// says at the text it is about.
  ///
  /// What the network hands over twice is kept once, and counted.
  public func keep(_ entry: InboxEntry, at moment: Moment) throws(StorageError) -> KeepOutcome {
    var entry = entry
    // Two modems may well get the same: their texts to one number, sent in one second, have reports
    // that differ in nothing.
    if let modem = entry.modem { entry.identity += "@" + modem }
    return try sorted { [entry] in
      try database.cachedStatement(
        sql: """
          UPDATE inbox SET times = times + 1 WHERE id = (
            SELECT id FROM inbox WHERE identity = ? AND received_t >= ? ORDER BY id DESC LIMIT 1)
          """
      ).execute(arguments: [
        entry.identity, (moment.boot - Limits.duplicatesWithin).nanoseconds,
      ])
      if database.changesCount > 0 {
        return .known
      }
      var matched: MatchedReport?
      if case .statusReport(let report) = entry.content {
        matched = try Deliveries.note(database, report, from: entry.modem, at: moment)
      }
      try Inbox.insert(database, entry, textID: matched?.textID, at: moment)
      if let matched, matched.resolved {
        // What is known of one text may tell which one an earlier report was about.
        _ = try Deliveries.settle(database, from: entry.modem, at: moment)
      }
      return .kept(textID: matched?.textID, resolved: matched?.resolved ?? false)
    }
  }

  /// Hands reports that came before the outcome of a text to it, now that the outcome is there.
  ///
  /// - Returns: each report with what it is about.
  public func matchReports(
    ofTextBy modem: String, at moment: Moment
  ) throws(StorageError) -> [MatchedReport] {
    try sorted { try Deliveries.settle(database, from: modem, at: moment) }
  }

  /// Closes texts of which no final report has come within `limit`: they count as expired, though a
  /// report that comes later still says more.
  ///
  /// - Parameter asksForReports: whether reports are asked for; texts of a time when they were not
  ///   are passed over.
  /// - Returns: the texts that expired, oldest first.
  public func expireReports(
    after limit: Duration, asksForReports: Bool, at moment: Moment
  ) throws(StorageError) -> [TextID] {
    try sorted {
      // Texts are numbered in the order of their times, so each is looked at once.
      let settled = try Meta.integer(database, .reportsSettled) ?? 0
      let old = try TextID.fetchAll(
        database.cachedStatement(
          sql: "SELECT id FROM texts WHERE id > ? AND intent_t <= ? ORDER BY id LIMIT ?"),
        arguments: [settled, (moment.boot - limit).nanoseconds, Limits.expiredAtOnce])
      guard let last = old.last else { return [] }
      var expired: [TextID] = []
      for id in old where asksForReports {
        try database.cachedStatement(
          sql: """
            UPDATE text_parts SET delivery = 'expired', delivery_status = NULL, delivery_ms = ?
            WHERE text_id = ? AND coalesce(delivery, 'trying') = 'trying'
            """
        ).execute(arguments: [moment.wall.milliseconds, id])
        if database.changesCount > 0 { expired.append(id) }
      }
      try Meta.set(database, .reportsSettled, last)
      return expired
    }
  }
}

/// Which text a report is about.
enum Deliveries {
  /// What tells the texts of one modem, or of one whose name was not written down yet.
  private static let sameModem = "(?1 IS NULL OR texts.sim IS NULL OR texts.sim = ?1)"
  /// What may still be said more about.
  private static let isOpen = """
    (coalesce(text_parts.delivery, 'trying') = 'trying'
      OR (text_parts.delivery = 'expired' AND text_parts.delivery_status IS NULL))
    """

  /// Finds the text of a report, and notes what the report says unless something final is known.
  static func note(
    _ database: Database, _ report: StatusReport, from modem: String?, at moment: Moment
  ) throws -> MatchedReport? {
    let tail = TextWrites.phoneTail(report.recipient)
    let newest = try TextID.fetchOne(
      database.cachedStatement(sql: "SELECT max(id) FROM texts"))
    guard let newest else { return nil }
    // By modem, reference and number, newest first: the reference is one octet and comes round.
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.part FROM text_parts
          JOIN texts ON texts.id = text_parts.text_id
          WHERE text_parts.text_id > ?4 AND text_parts.reference = ?2
            AND texts.recipient_tail = ?3 AND \(sameModem) AND \(isOpen)
          ORDER BY text_parts.text_id DESC LIMIT 1
          """),
      arguments: [modem, Int64(report.reference), tail, newest - Limits.reportReach])
    if let row {
      try set(database, report, text: row[0], part: row[1], at: moment)
      return MatchedReport(textID: row[0], report: report, resolved: false)
    }
    // One that is repeated about a text of which the end is known tells nothing about any other.
    let isRepeated = try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM text_parts JOIN texts ON texts.id = text_parts.text_id
            WHERE text_parts.text_id > ?4 AND text_parts.reference = ?2
              AND texts.recipient_tail = ?3 AND \(sameModem))
          """), arguments: [modem, Int64(report.reference), tail, newest - 256])
    guard isRepeated != true,
      let id = try unknown(database, report, tail: tail, modem: modem, newest: newest)
    else { return nil }
    try TextWrites.end(
      database, id, .accepted(references: [report.reference]), .texted, at: moment)
    try set(database, report, text: id, part: 1, at: moment)
    return MatchedReport(textID: id, report: report, resolved: true)
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
            SELECT id, reference, sender, delivery, delivery_status FROM inbox
            INDEXED BY inbox_open_reports
            WHERE kind = 'status_report' AND text_id IS NULL AND reference IS NOT NULL
              AND (?1 IS NULL OR modem IS NULL OR modem = ?1) AND received_t >= ?2
            ORDER BY id DESC LIMIT ?3
            """),
        arguments: [
          modem, (moment.boot - Limits.reportsWait).nanoseconds, Limits.openReports,
        ])
      for row in open.reversed() {
        guard let delivery = Delivery(rawValue: row[3]) else { continue }
        let report = StatusReport(
          reference: UInt8(clamping: row[1] as Int64), recipient: row[2], delivery: delivery,
          status: UInt8(clamping: row[4] as Int64))
        guard let found = try note(database, report, from: modem, at: moment) else { continue }
        try database.cachedStatement(sql: "UPDATE inbox SET text_id = ? WHERE id = ?").execute(
          arguments: [found.textID, row[0] as Int64])
        matched.append(found)
        if found.resolved { isDone = false }
      }
    }
    return matched
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
          UPDATE queue SET undelivered = (sms_sent = 1 AND \(Schema.isUndelivered("queue.id")))
          WHERE id = (SELECT queue_id FROM texts WHERE id = ?)
          """
      ).execute(arguments: [id])
    }
  }

  /// The text with an unknown outcome that a report is about; nil when none is, or when it might be
  /// about several.
  ///
  /// Such a text has no reference, since the modem's answer with it was lost. But modems count their
  /// references up: a report that fits no text with a reference is about the one without for which the
  /// count agrees. The same card may have sent texts that are not known here, by hand or in a
  /// telephone, so the count is asked even where there is only one; it tells nothing while no text of
  /// the modem has a reference.
  private static func unknown(
    _ database: Database, _ report: StatusReport, tail: String, modem: String?, newest: TextID
  ) throws -> TextID? {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, outcome = 'intent' FROM texts
          WHERE id > ?3 AND outcome IN ('unknown', 'intent') AND recipient_tail = ?2
            AND \(sameModem)
          ORDER BY id DESC LIMIT ?4
          """),
      arguments: [modem, tail, newest - Limits.unknownReach, Limits.openReports])
    let candidates: [TextID] = rows.filter { !($0[1] as Bool) }.map { $0[0] }
    guard let first = candidates.first else {
      return rows.isEmpty
        ? try refused(database, report, tail: tail, modem: modem, newest: newest) : nil
    }
    if rows.count == 1 {
      return try countAgrees(database, report.reference, first, modem) == false ? nil : first
    }
    var fitting: [TextID] = []
    for id in candidates where try countAgrees(database, report.reference, id, modem) == true {
      fitting.append(id)
    }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// The newest text of a modem, when it was refused with an error that says little of what became of
  /// it: some modems give one although the network took the text, and a report is the proof.
  private static func refused(
    _ database: Database, _ report: StatusReport, tail: String, modem: String?, newest: TextID
  ) throws -> TextID? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, outcome = 'refused' AND refusal IN ('soon', 'later') AND recipient_tail = ?2
          FROM texts WHERE id > ?3 AND outcome <> 'not_sent' AND \(sameModem)
          ORDER BY id DESC LIMIT 1
          """),
      arguments: [modem, tail, newest - Limits.unknownReach])
    guard let row, row[1] else { return nil }
    let id: TextID = row[0]
    return try countAgrees(database, report.reference, id, modem) == false ? nil : id
  }

  /// Whether a text may have had a reference: not before that of the last text of its modem which is
  /// known, and not further from it than texts lie between. Nil when no reference of it is known.
  private static func countAgrees(
    _ database: Database, _ reference: UInt8, _ id: TextID, _ modem: String?
  ) throws -> Bool? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.reference FROM text_parts
          JOIN texts ON texts.id = text_parts.text_id
          WHERE text_parts.text_id < ?2 AND \(sameModem)
          ORDER BY text_parts.text_id DESC, text_parts.part DESC LIMIT 1
          """), arguments: [modem, id])
    guard let row else { return nil }
    let between = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT coalesce(sum(parts), 0) FROM texts WHERE id > ?2 AND id <= ?3 AND \(sameModem)
          """), arguments: [modem, row[0] as TextID, id])
    let distance = Int(reference &- UInt8(clamping: row[1] as Int64))
    return distance >= 1 && distance <= between ?? 0
  }
}
