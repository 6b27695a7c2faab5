import GRDB
import NodeCore
import Time

/// Which text with an unknown outcome a report is about.
enum UnknownTexts {
  /// The text that a report is about, and by what that was found out; nil when it is about none, or
  /// when it might be about several.
  ///
  /// Such a text has no reference, since the modem's answer with it was lost. But modems count their
  /// references up: a report that fits no text with a reference is about the one without for which the
  /// count agrees. The same card may have sent texts that are not known here, by hand or in a
  /// telephone, so the count is asked even where there is only one; it tells nothing while no text of
  /// the modem has a reference.
  static func settled(
    _ database: Database, by received: ReceivedReport, tail: String, newest: TextID
  ) throws -> (TextID, SettlingRule)? {
    let modem = received.modem
    let reference = received.report.reference
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, outcome = 'intent', intent_t, intent_ms FROM texts
          WHERE id > ?3 AND outcome IN ('unknown', 'intent') AND recipient_tail = ?2
            AND \(Deliveries.sameModem)
          ORDER BY id DESC LIMIT ?4
          """),
      arguments: [modem, tail, newest - NodeCore.Limits.unknownReach, NodeCore.Limits.openReports]
    ).filter { try !received.isOlder(than: .init(row: $0, time: 2, wall: 3), database) }
    let candidates: [TextID] = rows.filter { !($0[1] as Bool) }.map { $0[0] }
    guard let first = candidates.first else {
      return rows.isEmpty
        ? try refused(database, by: received, tail: tail, newest: newest) : nil
    }
    if rows.count == 1 {
      let agrees = try References.agree(database, reference, with: first, modem)
      return agrees == false ? nil : (first, .onlyText)
    }
    let fitting = try candidates.filter {
      try References.agree(database, reference, with: $0, modem) == true
    }
    return fitting.count == 1 ? (fitting[0], .count) : nil
  }

  /// The newest text of a modem, when it was refused with an error that says little of what became of
  /// it: some modems give one although the network took the text, and a report is the proof.
  private static func refused(
    _ database: Database, by received: ReceivedReport, tail: String, newest: TextID
  ) throws -> (TextID, SettlingRule)? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, outcome = 'refused' AND refusal IN ('soon', 'later') AND recipient_tail = ?2,
            intent_t, intent_ms
          FROM texts WHERE id > ?3 AND outcome <> 'not_sent' AND \(Deliveries.sameModem)
          ORDER BY id DESC LIMIT 1
          """),
      arguments: [received.modem, tail, newest - NodeCore.Limits.unknownReach])
    guard let row, row[1],
      try !received.isOlder(than: .init(row: row, time: 2, wall: 3), database)
    else { return nil }
    let id: TextID = row[0]
    let agrees = try References.agree(
      database, received.report.reference, with: id, received.modem)
    return agrees == false ? nil : (id, .doubtfulRefusal)
  }
}
