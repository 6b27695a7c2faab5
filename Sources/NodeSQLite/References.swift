import GRDB
import NodeCore
import Time

/// What the references tell that a modem gives its texts (TP-MR, 3GPP TS 23.040 9.2.3.6): one octet,
/// counted up with each message that is handed to the network.
enum References {
  /// A reference and the text that it was given to.
  private struct Given {
    var textID: TextID
    var reference: UInt8

    init(row: Row) {
      textID = row[0]
      reference = UInt8(clamping: row[1] as Int64)
    }
  }

  /// What the references around a text tell.
  static func around(
    _ database: Database, _ id: TextID, _ modem: String?
  ) throws -> ReferencesAround {
    let last = try before(database, id, modem)
    let next = try after(database, id, modem)
    let parts = try last.flatMap { last in
      try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT coalesce(sum(parts), 0) FROM texts
            WHERE id > ?2 AND id <= ?3 AND \(Deliveries.sameModem)
            """), arguments: [modem, last.textID, id])
    }
    return ReferencesAround(
      before: last?.reference, after: next?.reference, parts: parts ?? 0)
  }

  /// Closes the texts of a modem that never left; see
  /// `NodeTransaction.textsThatNeverLeft(by:amongAll:at:)`.
  static func textsThatNeverLeft(
    _ database: Database, by modem: String, amongAll: Bool, at moment: Moment
  ) throws -> [TextThatNeverLeft] {
    var open = try TextID.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id FROM texts INDEXED BY texts_unknown
          WHERE outcome = 'unknown' AND sim = ?1
            AND id > (SELECT max(id) FROM texts) - ?2
          ORDER BY id DESC LIMIT ?3
          """), arguments: [modem, NodeCore.Limits.unknownReach, NodeCore.Limits.openReports])
    guard !open.isEmpty else { return [] }
    if !amongAll {
      let newest = try before(database, .max, modem)
      let last = try newest.flatMap { try before(database, $0.textID, modem) }
      open.removeAll { $0 < last?.textID ?? 0 }
    }
    var found: [TextThatNeverLeft] = []
    var countsByOne: Bool?
    for id in open.reversed() {
      let around = try References.around(database, id, modem)
      guard around.leaveNoRoom, let last = around.before, let next = around.after else { continue }
      if countsByOne == nil { countsByOne = try isCountedByOne(database, modem) }
      guard countsByOne == true else { break }
      let reason = "its modem's references run on around it without a gap"
      try TextWrites.end(
        database, id, .notSent(reason: reason), .againAfterRefusal(at: moment.boot), at: moment)
      try TextWrites.settle(database, id, by: .noGap)
      found.append(
        TextThatNeverLeft(textID: id, before: last, after: next))
    }
    return found
  }

  /// Whether a modem is known to count by one, as the last of its references show.
  private static func isCountedByOne(_ database: Database, _ modem: String) throws -> Bool {
    let given = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.reference FROM text_parts
          JOIN texts ON texts.id = text_parts.text_id
          WHERE texts.sim = ?1 AND text_parts.text_id > (SELECT max(id) FROM texts) - ?2
          ORDER BY text_parts.text_id DESC, text_parts.part DESC LIMIT ?3
          """),
      arguments: [modem, NodeCore.Limits.unknownReach, NodeCore.Limits.referencesLookedAt]
    ).map(Given.init(row:))
    var steps: [ReferenceStep] = []
    for (newer, older) in zip(given, given.dropFirst()) {
      let between = try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT count(*) FROM texts
            WHERE id > ?2 AND id < ?3 AND sim = ?1 AND outcome <> 'not_sent'
            """), arguments: [modem, older.textID, newer.textID])
      guard between == 0 else { continue }
      steps.append(ReferenceStep(older: older.reference, newer: newer.reference))
    }
    return ReferenceStep.countByOne(steps)
  }

  private static func before(_ database: Database, _ id: TextID, _ modem: String?) throws -> Given?
  {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.reference FROM text_parts
          JOIN texts ON texts.id = text_parts.text_id
          WHERE text_parts.text_id < ?2 AND \(Deliveries.sameModem)
          ORDER BY text_parts.text_id DESC, text_parts.part DESC LIMIT 1
          """), arguments: [modem, id]
    ).map(Given.init(row:))
  }

  private static func after(_ database: Database, _ id: TextID, _ modem: String?) throws -> Given? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.reference FROM text_parts
          JOIN texts ON texts.id = text_parts.text_id
          WHERE text_parts.text_id > ?2 AND \(Deliveries.sameModem)
          ORDER BY text_parts.text_id, text_parts.part LIMIT 1
          """), arguments: [modem, id]
    ).map(Given.init(row:))
  }
}
