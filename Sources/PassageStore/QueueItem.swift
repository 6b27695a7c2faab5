import GRDB
public import NodeCore
public import Passages
public import Timing

/// A passage and where it stands.
public struct QueueItem: Hashable, Sendable {
  /// Its place in the queue.
  public var queueID: Int64
  public var passage: Passage
  public var status: QueueStatus
  /// Attempts over HTTP since it was recorded or last re-armed.
  public var attempts: Int
  /// How often it went from failed back to pending.
  public var rearms: Int
  public var lastError: String?
  /// When it was recorded, by the wall clock.
  public var createdAt: WallTime
  /// When it was recorded, by the node's clock.
  public var since: BootInstant
  /// Whether a text for it was accepted.
  public var isTexted: Bool
  /// Texts for it that are or may be on air.
  public var airings: Int
  /// Texts for it that were refused.
  public var refusals: Int
  /// When it is due for a text, by the node's clock; nil when it is not to be texted.
  public var textDue: BootInstant?
  /// Why it is set aside, if it is.
  public var parkedReason: String?

  static let columns = """
    SELECT queue.*, passages.* FROM queue JOIN passages ON passages.id = queue.id
    """

  /// The item of a row, or an error that names the row: what was written here always reads again,
  /// unless the file was changed by hand.
  init(row: Row) throws {
    let id: Int64 = row["id"]
    guard let status = QueueStatus(rawValue: row["status"]) else {
      throw UnreadableRow(queueID: id)
    }
    queueID = id
    passage = try Passage(row: row)
    self.status = status
    attempts = row["attempts"]
    rearms = row["rearms"]
    lastError = row["last_error"]
    createdAt = WallTime(milliseconds: row["created_at_ms"])
    since = BootInstant(nanoseconds: row["since_t"])
    isTexted = row["sms_sent"]
    airings = row["airings"]
    refusals = row["refusals"]
    let due: Int64? = row["text_due_t"]
    textDue = due.map { BootInstant(nanoseconds: $0) }
    parkedReason = row["parked_reason"]
  }
}

/// A row that this program did not write as it is.
struct UnreadableRow: Error, CustomStringConvertible {
  var queueID: Int64

  var description: String { "queue row \(queueID) does not read as a passage" }
}

/// A text and what became of it.
public struct TextRecord: Hashable, Sendable {
  public var id: TextID
  public var recipient: String
  public var body: String
  public var modem: ModemID
  public var begunAt: WallTime
  /// `intent`, `accepted`, `refused`, `not_sent` or `unknown`.
  public var outcome: String
  public var outcomeAt: WallTime?
  public var error: String?
  /// The references it was accepted with, in the order of its parts.
  public var references: [UInt8]
  /// What the network reported: `failed` when any part failed, `delivered` when all parts were.
  public var delivery: Delivery?
}
