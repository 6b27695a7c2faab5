import GRDB
import NodeCore
import Passages
import Time

extension QueueItem {
  static let columns = """
    SELECT queue.*, \(NodeSchema.hasOpenText) AS open_text,
      \(NodeSchema.isReportOpen) AS report_open, \(NodeSchema.decisions)
    FROM queue
    """

  /// The item of a row, or an error that names the row: what was written here always reads again,
  /// unless the file was changed by hand.
  init(row: Row) throws {
    let id: Int64 = row["id"]
    guard let status = QueueStatus(rawValue: row["status"]) else {
      throw UnreadableRow(queueID: id)
    }
    let due: Int64? = row["text_due_t"]
    self.init(
      queueID: id, passage: try Passage(row: row), status: status, attempts: row["attempts"],
      requeues: row["requeues"], lastError: row["last_error"],
      createdAt: WallTime(milliseconds: row["created_at_ms"]),
      since: BootInstant(nanoseconds: row["since_t"]), isTexted: row["sms_sent"],
      isUndelivered: row["undelivered"], textAttempts: row["text_attempts"],
      refusals: row["refusals"], textDue: due.map { BootInstant(nanoseconds: $0) },
      parkedReason: row["parked_reason"], priority: row["priority"],
      isOutdated: row["outdated"])
    hasOpenText = row["open_text"]
    isReportOpen = row["report_open"]
    handedOnAt = (row["handed_on_ms"] as Int64?).map { WallTime(milliseconds: $0) }
    serverID = row["server_id"]
    isRefused = status == .failed && (row["last_error_class"] as String?) == "permanent"
    hasOpenConflict = row["conflict_open"]
    isPhotoRefused = row["photo_refused"]
    isCorrectionRefused = row["correction_refused"]
    onHoldReason = row["on_hold_reason"]
    withdrawnAt = (row["withdrawn_ms"] as Int64?).map { WallTime(milliseconds: $0) }
    withdrawnReason = row["withdrawn_reason"]
    withdrawal = (row["withdrawal_status"] as String?).flatMap { WithdrawalStanding(rawValue: $0) }
    corrects = row["corrects"]
    clockSource = (row["clock_source"] as String?).flatMap { ClockSource(rawValue: $0) }
    clockSkewSeconds = row["clock_skew_s"]
    syncedAt = (row["synced_ms"] as Int64?).map { WallTime(milliseconds: $0) }
  }
}

/// A row that this program did not write as it is.
struct UnreadableRow: Error, CustomStringConvertible {
  var queueID: Int64

  var description: String { "queue row \(queueID) does not read as a passage" }
}
