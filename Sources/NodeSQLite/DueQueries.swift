import GRDB
import NodeCore
import Passages
import Time

/// How the passage that is due is found among a million: through two indexes that hold nothing but
/// the deliveries that are due or will be. One whose passage is on its way to the server is passed
/// over; there are never more of those than fit into one request.
enum DueQueries {
  private static let notInFlight = """
    due_t IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM uploads INDEXED BY uploads_in_flight
      WHERE uploads.passage_id = text_deliveries.passage_id AND uploads.status = 'in_flight'
        AND uploads.\(NodeSchema.ofPassage))
    """

  /// The same of texts to the centre alone.
  static let earliestToCentre = """
    SELECT due_t FROM text_deliveries INDEXED BY text_deliveries_due
    WHERE \(notInFlight) AND recipient = 'centre' ORDER BY due_t LIMIT 1
    """

  /// When the first text is due, to whomever it goes.
  static let earliest = """
    SELECT due_t FROM text_deliveries INDEXED BY text_deliveries_due
    WHERE \(notInFlight) ORDER BY due_t LIMIT 1
    """

  /// The most urgent of those that are due, and of these the oldest.
  static let mostUrgent = """
    \(columns)
    FROM text_deliveries INDEXED BY text_deliveries_order
    JOIN passages ON passages.id = text_deliveries.passage_id
    WHERE \(notInFlight) AND due_t <= ?
    ORDER BY text_deliveries.priority DESC, text_deliveries.passage_id, text_deliveries.id LIMIT 1
    """

  /// Texts to central of passages that the server was handed and did not take: few, and found by that.
  private static let untaken = """
    FROM uploads INDEXED BY uploads_missed
    JOIN text_deliveries ON text_deliveries.passage_id = uploads.passage_id
    JOIN passages ON passages.id = uploads.passage_id
    WHERE missed_t IS NOT NULL AND uploads.\(NodeSchema.ofPassage)
      AND \(NodeSchema.isUntakenUpload) AND due_t IS NOT NULL AND recipient = 'centre'
    """

  /// The most urgent of those that were handed to the server long enough ago, and of these the oldest.
  static let mostUrgentUntaken = """
    \(columns) \(untaken) AND missed_t < ?1 - ?2 AND due_t <= ?1
    ORDER BY text_deliveries.priority DESC, text_deliveries.passage_id LIMIT 1
    """

  /// When the first of them is due.
  static let earliestUntaken = "SELECT min(max(missed_t + ?1 + 1, due_t)) \(untaken)"

  private static let columns = """
    SELECT passages.id, passages.client_id, passages.v1_body, passages.since_t,
      (SELECT status FROM uploads
        WHERE uploads.passage_id = passages.id AND uploads.\(NodeSchema.ofPassage)),
      sms_sent, text_attempts - allowance, refusals, last_text_t, worth_t, text_deliveries.id,
      text_deliveries.priority, text_deliveries.recipient, passages.recorded_at_ms,
      passages.created_at_ms
    """

  /// Numbers that the network did not deliver a passage to.
  static let refusedBy = """
    SELECT DISTINCT recipient FROM texts WHERE delivery_id = ? AND refusal = 'destination'
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
        database.cachedStatement(sql: DueQueries.refusedBy), arguments: [row[10] as Int64])
    var due = DueText(
      queueID: row[0], clientID: client, body: row[2],
      since: BootInstant(nanoseconds: row[3]), status: status, isTexted: row[5],
      textAttempts: row[6], refusals: refusals,
      lastTextAt: last.map { BootInstant(nanoseconds: $0) },
      worthSince: worth.map { BootInstant(nanoseconds: $0) }, refusedBy: refusedBy,
      priority: row[11])
    due.recipient = TextRecipient(name: row[12]) ?? .centre
    due.times = PassageTimes(
      recordedAt: WallTime(milliseconds: row[13]), createdAt: WallTime(milliseconds: row[14]))
    return due
  }
}
