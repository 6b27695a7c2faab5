import GRDB
import NodeCore
import Storage
import Time

extension StoreTransaction {
  /// Keeps something received, before the modem is told to delete it, and notes what a status report
  /// says at the text it is about.
  ///
  /// What the network hands over twice is kept once, and counted.
  func keep(_ entry: InboxEntry, at moment: Moment) throws(StorageError) -> KeepOutcome {
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
        entry.identity, (moment.boot - NodeCore.Limits.duplicatesWithin).nanoseconds,
      ])
      if database.changesCount > 0 {
        return .known
      }
      var matched: MatchedReport?
      if case .statusReport(let report) = entry.content {
        matched = try Deliveries.note(
          database, report, from: entry.modem, received: moment, at: moment)
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
  func matchReports(
    ofTextBy modem: String, at moment: Moment
  ) throws(StorageError) -> [MatchedReport] {
    try sorted { try Deliveries.settle(database, from: modem, at: moment) }
  }

  /// Closes texts with an unknown outcome that never left, as the references of their modem show that
  /// was last heard of: where it is known to count them by one, and they run on around such a text
  /// without a gap. What such a text was for is due again.
  ///
  /// - Parameter amongAll: whether to look at all texts of the modem, as a report may have told of one
  ///   long ago; otherwise at those before its newest one, of which nobody looked so far.
  /// - Returns: each of them with the references between which there is no room for it.
  func textsThatNeverLeft(
    by modem: String, amongAll: Bool, at moment: Moment
  ) throws(StorageError) -> [TextThatNeverLeft] {
    try sorted {
      try References.textsThatNeverLeft(database, by: modem, amongAll: amongAll, at: moment)
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

  /// Gives up on status reports that have fitted no text for too long: whatever has their reference
  /// later is another text.
  ///
  /// - Returns: how many there were.
  func giveUpReports(at moment: Moment) throws(StorageError) -> Int {
    try sorted {
      try database.cachedStatement(
        sql: """
          UPDATE inbox SET error = 'no_text'
          WHERE kind = 'status_report' AND text_id IS NULL AND error IS NULL AND received_t < ?
          """
      ).execute(arguments: [(moment.boot - NodeCore.Limits.reportsWait).nanoseconds])
      return database.changesCount
    }
  }

  /// Closes texts of which no final report has come within `limit`: they count as expired, though a
  /// report that comes later still says more.
  ///
  /// - Parameter asksForReports: whether reports are asked for; texts of a time when they were not
  ///   are passed over.
  /// - Returns: the texts that expired, oldest first.
  func expireReports(
    after limit: Duration, asksForReports: Bool, at moment: Moment
  ) throws(StorageError) -> [TextID] {
    try sorted {
      // Texts are numbered in the order of their times, so each is looked at once.
      let settled = try Meta.integer(database, .reportsSettled) ?? 0
      let old = try TextID.fetchAll(
        database.cachedStatement(
          sql: "SELECT id FROM texts WHERE id > ? AND intent_t <= ? ORDER BY id LIMIT ?"),
        arguments: [settled, (moment.boot - limit).nanoseconds, NodeCore.Limits.expiredAtOnce])
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
