import CentralCore
import GRDB
import Passages
import Storage
import Time

/// What posts told of themselves, as rows.
enum HeartbeatRows {
  static let columns = "heartbeat_at_ms, last_number, through_epoch, waiting, texted, baseline"

  /// What a post told of itself last, from these columns in their order.
  static func heartbeat(
    of post: CheckpostCode, _ row: Row, from column: Int
  ) throws -> PostHeartbeat? {
    guard let at: Int64 = row[column] else { return nil }
    // One that is none was not written by this program.
    guard
      let message = try? H1Message(
        checkpost: post, lastNumber: row[column + 1] ?? 0, syncedThrough: row[column + 2],
        waiting: row[column + 3] ?? 0, texted: row[column + 4] ?? 0)
    else { return nil }
    return PostHeartbeat(
      message: message, at: WallTime(milliseconds: at), baseline: row[column + 5] ?? 0)
  }
}

extension InboxTransaction {
  func heartbeat(of post: CheckpostCode) throws(StorageError) -> PostHeartbeat? {
    try sorted {
      try Row.fetchOne(
        database, sql: "SELECT \(HeartbeatRows.columns) FROM heard WHERE checkpost = ?",
        arguments: [post.code]
      ).flatMap { try HeartbeatRows.heartbeat(of: post, $0, from: 0) }
    }
  }

  func keep(_ heartbeat: PostHeartbeat) throws(StorageError) {
    let message = heartbeat.message
    try sorted {
      try database.execute(
        sql: """
          INSERT INTO heard (checkpost, \(HeartbeatRows.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
          ON CONFLICT (checkpost) DO UPDATE SET heartbeat_at_ms = ?2, last_number = ?3,
            through_epoch = ?4, waiting = ?5, texted = ?6, baseline = ?7
          """,
        arguments: [
          message.checkpost.code, heartbeat.at.milliseconds, message.lastNumber,
          message.syncedThrough, message.waiting, message.texted, heartbeat.baseline,
        ])
    }
  }

  func passages(of post: CheckpostCode) throws(StorageError) -> Int64 {
    try sorted {
      try Int64.fetchOne(
        database, sql: "SELECT recorded FROM heard WHERE checkpost = ?", arguments: [post.code])
        ?? 0
    }
  }
}
