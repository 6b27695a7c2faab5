import CentralCore
import GRDB
import Passages
import Storage
import Time

/// Violations, entries that wait, and alerts.
extension InboxTransaction {
  func violations(of entries: [Int64]) throws(StorageError) -> [StandingViolation] {
    try violations(
      "entry IN (SELECT value FROM json_each(?)) ORDER BY entry", [entries.list])
  }

  func standing(_ uuid: ClientID) throws(StorageError) -> StandingViolation? {
    try violations("uuid = ?", [uuid.description]).first
  }

  /// A row of another program whose passage is not there is settled by nobody: it would stay due for ever.
  private static let hasEntry = "EXISTS (SELECT 1 FROM passages p WHERE p.id = violations.entry)"

  func violations(
    unreportedBy wall: WallTime, limit: Int
  ) throws(StorageError) -> [StandingViolation] {
    try violations(
      "unreported_from_ms <= ? AND \(Self.hasEntry) ORDER BY unreported_from_ms LIMIT ?",
      [wall.milliseconds, limit])
  }

  func violations(
    awaiting post: CheckpostCode, besides others: [CheckpostCode], in seconds: Range<Int64>
  ) throws(StorageError) -> [StandingViolation] {
    // What the entry's post has to report past is never less than what others have to.
    let between =
      others.count < 2
      ? ""
      : """
      UNION SELECT entry FROM violations
        WHERE entry_post IN (SELECT value FROM json_each(?4))
          AND exit_post IN (SELECT value FROM json_each(?4))
          AND entry_needs >= ?2 AND exit_latest >= ?2 AND exit_latest < ?3
      """
    var arguments: StatementArguments = [post.code, seconds.lowerBound, seconds.upperBound]
    if others.count > 1 {
      arguments += ["[\(others.map { "\"\($0.code)\"" }.joined(separator: ","))]"]
    }
    return try violations(
      """
      entry IN (
        SELECT entry FROM violations WHERE entry_post = ?1 AND entry_needs >= ?2 AND entry_needs < ?3
        UNION SELECT entry FROM violations
          WHERE exit_post = ?1 AND exit_needs >= ?2 AND exit_needs < ?3
        \(between))
      ORDER BY entry
      """, arguments)
  }

  private func violations(
    _ condition: String, _ arguments: StatementArguments
  ) throws(StorageError) -> [StandingViolation] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT \(ViolationRows.columns) FROM violations WHERE \(condition)"),
        arguments: arguments
      ).map { try ViolationRows.violation($0) }
    }
  }

  func write(_ violation: OpenViolation) throws(StorageError) {
    try sorted {
      try database.cachedStatement(sql: ViolationRows.write)
        .execute(arguments: ViolationRows.arguments(violation))
    }
  }

  func write(confirmationOf entry: Int64, by author: String?) throws(StorageError) {
    try execute("UPDATE violations SET confirmed_by = ? WHERE entry = ?", [author, entry])
  }

  func write(_ revisions: [ViolationRevision]) throws(StorageError) {
    for revision in revisions {
      try execute(
        ViolationRows.writeRevision,
        [
          revision.number, revision.change.rawValue, revision.cause.rawValue,
          revision.at.milliseconds, revision.wasFinal.rawValue, revision.entry,
        ] + ViolationRows.arguments(revision.after)
          + [revision.origins.map { "\($0)" }.joined(separator: " ")])
    }
  }

  func waiting(of rows: [Int64]) throws(StorageError) -> [WaitingEntry] {
    try waiting("entry IN (SELECT value FROM json_each(?)) ORDER BY entry", [rows.list])
  }

  func waiting(dueBy second: Int64, limit: Int) throws(StorageError) -> [WaitingEntry] {
    try waiting("look_at <= ? ORDER BY look_at LIMIT ?", [second, limit])
  }

  func waiting(
    for post: CheckpostCode, dueIn seconds: Range<Int64>
  ) throws(StorageError) -> [WaitingEntry] {
    try waiting(
      "is_told AND opposite = ? AND due_at >= ? AND due_at < ? ORDER BY due_at",
      [post.code, seconds.lowerBound, seconds.upperBound])
  }

  private func waiting(
    _ condition: String, _ arguments: StatementArguments
  ) throws(StorageError) -> [WaitingEntry] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT \(ViolationRows.ofEntry) FROM waiting WHERE \(condition)"),
        arguments: arguments
      ).map { try ViolationRows.entry($0) }
    }
  }

  func write(_ waiting: [AwaitedEntry]) throws(StorageError) {
    for awaited in waiting {
      try execute(
        """
        INSERT OR REPLACE INTO waiting (\(ViolationRows.ofEntry), look_at, is_told)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, ViolationRows.arguments(awaited.entry) + [awaited.lookAt, awaited.isTold])
    }
  }

  func remove(waiting rows: [Int64]) throws(StorageError) {
    for row in rows { try execute("DELETE FROM waiting WHERE entry = ?", [row]) }
  }

  func alerts(of entries: [Int64]) throws(StorageError) -> [OverdueAlert] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT \(ViolationRows.ofAlert) FROM alerts
            WHERE entry IN (SELECT value FROM json_each(?)) ORDER BY entry
            """), arguments: [entries.list]
      ).map { try ViolationRows.alert($0) }
    }
  }

  func write(_ alerts: [OverdueAlert]) throws(StorageError) {
    for alert in alerts {
      guard let name = try name(of: alert.entry.row) else { continue }
      let uuid = ClientID.derived(kind: "alert", name: name.uuid.description)
      let ending = ViolationRows.arguments(alert.ending)
      try execute(
        """
        INSERT INTO alerts (\(ViolationRows.ofAlert), uuid)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (entry) DO UPDATE SET post = excluded.post, plate = excluded.plate,
            second = excluded.second, opposite = excluded.opposite, due_at = excluded.due_at,
            expires_at = excluded.expires_at, raised_at_ms = excluded.raised_at_ms,
            is_unheard = excluded.is_unheard, ending = excluded.ending, exit = excluded.exit,
            ended_at_ms = excluded.ended_at_ms
        """,
        ViolationRows.arguments(alert.entry) + [alert.raisedAt.milliseconds, alert.isUnheard]
          + ending + [alert.endedAt?.milliseconds, uuid.description])
    }
  }

  func nextDuty() throws(StorageError) -> WallTime? {
    try sorted {
      let look = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT min(look_at) FROM waiting"))
      let final = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT unreported_from_ms FROM violations
            WHERE unreported_from_ms IS NOT NULL AND \(Self.hasEntry)
            ORDER BY unreported_from_ms LIMIT 1
            """))
      return [
        look.map { WallTime(epochSeconds: $0) }, final.map { WallTime(milliseconds: $0) },
      ].compactMap { $0 }.min()
    }
  }
}
