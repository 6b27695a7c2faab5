public import CentralCore
import GRDB
import SQLiteFile
public import Storage
public import Time

/// Messages that were judged again, up to a place in the inbox.
public struct Reprocessed: Hashable, Sendable {
  /// What became of each.
  public var decoded: [Decoded]
  /// The last of the inbox that was looked at: ask again with it for the next ones. Nil when there is
  /// none left.
  public var lastID: Int64?
}

/// Messages that are no passage as they stand, judged again because an operator asks: each in one
/// transaction with all that follows, so that neither the running service nor anybody else judges it
/// in between, and no rule is set aside for any other message.
extension SQLiteCentralStore {
  /// Judges one message again, with the other parts of a long one.
  ///
  /// - Parameters:
  ///   - id: its number in the inbox.
  ///   - waiver: rules that are set aside for it.
  ///   - wall: the wall clock.
  /// - Returns: what became of it and of its parts; empty when no message of that number waits for an
  ///   operator.
  public func reprocess(
    _ id: Int64, rules: CentralRules, waiving waiver: Waiver = [], at wall: WallTime
  ) throws(StorageError) -> [Decoded] {
    try SQLiteFile.write(queue, path) { database in
      try Judge(database, rules: rules, waiver: waiver, wall: wall).reprocess(id)
    }
  }

  /// Judges the next ones again of all that wait for an operator: ``Limits/decodedAtOnce`` at most.
  ///
  /// - Parameters:
  ///   - after: only those with higher numbers than this.
  ///   - reason: only those that were refused for this, as ``InboxItem/reason`` names it; nil for all.
  ///   - waiver: rules that are set aside for them.
  ///   - wall: the wall clock.
  public func reprocessAll(
    after: Int64 = 0, reason: String? = nil, rules: CentralRules, waiving waiver: Waiver = [],
    at wall: WallTime
  ) throws(StorageError) -> Reprocessed {
    try SQLiteFile.write(queue, path) { database in
      let ids = try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM inbox INDEXED BY inbox_undecodable
          WHERE state = 'undecodable' AND id > ?1 AND (?2 IS NULL OR reason = ?2)
          ORDER BY id LIMIT ?3
          """, arguments: [after, reason, Limits.decodedAtOnce])
      let judge = try Judge(database, rules: rules, waiver: waiver, wall: wall)
      var all: [Decoded] = []
      var done: Set<Int64> = []
      for id in ids where !done.contains(id) {
        let decoded = try judge.reprocess(id)
        done.formUnion(decoded.map(\.id))
        all += decoded
      }
      return Reprocessed(decoded: all, lastID: ids.last)
    }
  }
}

extension Judge {
  /// Judges a message again that waits for an operator, and with it the parts that it is a whole with.
  func reprocess(_ id: Int64) throws -> [Decoded] {
    let named = try Row.fetchOne(
      database, sql: "SELECT * FROM inbox WHERE id = ? AND state = 'undecodable'",
      arguments: [id])
    guard let named else { return [] }
    let rows = try [named] + others(of: named)
    let ids = rows.map { $0["id"] as Int64 }.sorted()
    let list = ids.map { String($0) }.joined(separator: ", ")
    try database.execute(
      sql: """
        UPDATE inbox SET state = 'received', reason = NULL, words = NULL WHERE id IN (\(list))
        """)
    var judge = self
    judge.scope = "AND inbox.id IN (\(list))"
    var decoded: [Decoded] = []
    for row in rows.sorted(by: { ($0["id"] as Int64) < ($1["id"] as Int64) }) {
      decoded.append(try judge.decode(row))
    }
    guard try isIncomplete(id) else { return decoded }
    // Still without the others: parts that were given up stay so, with the reason that they had.
    for row in rows where row["state"] as String == InboxItem.State.undecodable.rawValue {
      let item = InboxItem(row: row)
      let refused = try judge.refuse(
        item, Reason(code: item.reason ?? "missing_parts", message: item.words ?? ""))
      decoded = decoded.map { $0.id == item.id ? refused : $0 }
    }
    return decoded
  }

  private func isIncomplete(_ id: Int64) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT state = 'part' FROM inbox WHERE id = ?", arguments: [id]) ?? false
  }

  /// The other parts of a long message. References come round, so of each part it is the one that came
  /// in nearest to this one.
  private func others(of named: Row) throws -> [Row] {
    guard let key: String = named["part_key"], let part: Int = named["part"] else { return [] }
    let id: Int64 = named["id"]
    var nearest: [Int: Row] = [:]
    for (index, state) in [("inbox_undecodable", "undecodable"), ("inbox_parts", "part")] {
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM inbox INDEXED BY \(index)
          WHERE state = '\(state)' AND part_key = ? AND part <> ?
          """, arguments: [key, part])
      for row in rows {
        let other: Int = row["part"]
        if let known = nearest[other], distance(known, id) <= distance(row, id) { continue }
        nearest[other] = row
      }
    }
    return Array(nearest.values)
  }

  private func distance(_ row: Row, _ id: Int64) -> Int64 {
    abs(row["id"] as Int64 - id)
  }
}
