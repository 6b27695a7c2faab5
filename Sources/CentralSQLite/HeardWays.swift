import CentralCore
import GRDB
import Time

/// When posts were heard of by other ways than their passages and texts: what their devices told over HTTP, and
/// who signed in.
struct HeardWays {
  private var devices: [String: (at: WallTime, waiting: Int64)] = [:]
  private var signIns: [String: WallTime] = [:]
  private var back: [String: WallTime] = [:]

  /// Reads what is known of all posts: there are few devices and accounts.
  static func all(_ database: Database) throws -> HeardWays {
    var ways = HeardWays()
    // Beside max() SQLite takes the other columns from the same row.
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT w.name, max(m.received_at), m.pending_count
        FROM sync_metadata m JOIN api_user_profiles u ON u.id = m.user_id
          JOIN wire_names w ON w.kind = 'post' AND w.uuid = u.assigned_checkpost_id
        WHERE m.received_at IS NOT NULL GROUP BY w.name
        """)
    {
      ways.devices[row[0]] = (WallTime(milliseconds: row[1]), row[2])
    }
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT checkpost, max(at_ms) FROM (
          SELECT a.checkpost, s.refreshed_at_ms AS at_ms
            FROM sessions s JOIN accounts a ON a.id = s.account
          UNION ALL SELECT checkpost, used_at_ms FROM api_keys WHERE used_at_ms IS NOT NULL)
        WHERE checkpost IS NOT NULL GROUP BY checkpost
        """)
    {
      ways.signIns[row[0]] = WallTime(milliseconds: row[1])
    }
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT post, max(at_ms) FROM (
          SELECT post, went_back_at_ms AS at_ms FROM post_marks
          UNION ALL SELECT w.name, m.went_back_at
            FROM sync_metadata m JOIN api_user_profiles u ON u.id = m.user_id
              JOIN wire_names w ON w.kind = 'post' AND w.uuid = u.assigned_checkpost_id)
        WHERE at_ms IS NOT NULL GROUP BY post
        """)
    {
      ways.back[row[0]] = WallTime(milliseconds: row[1])
    }
    return ways
  }

  /// A post with what is known of it.
  func complete(_ post: PostHeard) -> PostHeard {
    var post = post
    post.deviceAt = devices[post.code]?.at
    post.deviceWaiting = devices[post.code]?.waiting
    post.signedInAt = signIns[post.code]
    post.wentBackAt = back[post.code]
    return post
  }
}
