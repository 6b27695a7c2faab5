import CentralCore
import GRDB
import Storage

extension InboxTransaction {
  func drop(_ records: [Int64]) throws(StorageError) -> Dropped {
    var dropped = Dropped()
    guard !records.isEmpty else { return dropped }
    let list = records.list
    try execute(
      "UPDATE keeping SET last_record = max(last_record, (SELECT max(number) FROM records))", [])
    func delete(_ sql: String) throws(StorageError) -> Int {
      try execute(sql, [list])
      return database.changesCount
    }
    // Pairs with what stays are parted.
    _ = try delete(
      """
      UPDATE passages SET partner = NULL, is_entry = NULL WHERE id IN (
        SELECT partner FROM passages WHERE id IN (SELECT value FROM json_each(?1)))
      """)
    (dropped.violations, dropped.outcomes) = try dropViolations(of: list)
    dropped.alerts = try delete("DELETE FROM alerts WHERE entry \(InboxTransaction.isListed)")
    _ = try delete("DELETE FROM waiting WHERE entry \(InboxTransaction.isListed)")
    dropped.passages = try delete("DELETE FROM passages WHERE id \(InboxTransaction.isListed)")
    dropped.corrections = try delete(
      "DELETE FROM corrections WHERE record \(InboxTransaction.isListed)")
    let photographs = try sorted {
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT DISTINCT photo_path FROM observations
            WHERE record \(InboxTransaction.isListed) AND photo_path IS NOT NULL
            """), arguments: [list])
    }
    dropped.reports = try delete(
      "DELETE FROM observations WHERE record \(InboxTransaction.isListed)")
    for path in photographs {
      // Another passage may name the same one.
      try execute(
        """
        INSERT OR IGNORE INTO dropped_photographs (path)
          SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM observations WHERE photo_path = ?1)
        """, [path])
      dropped.photographs += database.changesCount
    }
    for table in ["identities", "names"] {
      _ = try delete("DELETE FROM \(table) WHERE record \(InboxTransaction.isListed)")
    }
    _ = try delete("DELETE FROM records WHERE number \(InboxTransaction.isListed)")
    return dropped
  }

  private static let isListed = "IN (SELECT value FROM json_each(?1))"

  /// Drops the violations that one of these rows is an end of, with all that was noted of them.
  private func dropViolations(
    of list: String
  ) throws(StorageError) -> (violations: Int, outcomes: Int) {
    let found = try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT entry, uuid FROM violations WHERE entry \(InboxTransaction.isListed)
            UNION SELECT entry, uuid FROM violations WHERE exit \(InboxTransaction.isListed)
            """), arguments: [list]
      ).map { (entry: $0[0] as Int64, uuid: $0[1] as String) }
    }
    var outcomes = 0
    for violation in found {
      try execute("DELETE FROM violation_outcomes WHERE violation_id = ?", [violation.uuid])
      outcomes += database.changesCount
      try execute("DELETE FROM violation_notes WHERE entry = ?", [violation.entry])
      try execute("DELETE FROM violation_revisions WHERE entry = ?", [violation.entry])
      try execute("DELETE FROM violations WHERE entry = ?", [violation.entry])
    }
    return (found.count, outcomes)
  }
}
