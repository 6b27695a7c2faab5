public import CentralCore
import GRDB
import SQLiteFile
public import Storage
public import Time

/// Passages that are handed on to another server.
extension SQLiteCentralStore: ForwardStore {
  /// Passages that are due, those that waited before those that are new.
  public func forwards(due now: WallTime, limit: Int) throws(StorageError) -> DueForwards {
    try file.concurrentRead { database in
      let waiting = try SQLiteCentralStore.passages(
        """
        \(PassageRows.select) JOIN forwards f ON f.passage = p.id
          WHERE f.due_at_ms <= ? ORDER BY f.due_at_ms, p.id LIMIT ?
        """, [now.milliseconds, limit], database)
      let new = try SQLiteCentralStore.passages(
        """
        \(PassageRows.select) WHERE p.id > (SELECT through FROM forwarding) ORDER BY p.id LIMIT ?
        """, [limit - waiting.count], database)
      let next = try Int64.fetchOne(
        database.cachedStatement(
          sql: "SELECT min(due_at_ms) FROM forwards WHERE due_at_ms > ?"),
        arguments: [now.milliseconds])
      return DueForwards(
        passages: waiting + new, next: next.map { WallTime(milliseconds: $0) })
    }
  }

  /// Writes down what became of passages.
  public func settle(_ outcomes: [ForwardOutcome], at now: WallTime) throws(StorageError) {
    try file.write { database in
      let through =
        try Int64.fetchOne(
          database.cachedStatement(sql: "SELECT through FROM forwarding")) ?? 0
      let last = outcomes.map(\.row).max() ?? through
      // What came in between under a number that had been passed over is due.
      if last > through {
        try database.cachedStatement(
          sql: """
            INSERT OR IGNORE INTO forwards (passage, due_at_ms)
              SELECT id, 0 FROM passages WHERE id > ? AND id <= ?
            """
        ).execute(arguments: [through, last])
        try database.cachedStatement(sql: "UPDATE forwarding SET through = ?").execute(
          arguments: [last])
      }
      for outcome in outcomes { try SQLiteCentralStore.settle(outcome, database) }
    }
  }

  private static func settle(_ outcome: ForwardOutcome, _ database: Database) throws {
    switch outcome.result {
    case .forwarded:
      try database.cachedStatement(sql: "DELETE FROM forwards WHERE passage = ?").execute(
        arguments: [outcome.row])
      try database.cachedStatement(
        sql: "UPDATE forwarding SET forwarded = \(Schema.oneMore("forwarded"))"
      )
      .execute()
    case .withdrawn:
      try database.cachedStatement(sql: "DELETE FROM forwards WHERE passage = ?").execute(
        arguments: [outcome.row])
    case .waits(let hindrance, let until): try hold(outcome.row, hindrance, until, database)
    case .setAside(let hindrance): try hold(outcome.row, hindrance, nil, database)
    }
  }

  private static func hold(
    _ row: Int64, _ hindrance: ForwardHindrance, _ until: WallTime?, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        UPDATE forwards SET reason = ?2, due_at_ms = ?3, attempts = \(Schema.oneMore("attempts"))
          WHERE passage = ?1
        """
    ).execute(arguments: [row, hindrance.rawValue, until?.milliseconds])
  }

  /// How many were handed on, wait and are set aside.
  public func forwardStanding() throws(StorageError) -> ForwardStanding {
    try file.concurrentRead { database in
      var standing = ForwardStanding(forwarded: 0, waiting: 0, hindered: [:], setAside: 0)
      if let row = try Row.fetchOne(
        database,
        sql: """
          SELECT forwarded, iif(through < 1, (SELECT n FROM tally WHERE name = 'passages'),
              -- By the smallest index, which has the numbers of rows, and not by the rows themselves.
              (SELECT count(*) FROM passages INDEXED BY passages_inserted WHERE +id > through)),
            (SELECT count(*) FROM forwards WHERE due_at_ms IS NOT NULL),
            (SELECT count(*) FROM forwards WHERE due_at_ms IS NULL)
          FROM forwarding
          """)
      {
        standing.forwarded = row[0]
        standing.waiting = (row[1] as Int) + (row[2] as Int)
        standing.setAside = row[3]
      }
      for row in try Row.fetchAll(
        database,
        sql: "SELECT reason, count(*) FROM forwards WHERE reason IS NOT NULL GROUP BY reason")
      {
        guard let hindrance = ForwardHindrance(rawValue: row[0]) else { continue }
        standing.hindered[hindrance] = row[1]
      }
      return standing
    }
  }

  /// Passages that wait or are set aside, the oldest first.
  public func forwards(limit: Int) throws(StorageError) -> [HeldForward] {
    try file.concurrentRead { database in
      let passages = try SQLiteCentralStore.passages(
        """
        \(PassageRows.select) JOIN forwards f ON f.passage = p.id
          WHERE f.reason IS NOT NULL ORDER BY p.id LIMIT ?
        """, [limit], database)
      var held: [HeldForward] = []
      for passage in passages {
        let row = try Row.fetchOne(
          database.cachedStatement(
            sql: "SELECT reason, due_at_ms, attempts FROM forwards WHERE passage = ?"),
          arguments: [passage.id])
        guard let row, let hindrance = ForwardHindrance(rawValue: row[0]) else { continue }
        held.append(
          HeldForward(
            passage: passage, hindrance: hindrance,
            dueAt: (row[1] as Int64?).map { WallTime(milliseconds: $0) }, attempts: row[2]))
      }
      return held
    }
  }

  /// Lets all that wait and are set aside be due.
  public func retryForwards(at now: WallTime) throws(StorageError) -> Int {
    try file.write { database in
      try database.cachedStatement(sql: "UPDATE forwards SET due_at_ms = ?").execute(
        arguments: [now.milliseconds])
      return database.changesCount
    }
  }

  private static func passages(
    _ sql: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [StoredPassage] {
    var rangers = RangerNames()
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
      var passage = try PassageRows.passage(row, &rangers, database)
      // As it is judged: what one of the reports says of the clock, and of several the best.
      passage.clockSeconds = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT min(o.clock) FROM records r JOIN observations o ON o.record = r.number
            WHERE r.passage = ? AND o.clock >= 0
            """), arguments: [passage.id])
      return passage
    }
  }
}
