import CentralCore
import GRDB
import Passages
import Storage
import Time

/// The passages that people read, and their pairs.
extension InboxTransaction {
  func pairs(of rows: [Int64]) throws(StorageError) -> [PassagePair] {
    try sorted {
      let pairs = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id, exit_row, entry_row FROM passages
            WHERE id IN (SELECT value FROM json_each(?)) AND partner IS NOT NULL
            """), arguments: [rows.list]
      ).flatMap { row -> [PassagePair] in
        let (id, exit, entry): (Int64, Int64?, Int64?) = (row[0], row[1], row[2])
        return [
          exit.map { PassagePair(entry: id, exit: $0) },
          entry.map { PassagePair(entry: $0, exit: id) },
        ].compactMap { $0 }
      }
      return Set(pairs).sorted()
    }
  }

  func write(parted: [PassagePair], paired: [PassagePair]) throws(StorageError) {
    for pair in parted {
      try partner(nil, ofEntry: pair.entry)
      try partner(nil, ofExit: pair.exit)
    }
    for pair in paired {
      try partner(pair.exit, ofEntry: pair.entry)
      try partner(pair.entry, ofExit: pair.exit)
    }
  }

  private func partner(_ exit: Int64?, ofEntry row: Int64) throws(StorageError) {
    try execute(
      """
      UPDATE passages SET exit_row = ?1, partner = coalesce(?1, entry_row),
        is_entry = CASE WHEN ?1 IS NOT NULL THEN 1 WHEN entry_row IS NOT NULL THEN 0 END
      WHERE id = ?2
      """, [exit, row])
  }

  private func partner(_ entry: Int64?, ofExit row: Int64) throws(StorageError) {
    try execute(
      """
      UPDATE passages SET entry_row = ?1, partner = coalesce(exit_row, ?1),
        is_entry = CASE WHEN exit_row IS NOT NULL THEN 1 WHEN ?1 IS NOT NULL THEN 0 END
      WHERE id = ?2
      """, [entry, row])
  }

  func write(_ passages: [StandingPassage]) throws(StorageError) {
    for passage in passages {
      try sorted {
        try database.cachedStatement(sql: PassageRows.write)
          .execute(arguments: PassageRows.arguments(passage))
      }
    }
  }

  func remove(passages rows: [Int64]) throws(StorageError) {
    for row in rows { try execute("DELETE FROM passages WHERE id = ?", [row]) }
  }

  func reports(of posts: Set<CheckpostCode>) throws(StorageError) -> [CheckpostCode: Int64] {
    try sorted {
      var reports: [CheckpostCode: Int64] = [:]
      for post in posts {
        reports[post] = try Int64.fetchOne(
          database.cachedStatement(sql: "SELECT reported_through FROM heard WHERE checkpost = ?"),
          arguments: [post.code])
      }
      return reports
    }
  }

  func write(report post: CheckpostCode, through second: Int64) throws(StorageError) {
    try execute(
      """
      INSERT INTO heard (checkpost, reported_through) VALUES (?1, ?2)
        ON CONFLICT (checkpost) DO UPDATE SET reported_through = ?2
      """, [post.code, second])
  }

  func marks(of post: CheckpostCode) throws(StorageError) -> [ReportingWay: PostMark] {
    try sorted {
      var marks: [ReportingWay: PostMark] = [:]
      for row in try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT way, through, received_at_ms, went_back_at_ms FROM post_marks WHERE post = ?"
        ), arguments: [post.code])
      {
        var reader = RowReader(row)
        let way: ReportingWay = reader.value(or: .text)
        marks[way] = PostMark(
          through: reader.next(), receivedAt: reader.time(), wentBackAt: reader.optionalTime())
      }
      return marks
    }
  }

  func write(
    _ mark: PostMark, of post: CheckpostCode, by way: ReportingWay
  ) throws(StorageError) {
    try execute(
      """
      INSERT INTO post_marks (post, way, through, received_at_ms, went_back_at_ms)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (post, way) DO UPDATE SET through = ?3, received_at_ms = ?4, went_back_at_ms = ?5
      """,
      [
        post.code, way.rawValue, mark.through, mark.receivedAt.milliseconds,
        mark.wentBackAt?.milliseconds,
      ])
  }

  func segments(
    of posts: Set<CheckpostCode>
  ) throws(StorageError) -> [CheckpostCode: ShownSegments] {
    try sorted {
      let isMoved = try PlaceRows.isAny(database)
      var segments: [CheckpostCode: ShownSegments] = [:]
      for post in posts {
        let now = try String.fetchOne(
          database.cachedStatement(sql: "SELECT segment FROM posts WHERE code = ?"),
          arguments: [post.code])
        let earlier = isMoved ? try PlaceRows.all(database, of: post)[post] ?? [] : []
        guard now != nil || !earlier.isEmpty else { continue }
        segments[post] = ShownSegments(now: now, earlier: earlier)
      }
      return segments
    }
  }

  func routes(of posts: Set<CheckpostCode>?) throws(StorageError) -> [Route] {
    try sorted { try DirectoryRows.routes(of: posts, database) }
  }

  func rejudging() throws(StorageError) -> RejudgingState {
    try sorted {
      var state = RejudgingState()
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT rules, cause, posts, after_plate FROM judging")
      else { return state }
      state.rules = row[0]
      if let cause = (row[1] as String?).flatMap(ViolationRevision.Cause.init(rawValue:)) {
        let posts = (row[2] as String?)?.split(separator: " ")
          .map { CheckpostCode(asItStands: String($0)) }
        var pending = RejudgingState.Pending(cause: cause, posts: posts.map { Set($0) })
        pending.after = row[3] ?? ""
        state.pending = pending
      }
      return state
    }
  }

  func write(_ state: RejudgingState) throws(StorageError) {
    let posts = state.pending?.posts?.sorted().map(\.code).joined(separator: " ")
    try execute(
      "UPDATE judging SET rules = ?, cause = ?, posts = ?, after_plate = ?",
      [state.rules, state.pending?.cause.rawValue, posts, state.pending?.after])
  }
}
