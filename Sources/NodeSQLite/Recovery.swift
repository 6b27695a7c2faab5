import GRDB
import NodeCore
import SQLiteFile
import Storage
import Time

extension StoreTransaction {
  /// Makes passages that were being sent to the server pending again; returns how many there were.
  func returnInFlight() throws(StorageError) -> Int {
    try sorted {
      try database.execute(
        sql: "UPDATE uploads SET status = 'pending' WHERE status = 'in_flight'")
      return database.changesCount
    }
  }

  /// Texts whose outcome is still to come, oldest first.
  func openTexts() throws(StorageError) -> [OpenText] {
    try sorted {
      try Row.fetchAll(
        database,
        sql: """
          SELECT texts.id, passage_id, intent_t,
            (SELECT count(*) FROM texts AS others
              WHERE others.delivery_id = texts.delivery_id
                AND outcome IN ('accepted', 'unknown'))
          FROM texts LEFT JOIN text_deliveries ON text_deliveries.id = texts.delivery_id
          WHERE outcome = 'intent' ORDER BY texts.id
          """
      ).map { row in
        OpenText(
          id: row[0], queueID: row[1], begun: BootInstant(nanoseconds: row[2]),
          otherAttempts: row[3])
      }
    }
  }

  /// What the store knows of the texts before, for a start.
  func startFacts(
    modems: [String], since: BootInstant
  ) throws(StorageError) -> StartFacts {
    try sorted {
      let last = max(
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM texts") ?? 0,
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM outgoing_texts") ?? 0,
        try Meta.integer(database, .lastText) ?? 0)
      var facts = StartFacts(
        nextTextID: last + 1,
        charges: try TextWrites.charges(database, since: since, modems: modems))
      facts.keptTexts = try OutgoingTexts.waiting(database, modems: modems)
      facts.lastQueueID =
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'passages'")
        ?? 0
      for (index, modem) in modems.enumerated() {
        // Numbers that took one of the newest texts of the modem.
        facts.reached[ModemID(index)] = try String.fetchSet(
          database,
          sql: """
            SELECT recipient FROM texts WHERE id > (SELECT coalesce(max(id), 0) FROM texts) - ?
              AND outcome = 'accepted' AND sim = ?
            """, arguments: [NodeCore.Limits.reportReach, modem])
      }
      return facts
    }
  }

  /// The time after which a passage is texted, as the store last heard of it; nil before.
  func fallbackAfter() throws(StorageError) -> Duration? {
    try sorted { try Meta.integer(database, .fallbackAfter).map { .nanoseconds($0) } }
  }

  /// Whom a passage that is recorded from now on is texted to besides the centre, in this order.
  func setOthers(_ others: [TextRecipient]) throws(StorageError) {
    try sorted {
      let names = others.map(\.name)
      let known = try String.fetchAll(
        database, sql: "SELECT recipient FROM text_recipients ORDER BY place")
      guard known != names else { return }
      try database.execute(sql: "DELETE FROM text_recipients")
      for (place, name) in names.enumerated() {
        try database.execute(
          sql: "INSERT INTO text_recipients (recipient, place) VALUES (?, ?)",
          arguments: [name, place])
      }
      try database.execute(
        sql: """
          UPDATE text_deliveries SET due_t = NULL
          WHERE due_t IS NOT NULL AND recipient <> 'centre'
            AND recipient NOT IN (SELECT recipient FROM text_recipients)
          """)
    }
  }

  /// The moment at which a passage becomes due is kept in its row. When the setting has changed, the
  /// rows that wait for their first text follow it.
  func changeFallback(to after: Duration) throws(StorageError) {
    guard try fallbackAfter() ?? NodeRules().fallbackAfter != after else { return }
    try sorted {
      try Meta.set(database, .fallbackAfter, after.wholeNanoseconds)
      try database.execute(
        sql: """
          UPDATE text_deliveries SET due_t = since_t + ? FROM passages
          WHERE passages.id = passage_id AND due_t IS NOT NULL AND text_attempts = 0
            AND refusals = 0
          """, arguments: [after.wholeNanoseconds + 1])
    }
  }
}
