import CentralCore
import GRDB
import Storage

extension InboxTransaction {
  func drop(_ records: [Int64]) throws(StorageError) -> Dropped {
    var dropped = Dropped()
    guard !records.isEmpty else { return dropped }
    let list = records.list
    try execute(
      """
      UPDATE keeping SET last_record = max(last_record, coalesce(
        (SELECT max(number) FROM records WHERE \(Schema.leavesRoom("number"))), 0))
      """, [])
    func delete(_ sql: String) throws(StorageError) -> Int {
      try execute(sql, [list])
      return database.changesCount
    }
    // Pairs with what stays are parted.
    _ = try delete(
      """
      UPDATE passages SET exit_row = NULL, partner = entry_row, is_entry = iif(entry_row IS NULL, NULL, 0)
      WHERE id IN (SELECT entry_row FROM passages WHERE id IN (SELECT value FROM json_each(?1)))
      """)
    _ = try delete(
      """
      UPDATE passages SET entry_row = NULL, partner = exit_row, is_entry = iif(exit_row IS NULL, NULL, 1)
      WHERE id IN (SELECT exit_row FROM passages WHERE id IN (SELECT value FROM json_each(?1)))
      """)
    (dropped.violations, dropped.outcomes) = try dropViolations(of: list)
    dropped.alerts = try delete("DELETE FROM alerts WHERE entry \(InboxTransaction.isListed)")
    _ = try delete("DELETE FROM waiting WHERE entry \(InboxTransaction.isListed)")
    dropped.passages = try delete("DELETE FROM passages WHERE id \(InboxTransaction.isListed)")
    let photographs = try photographs(of: list)
    dropped.corrections = try delete(
      "DELETE FROM corrections WHERE record \(InboxTransaction.isListed)")
    dropped.reports = try delete(
      "DELETE FROM observations WHERE record \(InboxTransaction.isListed)")
    for table in ["identities", "names"] {
      _ = try delete("DELETE FROM \(table) WHERE record \(InboxTransaction.isListed)")
    }
    _ = try delete("DELETE FROM records WHERE number \(InboxTransaction.isListed)")
    for name in photographs {
      let isNamed = try isNamed(name)
      if isNamed { continue }
      try execute("INSERT OR IGNORE INTO dropped_photographs (path) VALUES (?)", [name.text])
      dropped.photographs += database.changesCount
    }
    return dropped
  }

  /// Which of these photographs a passage names or is what they are called after, or a correction names whose
  /// passage did not come yet.
  func named(among names: [PhotoName]) throws(StorageError) -> Set<PhotoName> {
    let early = try sorted {
      try String.fetchAll(
        database, sql: "SELECT DISTINCT photo_path FROM early_corrections WHERE photo_path <> ''")
    }
    var named = Set(early.compactMap { PhotoName(path: $0) }).intersection(names)
    for name in names where !named.contains(name) {
      let isNamed = try isNamed(name)
      if isNamed { named.insert(name) }
    }
    return named
  }

  /// Whether a passage names a photograph, or is what it is called after.
  private func isNamed(_ name: PhotoName) throws(StorageError) -> Bool {
    if let passage = name.passage {
      let isTaken = try isTaken(passage)
      if isTaken { return true }
    }
    return try sorted {
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM observations WHERE photo_path IN (?1, ?2))
              OR EXISTS (SELECT 1 FROM corrections WHERE photo_path IN (?1, ?2))
            """), arguments: StatementArguments(name.paths)) ?? false
    }
  }

  /// The photographs of records, in the order of their names.
  private func photographs(of list: String) throws(StorageError) -> [PhotoName] {
    let paths = try sorted {
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT photo_path FROM observations
              WHERE record \(InboxTransaction.isListed) AND photo_path IS NOT NULL
            UNION SELECT photo_path FROM corrections
              WHERE record \(InboxTransaction.isListed) AND photo_path IS NOT NULL
            """), arguments: [list])
    }
    return Set(paths.compactMap { PhotoName(path: $0) }).sorted { $0.text < $1.text }
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
