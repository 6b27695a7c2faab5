public import Passages
public import Time

/// Where a passage stands on its way to the server.
public enum QueueStatus: String, CaseIterable, Hashable, Sendable {
  /// Recorded, waiting for its turn.
  case pending
  /// Being sent to the server.
  case inFlight = "in_flight"
  /// The server has it; nothing comes after this.
  case synced
  /// Given up after five attempts or a permanent refusal.
  case failed
}

/// A passage that the store offers for a text.
public struct DueText: Hashable, Sendable {
  /// Its place in the queue; lower is older.
  public var queueID: Int64
  /// The identity of the passage.
  public var clientID: ClientID
  /// The V1 body, frozen when the passage was recorded.
  public var body: String
  /// Since when it has been waiting, on the clock carried over restarts.
  public var since: BootInstant
  /// Where it stands on its way over HTTP: ``QueueStatus/pending`` or ``QueueStatus/failed``, as no
  /// other is due for a text.
  public var status: QueueStatus
  /// Whether a text for it was accepted.
  public var isTexted: Bool
  /// Texts for it that are or may be on air.
  public var textAttempts: Int
  /// Texts for it that are known not to have been taken.
  public var refusals: Int
  /// When the latest text for it was begun.
  public var lastTextAt: BootInstant?
  /// Since when it has been worth a text, where that is not ``since``: it was handed in later than it
  /// was seen, or an operator asked for it again.
  public var worthSince: BootInstant?
  /// Numbers that the network did not deliver it to.
  public var refusedBy: Set<String>
  /// How urgent it is.
  public var priority: Int
  /// Whom it is for.
  public var recipient = TextRecipient.centre
  /// The times that it bears; nil where the store tells none.
  public var times: PassageTimes?
  /// How old it is by its own time as far as that is known better now than when it was recorded, see
  /// ``PassageTimes/ownAge(since:start:by:farOff:at:)``; negative for one that is dated ahead.
  public var ownAge: Duration?

  /// Whether it is more urgent than others, so that it leaves in quiet hours too.
  public var isUrgent: Bool { priority > RecordRequest.standardPriority }

  /// Whether somebody asked for this text: then it goes, however old its passage is.
  var isAskedFor: Bool { worthSince.map { $0 >= since } ?? false }

  /// How old it is as far as the worth of a text is concerned; negative for one that is dated ahead.
  func age(at now: BootInstant) -> Duration {
    if let ownAge, !isAskedFor { return ownAge }
    return now - (worthSince ?? since)
  }

  /// An offer with all that the rule needs to know.
  public init(
    queueID: Int64, clientID: ClientID, body: String, since: BootInstant, status: QueueStatus,
    isTexted: Bool = false, textAttempts: Int = 0, refusals: Int = 0,
    lastTextAt: BootInstant? = nil,
    worthSince: BootInstant? = nil, refusedBy: Set<String> = [],
    priority: Int = RecordRequest.standardPriority
  ) {
    self.queueID = queueID
    self.clientID = clientID
    self.body = body
    self.since = since
    self.status = status
    self.isTexted = isTexted
    self.textAttempts = textAttempts
    self.refusals = refusals
    self.lastTextAt = lastTextAt
    self.worthSince = worthSince
    self.refusedBy = refusedBy
    self.priority = priority
  }
}

/// The store's answer to "what is due?".
public struct DueAnswer: Hashable, Sendable {
  /// The most urgent passage that is due, and of those the oldest by its place in the queue.
  public var text: DueText?
  /// When none is due, the moment at which the first one will be; nil when none ever will.
  public var nextDue: BootInstant?

  /// An answer.
  public init(text: DueText?, nextDue: BootInstant?) {
    self.text = text
    self.nextDue = nextDue
  }
}
