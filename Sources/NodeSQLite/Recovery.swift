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
        sql: "UPDATE queue SET status = 'pending' WHERE status = 'in_flight'")
      return database.changesCount
    }
  }

  /// Texts whose outcome is still to come, oldest first.
  func openTexts() throws(StorageError) -> [OpenText] {
    try sorted {
      try Row.fetchAll(
        database,
        sql: """
          SELECT id, queue_id, intent_t,
            (SELECT count(*) FROM texts AS others
              WHERE others.queue_id = texts.queue_id AND outcome IN ('accepted', 'unknown'))
          FROM texts WHERE outcome = 'intent' ORDER BY id
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
      let next = try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), 0) + 1 FROM texts")
      var facts = StartFacts(
        nextTextID: next ?? 1,
        charges: try TextWrites.charges(database, since: since, modems: modems))
      facts.lastQueueID =
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM queue") ?? 0
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

  /// The moment at which a passage becomes due is kept in its row. When the setting has changed, the
  /// rows that wait for their first text follow it.
  func changeFallback(to after: Duration) throws(StorageError) {
    guard try fallbackAfter() ?? NodeRules().fallbackAfter != after else { return }
    try sorted {
      try Meta.set(database, .fallbackAfter, after.wholeNanoseconds)
      try database.execute(
        sql: """
          UPDATE queue SET text_due_t = since_t + ?
          WHERE \(NodeSchema.textable) AND status = 'pending' AND text_attempts = 0 AND refusals = 0
          """, arguments: [after.wholeNanoseconds + 1])
    }
  }
}
