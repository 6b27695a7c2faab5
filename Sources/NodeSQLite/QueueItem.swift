import GRDB
public import NodeCore
public import Passages
public import Time

/// A passage and where it stands.
public struct QueueItem: Hashable, Sendable {
  /// Its place in the queue.
  public var queueID: Int64
  /// What was written down at the post.
  public var passage: Passage
  /// Where it stands on its way over HTTP.
  public var status: QueueStatus
  /// Attempts over HTTP since it was recorded or last requeued.
  public var attempts: Int
  /// How often it went from failed back to pending.
  public var requeues: Int
  /// Why the last attempt over HTTP failed, in words; nil when none has.
  public var lastError: String?
  /// When it was recorded, by the wall clock.
  public var createdAt: WallTime
  /// When it was recorded, by the node's clock.
  public var since: BootInstant
  /// Whether a text for it was accepted.
  public var isTexted: Bool
  /// Whether the network has reported of every text for it that it was not delivered. Nothing is sent
  /// again by itself; ``SQLiteNodeStore/retry(_:at:)`` does.
  public var isUndelivered: Bool
  /// Texts for it that are or may be on air.
  public var textAttempts: Int
  /// Texts for it that were refused.
  public var refusals: Int
  /// When it is due for a text, by the node's clock; nil when it is not to be texted.
  public var textDue: BootInstant?
  /// Why it is set aside, if it is.
  public var parkedReason: String?
  /// How urgent it is: 2 goes first, then 1, then 0.
  public var priority: Int
  /// Whether it has grown too old for a text.
  public var isOutdated: Bool

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
    requeues = row["requeues"]
    lastError = row["last_error"]
    createdAt = WallTime(milliseconds: row["created_at_ms"])
    since = BootInstant(nanoseconds: row["since_t"])
    isTexted = row["sms_sent"]
    isUndelivered = row["undelivered"]
    textAttempts = row["text_attempts"]
    refusals = row["refusals"]
    let due: Int64? = row["text_due_t"]
    textDue = due.map { BootInstant(nanoseconds: $0) }
    parkedReason = row["parked_reason"]
    priority = row["priority"]
    isOutdated = row["outdated"]
  }
}

/// A row that this program did not write as it is.
struct UnreadableRow: Error, CustomStringConvertible {
  var queueID: Int64

  var description: String { "queue row \(queueID) does not read as a passage" }
}

/// A text and what became of it.
public struct TextRecord: Hashable, Sendable {
  /// The number of the text, which no other text of this node has or had.
  public var id: TextID
  /// The number it went to.
  public var recipient: String
  /// What it says.
  public var body: String
  /// The modem that it was handed to.
  public var modem: ModemID
  /// The name that this modem had.
  public var modemName: String?
  /// When it was written down, before the modem was told, by the wall clock.
  public var begunAt: WallTime
  /// `intent`, `accepted`, `refused`, `not_sent` or `unknown`.
  public var outcome: String
  /// When its outcome was written down, by the wall clock; nil while it has none.
  public var outcomeAt: WallTime?
  /// Why it was not accepted, in words; nil when it was or has no outcome yet.
  public var error: String?
  /// By what its outcome was settled, where nobody had known it.
  public var settledBy: SettlingRule?
  /// The references it was accepted with, in the order of its parts.
  public var references: [UInt8]
  /// What the network reported: `failed` or `expired` when any part was, `delivered` when all parts
  /// were; nil when nothing was reported.
  public var delivery: Delivery?
}
