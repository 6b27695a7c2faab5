import GRDB
import NodeCore
import Passages
import Time

/// How the passage that is due is found among a million: through two indexes that hold nothing but
/// the passages that may still be texted.
enum DueQueries {
  static let earliest = """
    SELECT text_due_t FROM queue INDEXED BY queue_text_due
    WHERE \(NodeSchema.textable) ORDER BY text_due_t LIMIT 1
    """

  /// The most urgent of those that are due, and of these the oldest.
  static let mostUrgent = """
    SELECT queue.id, passages.client_id, passages.v1_body, queue.since_t, queue.status,
      queue.sms_sent, queue.text_attempts - queue.allowance, queue.refusals, queue.last_text_t,
      queue.worth_t
    FROM queue INDEXED BY queue_text_order JOIN passages ON passages.id = queue.id
    WHERE \(NodeSchema.textable) AND text_due_t <= ? ORDER BY priority DESC, queue.id LIMIT 1
    """

  /// Numbers that the network did not deliver a passage to.
  static let refusedBy = """
    SELECT DISTINCT recipient FROM texts WHERE queue_id = ? AND refusal = 'destination'
    """

  static func dueText(_ row: Row, _ database: Database) throws -> DueText? {
    guard let client = ClientID(row[1] as String), let status = QueueStatus(rawValue: row[4])
    else {
      return nil
    }
    let last: Int64? = row[8]
    let worth: Int64? = row[9]
    let refusals: Int = row[7]
    // Few passages were ever refused; only those are asked about.
    let refusedBy =
      refusals == 0
      ? []
      : try String.fetchSet(
        database.cachedStatement(sql: DueQueries.refusedBy), arguments: [row[0] as Int64])
    return DueText(
      queueID: row[0], clientID: client, body: row[2],
      since: BootInstant(nanoseconds: row[3]), status: status, isTexted: row[5],
      textAttempts: row[6], refusals: refusals,
      lastTextAt: last.map { BootInstant(nanoseconds: $0) },
      worthSince: worth.map { BootInstant(nanoseconds: $0) }, refusedBy: refusedBy)
  }
}
