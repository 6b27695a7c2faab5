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
  /// again by itself; ``NodeStore/retry(_:at:)`` does.
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
  /// Whether a text for it is with a modem.
  public var hasOpenText = false
  /// Whether the network may still report what became of a text for it.
  public var isReportOpen = false
  /// When somebody marked it as handed on, if so: it is done then.
  public var handedOnAt: WallTime?
  /// The server's name of it; nil while the server is not known to have it.
  public var serverID: String?
  /// Whether its upload was given up for good: the server refuses it, or the rules try no more.
  public var isRefused = false
  /// Whether the server has something else under its identity, and a person has to decide.
  public var hasOpenConflict = false
  /// Whether its photograph was given up for good.
  public var isPhotoRefused = false
  /// Whether its last correction was given up for good.
  public var isCorrectionRefused = false
  /// Why somebody put all of it on hold; nil when nobody did.
  public var onHoldReason: String?
  /// When it was withdrawn, by the wall clock; nil when it was not.
  public var withdrawnAt: WallTime?
  /// Why it was withdrawn.
  public var withdrawnReason: String?
  /// How far the server knows that it was withdrawn; nil where it is not told.
  public var withdrawal: WithdrawalStanding?
  /// The place in the queue of the passage that this one was recorded in place of.
  public var corrects: Int64?
  /// When the server was first known to have it, by the wall clock.
  public var syncedAt: WallTime?
  /// By what its time was known when it was recorded; nil where that was not noted.
  public var clockSource: ClockSource?
  /// How many seconds this machine's clock was ahead of the server's then, where that was more than
  /// ``TimeKnowledge/tolerance``; negative when it was behind.
  public var clockSkewSeconds: Int64?

  /// A passage and where it stands.
  public init(
    queueID: Int64, passage: Passage, status: QueueStatus, attempts: Int, requeues: Int,
    lastError: String? = nil, createdAt: WallTime, since: BootInstant, isTexted: Bool,
    isUndelivered: Bool, textAttempts: Int, refusals: Int, textDue: BootInstant? = nil,
    parkedReason: String? = nil, priority: Int, isOutdated: Bool
  ) {
    self.queueID = queueID
    self.passage = passage
    self.status = status
    self.attempts = attempts
    self.requeues = requeues
    self.lastError = lastError
    self.createdAt = createdAt
    self.since = since
    self.isTexted = isTexted
    self.isUndelivered = isUndelivered
    self.textAttempts = textAttempts
    self.refusals = refusals
    self.textDue = textDue
    self.parkedReason = parkedReason
    self.priority = priority
    self.isOutdated = isOutdated
  }
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
  /// Whether it tells that the post lives; of no passage then, and of no operator.
  public var isHeartbeat = false
  /// Whom its passage goes to by it; nil for a text of no passage.
  public var to: TextRecipient?

  /// A text and what became of it.
  public init(
    id: TextID, recipient: String, body: String, modem: ModemID, modemName: String? = nil,
    begunAt: WallTime, outcome: String, outcomeAt: WallTime? = nil, error: String? = nil,
    settledBy: SettlingRule? = nil, references: [UInt8], delivery: Delivery? = nil
  ) {
    self.id = id
    self.recipient = recipient
    self.body = body
    self.modem = modem
    self.modemName = modemName
    self.begunAt = begunAt
    self.outcome = outcome
    self.outcomeAt = outcomeAt
    self.error = error
    self.settledBy = settledBy
    self.references = references
    self.delivery = delivery
  }

  /// What the network reported of a text, of what it reported of each part.
  public static func delivery(of parts: [Delivery?]) -> Delivery? {
    if parts.contains(.failed) { return .failed }
    if parts.contains(.expired) { return .expired }
    if !parts.isEmpty, parts.allSatisfy({ $0 == .delivered }) { return .delivered }
    return parts.contains { $0 != nil } ? .trying : nil
  }
}
