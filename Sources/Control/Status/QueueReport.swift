/// The node's queue in numbers.
public struct QueueReport: Codable, Hashable, Sendable {
  /// Passages that wait for their turn.
  public var waiting: Int?
  /// Passages that are with a modem or on their way to the server.
  public var sending: Int?
  /// Passages whose text the network took, and whose report or upload is still to come.
  public var sent: Int?
  /// Passages for which nothing more is to be done.
  public var done: Int?
  /// Passages for which somebody has to decide.
  public var stuck: Int?
  /// How long the passage that waits for a text the longest has done so.
  public var oldestWaitingSeconds: Int64?
  /// Passages that wait for their turn to be uploaded.
  public var pending = 0
  /// Passages that are being uploaded.
  public var inFlight = 0
  /// Passages that the server has.
  public var synced = 0
  /// Passages whose upload was given up.
  public var failed = 0
  /// Passages that are or will be due for a text.
  public var waitingForText = 0
  /// Passages with an accepted text.
  public var texted = 0
  /// Passages whose texts were not delivered.
  public var undelivered = 0
  /// Passages of which nobody knows whether their text left.
  public var unknownTexts = 0
  /// Passages that are on hold.
  public var parked = 0
  /// Passages without a time.
  public var undated = 0
  /// Texts that are with a modem.
  public var textsSending: Int?
  /// When the oldest of them was begun, as RFC 3339 has it.
  public var sendingSince: String?
  /// What the next text waits for: `budget`, `no_gateway` and their like; nil when none waits, or it goes
  /// at once.
  public var nextTextWaitsFor: String?
  /// The same for people.
  public var nextTextReason: String?
  /// When it may go, as RFC 3339 has it; nil when that takes more than time.
  public var nextTextAt: String?
  /// Messages of the last 24 hours.
  public var textsLastDay = 0
  /// How long the oldest passage that is pending has been so.
  public var oldestPendingSeconds: Int64?
  /// When the last text was accepted, as RFC 3339 has it.
  public var lastTextAt: String?
  /// The size of the database.
  public var databaseBytes: Int64 = 0
  /// What is free on its file system.
  public var freeBytes: Int64?
  /// Whether its file system takes nothing.
  public var isReadOnly: Bool?

  private enum CodingKeys: String, CodingKey {
    case oldestWaitingSeconds = "oldest_waiting_seconds"
    case inFlight = "in_flight"
    case waitingForText = "waiting_for_text"
    case undelivered = "text_undelivered"
    case unknownTexts = "text_unknown"
    case textsSending = "texts_sending"
    case sendingSince = "sending_since"
    case nextTextWaitsFor = "next_text_waits_for"
    case nextTextReason = "next_text_reason"
    case nextTextAt = "next_text_at"
    case textsLastDay = "texts_last_day"
    case oldestPendingSeconds = "oldest_pending_seconds"
    case lastTextAt = "last_text_at"
    case databaseBytes = "database_bytes"
    case freeBytes = "free_bytes"
    case isReadOnly = "read_only"
    case waiting, sending, sent, done, stuck
    case pending, synced, failed, texted, parked, undated
  }

  /// An empty queue.
  public init() {}
}

/// What may be texted: by all modems together, and by each.
public struct BudgetReport: Codable, Hashable, Sendable {
  /// What is left to one modem.
  public struct Modem: Codable, Hashable, Sendable {
    /// What people call it.
    public var name: String
    /// Messages that are left within a minute.
    public var minuteRemaining = 0
    /// Messages that are left within an hour.
    public var hourRemaining = 0
    /// Messages that are left within a day.
    public var dayRemaining = 0
    /// Messages that are left within 30 days.
    public var monthRemaining = 0

    private enum CodingKeys: String, CodingKey {
      case minuteRemaining = "minute_remaining"
      case hourRemaining = "hour_remaining"
      case dayRemaining = "day_remaining"
      case monthRemaining = "month_remaining"
      case name
    }

    /// A modem that may send nothing.
    public init(name: String) {
      self.name = name
    }
  }

  /// Messages of the last minute.
  public var minuteUsed = 0
  /// Messages a minute.
  public var perMinute = 0
  /// Messages of the last hour.
  public var hourUsed = 0
  /// Messages an hour.
  public var perHour = 0
  /// Messages of the last day.
  public var dayUsed = 0
  /// Messages a day.
  public var perDay = 0
  /// Messages of the last 30 days.
  public var monthUsed = 0
  /// Messages in 30 days.
  public var perMonth = 0
  /// The most messages that can leave within any 24 hours.
  public var worstDay = 0
  /// When the first budget opens again, if all are used up.
  public var opensInSeconds: Int64?
  /// The modems in the order of the configuration.
  public var modems: [Modem] = []

  private enum CodingKeys: String, CodingKey {
    case minuteUsed = "minute_used"
    case perMinute = "per_minute"
    case hourUsed = "hour_used"
    case perHour = "per_hour"
    case dayUsed = "day_used"
    case perDay = "per_day"
    case monthUsed = "month_used"
    case perMonth = "per_month"
    case worstDay = "worst_day"
    case opensInSeconds = "opens_in_seconds"
    case modems
  }

  /// No budget.
  public init() {}
}
