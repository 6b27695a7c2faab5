import GRDB
import NodeCore
import Time

/// Finds the texts that have no reference, with what the references around them tell.
enum UnsettledTexts {
  /// The text without a reference that a report is about, and by what that was found out; nil when it
  /// is about none, or when it might be about several.
  static func settled(
    _ database: Database, by received: ReceivedReport, tail: String, newest: TextID
  ) throws -> (TextID, SettlingRule)? {
    let modem = received.modem
    let open = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, outcome, intent_t, intent_ms FROM texts
          WHERE id > ?3 AND outcome IN ('unknown', 'intent') AND recipient_tail = ?2
            AND \(Deliveries.sameModem)
          ORDER BY id DESC LIMIT ?4
          """),
      arguments: [
        modem, tail, newest - NodeCore.Limits.unknownReach, NodeCore.Limits.openReports,
      ]
    ).map { row in
      try text(database, row, (row[1] as String) == "intent" ? .open : .unknown, modem)
    }
    switch received.settlement(among: open) {
    case .text(let id, let rule): return (id, rule)
    case .none: return nil
    case .askNewest: break
    }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, outcome = 'refused' AND refusal IN ('soon', 'later') AND recipient_tail = ?2,
            intent_t, intent_ms
          FROM texts WHERE id > ?3 AND outcome <> 'not_sent' AND \(Deliveries.sameModem)
          ORDER BY id DESC LIMIT 1
          """),
      arguments: [modem, tail, newest - NodeCore.Limits.unknownReach])
    guard let row, row[1] else { return nil }
    let last = try text(database, row, .doubtful, modem)
    return received.proves(last) ? (last.id, .doubtfulRefusal) : nil
  }

  private static func text(
    _ database: Database, _ row: Row, _ state: UnsettledText.State, _ modem: String?
  ) throws -> UnsettledText {
    UnsettledText(
      id: row[0], state: state, begun: Moment(row: row, boot: 2, wall: 3),
      around: try References.around(database, row[0], modem))
  }
}
