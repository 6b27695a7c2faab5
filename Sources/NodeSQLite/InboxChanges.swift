import GRDB
import NodeCore
import Storage
import Time

extension StoreTransaction {
  /// What waits in the store, with the oldest texts that were begun until a moment and that no sweep has
  /// looked at.
  func sweepFacts(begunUntil: BootInstant, limit: Int) throws(StorageError) -> SweepFacts {
    try sorted {
      var facts = SweepFacts()
      // Texts are numbered in the order of their times, so each is looked at once.
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT old.id, text_parts.part, text_parts.delivery FROM (
              SELECT id FROM texts WHERE id > ? AND intent_t <= ? ORDER BY id LIMIT ?) AS old
            LEFT JOIN text_parts ON text_parts.text_id = old.id ORDER BY old.id, text_parts.part
            """),
        arguments: [
          try Meta.integer(database, .reportsSettled) ?? 0, begunUntil.nanoseconds, limit,
        ])
      for row in rows {
        let (id, part, delivery): (TextID, Int?, String?) = (row[0], row[1], row[2])
        if facts.texts.last?.id != id { facts.texts.append(ReportedText(id: id, parts: [:])) }
        guard let part else { continue }
        facts.texts[facts.texts.count - 1].parts[part] = .some(
          delivery.flatMap { Delivery(rawValue: $0) })
      }
      facts.reports = try waiting(
        "inbox_open_reports", "kind = 'status_report' AND text_id IS NULL AND error IS NULL")
      facts.parts = try waiting("inbox_open_parts", "kind = 'part' AND whole_id IS NULL")
      facts.newestMessage = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT max(id) FROM inbox"))
      return facts
    }
  }

  private func waiting(_ index: String, _ condition: String) throws -> [WaitingMessage] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, received_t FROM inbox INDEXED BY \(index) WHERE \(condition) ORDER BY id
          """)
    ).map { WaitingMessage(id: $0[0], received: BootInstant(nanoseconds: $0[1])) }
  }
}

extension StoreTransaction {
  /// Writes down one change that follows from what came in; nothing else is touched.
  func apply(_ change: InboxChange, at moment: Moment) throws(StorageError) {
    try sorted {
      switch change {
      case .settled(let id, let rule):
        try database.cachedStatement(sql: "UPDATE texts SET settled_by = ? WHERE id = ?")
          .execute(arguments: [rule.rawValue, id])
      case .reported(let report, let id, let part):
        try ReportWrites.note(database, report, text: id, part: part, at: moment)
      case .matched(let message, let id):
        try database.cachedStatement(sql: "UPDATE inbox SET text_id = ? WHERE id = ?")
          .execute(arguments: [id, message])
      case .expired(let id, let parts):
        try ReportWrites.expire(database, id, parts: parts, at: moment)
      case .swept(let last):
        try Meta.set(database, .reportsSettled, last)
      case .reportsGivenUp(let messages):
        try ReportWrites.mark(database, "error = 'no_text'", messages: messages)
      case .partsGivenUp(let messages):
        try ReportWrites.mark(
          database, "kind = 'deliver', error = 'missing_parts'", messages: messages)
      case .forgotten(let last):
        try database.cachedStatement(sql: "DELETE FROM inbox WHERE id <= ?").execute(
          arguments: [last])
      }
    }
  }
}

/// How what a report says, or that none came, is written down.
private enum ReportWrites {
  static func note(
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
          UPDATE text_deliveries
          SET undelivered = (sms_sent = 1 AND \(NodeSchema.isLost("text_deliveries.id")))
          WHERE id = (SELECT delivery_id FROM texts WHERE id = ?)
          """
      ).execute(arguments: [id])
    }
  }

  static func expire(
    _ database: Database, _ id: TextID, parts: [Int], at moment: Moment
  ) throws {
    for part in parts {
      try database.cachedStatement(
        sql: """
          UPDATE text_parts SET delivery = 'expired', delivery_status = NULL, delivery_ms = ?
          WHERE text_id = ? AND part = ?
          """
      ).execute(arguments: [moment.wall.milliseconds, id, part])
    }
  }

  /// Writes one thing down at several messages of the inbox.
  static func mark(_ database: Database, _ assignment: String, messages: [Int64]) throws {
    let statement = try database.cachedStatement(
      sql: "UPDATE inbox SET \(assignment) WHERE id = ?")
    for id in messages { try statement.execute(arguments: [id]) }
  }
}
