import GRDB
public import NodeCore
import SQLiteFile
public import Storage
import Time

extension SQLiteNodeStore {
  /// Makes the store true again after the last service ended, however it ended: what was being sent
  /// to the server is pending, and a text whose outcome nobody waited for is unknown.
  ///
  /// Only the service that owns the store calls this, once, before it starts.
  public func recover(rules: NodeRules, at moment: Moment) throws(StorageError) -> StartFacts {
    try SQLiteFile.write(queue, path) { database in
      try database.execute(
        sql: "UPDATE queue SET status = 'pending' WHERE status = 'in_flight'")
      let inFlight = database.changesCount
      let intents = try Recovery.endIntents(database, rules: rules, at: moment)
      try Recovery.changeFallback(database, rules: rules)
      let next = try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), 0) + 1 FROM texts")
      let charges = try TextWrites.charges(
        database, since: moment.boot - BudgetWindow.month.length,
        modems: rules.modems.map(\.name))
      var facts = StartFacts(
        nextTextID: next ?? 1, charges: charges, inFlight: inFlight, intents: intents)
      facts.lastQueueID =
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM queue") ?? 0
      for (index, modem) in rules.modems.enumerated() {
        facts.reached[ModemID(index)] = try Recovery.reached(database, by: modem.name)
      }
      return facts
    }
  }
}

extension StoreTransaction {
  /// Takes over the time after which a passage is texted, when the configuration has changed it.
  public func changeFallback(_ rules: NodeRules) throws(StorageError) {
    try sorted { try Recovery.changeFallback(database, rules: rules) }
  }
}

private enum Recovery {
  /// Numbers that took one of the newest texts of a modem.
  static func reached(_ database: Database, by modem: String) throws -> Set<String> {
    try String.fetchSet(
      database,
      sql: """
        SELECT recipient FROM texts WHERE id > (SELECT coalesce(max(id), 0) FROM texts) - ?
          AND outcome = 'accepted' AND sim = ?
        """, arguments: [Limits.reportReach, modem])
  }

  static let reason = "the service ended before the outcome was known"

  static func endIntents(
    _ database: Database, rules: NodeRules, at moment: Moment
  ) throws -> Int {
    let open = try Row.fetchAll(
      database, sql: "SELECT id, queue_id, intent_t FROM texts WHERE outcome = 'intent'")
    for row in open {
      let queueID: Int64? = row[1]
      var consequence = TextConsequence.leftUnknown
      if let queueID {
        let textAttempts = try Int.fetchOne(
          database,
          sql: """
            SELECT count(*) FROM texts
            WHERE queue_id = ? AND outcome IN ('accepted', 'unknown')
            """, arguments: [queueID])
        if (textAttempts ?? 0) + 1 < rules.textsAllowed {
          let begun = BootInstant(nanoseconds: row[2])
          consequence = .againAfterUnknown(at: begun + rules.unknownSpacing)
        }
      }
      try TextWrites.end(database, row[0], .unknown(reason: reason), consequence, at: moment)
    }
    return open.count
  }

  /// The moment at which a passage becomes due is kept in its row. When the setting has changed, the
  /// rows that wait for their first text follow it.
  static func changeFallback(_ database: Database, rules: NodeRules) throws {
    let after = rules.fallbackAfter.wholeNanoseconds
    guard try FallbackSetting.after(database) != after else { return }
    try Meta.set(database, .fallbackAfter, after)
    try database.execute(
      sql: """
        UPDATE queue SET text_due_t = since_t + ?
        WHERE \(Schema.textable) AND status = 'pending' AND text_attempts = 0 AND refusals = 0
        """, arguments: [after + 1])
  }
}

/// The five minutes, as the service that owns the store has them.
enum FallbackSetting {
  static func after(_ database: Database) throws -> Int64 {
    try Meta.integer(database, .fallbackAfter) ?? NodeRules().fallbackAfter.wholeNanoseconds
  }
}
