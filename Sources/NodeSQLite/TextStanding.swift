import GRDB
import NodeCore

extension TextStanding {
  /// The condition on a row of the queue. What the server has needs nothing, and what was set aside
  /// was looked at.
  var condition: String {
    let open = "queue.parked_reason IS NULL AND queue.status <> 'synced'"
    return switch self {
    case .undelivered: "queue.undelivered = 1 AND \(open)"
    case .unknown:
      """
      queue.text_attempts > 0 AND queue.sms_sent = 0 AND queue.text_due_t IS NULL AND \(open)
        AND NOT EXISTS (SELECT 1 FROM texts WHERE queue_id = queue.id AND outcome = 'intent')
      """
    }
  }

  /// Passages that stand so: found in an index that holds no others.
  func count(_ database: Database) throws -> Int {
    let index =
      switch self {
      case .undelivered: "queue_undelivered"
      case .unknown: "queue_text_unknown"
      }
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM queue INDEXED BY \(index) WHERE \(condition)") ?? 0
  }
}
