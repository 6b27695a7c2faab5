import CentralCore
import Passages
import PostgreSQL
import Storage
import Time

/// The store inside one transaction.
struct PostgreSQLTransaction: CentralTransaction {
  let connection: LentConnection

  func unprocessed(limit: Int) throws(StorageError) -> [InboxItem] {
    try items("WHERE state = 'received' ORDER BY id LIMIT $1", [.integer(Int64(limit))])
  }

  func waitingParts(
    receivedBefore limit: WallTime, beyondNewest count: Int
  ) throws(StorageError) -> [InboxItem] {
    try items(InboxTable.waitingParts, [.time(limit), .integer(Int64(count))])
  }

  func parts(
    ofKeys keys: [String], states: [InboxItem.State]
  ) throws(StorageError) -> [InboxItem] {
    var found: [InboxItem] = []
    for state in states {
      // The state stands in the statement itself, so that the index serves.
      found += try items(
        "WHERE state = '\(state.rawValue)' AND part_key = ANY ($1) ORDER BY id", [.texts(keys)])
    }
    return found
  }

  func message(_ id: Int64) throws(StorageError) -> InboxItem? {
    try connection.run { connection throws(PostgreSQLError) in
      try InboxTable.item(id, connection)
    }
  }

  func refused(
    after: Int64, reason: String?, limit: Int
  ) throws(StorageError) -> [InboxItem] {
    try items(
      """
      WHERE state = 'undecodable' AND dismissed_at IS NULL AND id > $1 AND ($2::text IS NULL OR reason = $2)
      ORDER BY id LIMIT $3
      """, [.integer(after), .text(reason), .integer(Int64(limit))])
  }

  func posts() throws(StorageError) -> [Post] {
    try connection.run { connection throws(PostgreSQLError) in
      try DirectoryTables.posts(connection)
    }
  }

  func rangers() throws(StorageError) -> [Ranger] {
    try connection.run { connection throws(PostgreSQLError) in
      try DirectoryTables.rangers(connection)
    }
  }

  func numbers() throws(StorageError) -> [SenderBinding] {
    try connection.run { connection throws(PostgreSQLError) in
      try DirectoryTables.numbers(connection)
    }
  }

  func apply(
    _ facts: [InboxFact], repeated: Set<Int64>, at wall: WallTime
  ) throws(StorageError) {
    guard !facts.isEmpty else { return }
    let commands = InboxStandings(facts, repeated: repeated).commands
    try connection.run { connection throws(PostgreSQLError) in
      _ = try connection.pipeline(
        commands + [PostgreSQLCommand("SELECT checkpost.gather_counts()")])
    }
  }

  private func items(
    _ conditions: String, _ values: [PostgreSQLValue]
  ) throws(StorageError) -> [InboxItem] {
    try connection.run { connection throws(PostgreSQLError) in
      try InboxTable.items(conditions, values, connection)
    }
  }
}

extension PostgreSQLTransaction {
  func note(_ note: OperatorNote, at wall: WallTime) throws(StorageError) {
    try connection.run { connection throws(PostgreSQLError) in
      _ = try connection.query(
        "SELECT checkpost.note_done($1, $2, $3, $4)",
        [.time(wall), .text(note.kind.rawValue), .text(note.actor), .text(note.detail)])
    }
  }
}

// MARK: Heartbeats

extension PostgreSQLTransaction {
  func heartbeat(of post: CheckpostCode) throws(StorageError) -> PostHeartbeat? {
    try connection.run { connection throws(PostgreSQLError) in
      guard
        let row = try connection.query(
          "SELECT \(HeardColumns.columns) FROM checkpost.heard WHERE post = $1",
          [.text(post.code)]
        ).onlyRow()
      else { return nil }
      return try HeardColumns.heartbeat(of: post, row, from: 0)
    }
  }

  func keep(_ heartbeat: PostHeartbeat) throws(StorageError) {
    let message = heartbeat.message
    try connection.run { connection throws(PostgreSQLError) in
      _ = try connection.query(
        """
        INSERT INTO checkpost.heard (post, \(HeardColumns.columns))
          VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (post) DO UPDATE SET heartbeat_at = $2, last_number = $3, through_epoch = $4,
          waiting = $5, texted = $6, baseline = $7
        """,
        [
          .text(message.checkpost.code), .time(heartbeat.at), .integer(message.lastNumber),
          .integer(message.syncedThrough), .integer(message.waiting), .integer(message.texted),
          .integer(heartbeat.baseline),
        ])
    }
  }

  func passages(of post: CheckpostCode) throws(StorageError) -> Int64 {
    try connection.run { connection throws(PostgreSQLError) in
      try connection.query(
        """
        SELECT (coalesce((SELECT recorded FROM checkpost.heard WHERE post = $1), 0)
          + coalesce((SELECT sum(recorded) FROM checkpost.heard_changes WHERE post = $1), 0))::bigint
        """, [.text(post.code)]
      ).firstRow().value(0, .integer)
    }
  }
}

/// What posts told of themselves, as rows.
enum HeardColumns {
  static let columns = "heartbeat_at, last_number, through_epoch, waiting, texted, baseline"

  /// What a post told of itself last, from these columns in their order.
  static func heartbeat(
    of post: CheckpostCode, _ row: PostgreSQLRow, from column: Int
  ) throws(PostgreSQLError) -> PostHeartbeat? {
    guard let at = try row.optional(column, .time) else { return nil }
    let baseline = try row.value(column + 5, .integer)
    let (last, through) = (
      try row.value(column + 1, .integer), try row.optional(column + 2, .integer)
    )
    let (waiting, texted) = (
      try row.value(column + 3, .integer), try row.value(column + 4, .integer)
    )
    // One that is none was not written by this program.
    guard
      let message = try? H1Message(
        checkpost: post, lastNumber: last, syncedThrough: through, waiting: waiting, texted: texted)
    else { return nil }
    return PostHeartbeat(message: message, at: at, baseline: baseline)
  }
}
