import GRDB
import NodeCore
import Time

extension TextStanding {
  /// The condition on a row of the queue. What the server has or somebody handed on needs nothing, and
  /// what was set aside was looked at.
  var condition: String {
    let open = """
      queue.parked_reason IS NULL AND queue.status <> 'synced' AND queue.handed_on_ms IS NULL
        AND queue.withdrawn_ms IS NULL
      """
    return switch self {
    case .undelivered: "queue.undelivered = 1 AND \(open)"
    case .unknown:
      """
      queue.text_attempts > 0 AND queue.sms_sent = 0 AND queue.text_due_t IS NULL AND \(open)
        AND NOT \(NodeSchema.hasOpenText)
      """
    }
  }

  /// The places in the queue of those that may stand so: an index that holds no others.
  var few: String {
    switch self {
    case .undelivered:
      "SELECT passage_id FROM text_deliveries INDEXED BY text_deliveries_undelivered"
        + " WHERE undelivered = 1"
    case .unknown:
      "SELECT passage_id FROM text_deliveries INDEXED BY text_deliveries_unknown"
        + " WHERE text_attempts > 0 AND sms_sent = 0"
    }
  }

  /// Passages that stand so, and when the last text of the one that has waited the longest went.
  func standing(_ database: Database) throws -> (count: Int, since: BootInstant?) {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*), min(last_text_t) FROM queue WHERE id IN (\(few)) AND \(condition)
        """)
    return (row?[0] ?? 0, (row?[1] as Int64?).map { BootInstant(nanoseconds: $0) })
  }
}
