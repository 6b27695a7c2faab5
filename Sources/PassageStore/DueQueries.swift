import GRDB
import NodeCore
import Passages
import Timing

/// How the passage that is due is found among a million: through two indexes that hold nothing but
/// the passages that may still be texted.
enum DueQueries {
  static let earliest = """
    SELECT text_due_t FROM queue INDEXED BY queue_text_due
    WHERE \(Schema.textable) ORDER BY text_due_t LIMIT 1
    """

  static let oldest = """
    SELECT queue.id, passages.client_id, passages.v1_body, queue.since_t, queue.status,
      queue.sms_sent, queue.airings - queue.allowance, queue.refusals, queue.last_text_t
    FROM queue INDEXED BY queue_text_order JOIN passages ON passages.id = queue.id
    WHERE \(Schema.textable) AND text_due_t <= ? ORDER BY queue.id LIMIT 1
    """

  static func dueText(_ row: Row) -> DueText? {
    guard let client = ClientID(row[1] as String), let status = QueueStatus(rawValue: row[4])
    else {
      return nil
    }
    let last: Int64? = row[8]
    return DueText(
      queueID: row[0], clientID: client, body: row[2],
      since: BootInstant(nanoseconds: row[3]), status: status, isTexted: row[5],
      airings: row[6], refusals: row[7], lastTextAt: last.map { BootInstant(nanoseconds: $0) })
  }
}
