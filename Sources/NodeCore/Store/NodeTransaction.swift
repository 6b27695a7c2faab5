public import GSM
public import Passages
public import Storage
public import Time

/// A store inside one transaction; it must not be used after that.
public protocol NodeTransaction: ReportFacts {
  /// The most urgent passage that is due for a text at `now`, and of those the oldest; or when the
  /// first one will be. Passages with a text on its way, texted, parked or synced ones are never due.
  func chooseDue(at now: BootInstant) throws(StorageError) -> DueAnswer

  /// Writes down one change that a text makes; nothing else is touched. An outcome that is known
  /// already stays, unless it is a refusal that turns out to have been none.
  func apply(_ write: NodeWrite, at moment: Moment) throws(StorageError)

  /// Records passages, each with its place in the queue; the same passage is recognised.
  ///
  /// - Returns: one outcome for each request, in order.
  func record(
    _ requests: [RecordRequest], at moment: Moment
  ) throws(StorageError) -> [RecordOutcome]

  /// Where a passage stands; nil when there is no such passage.
  func standing(of queueID: Int64) throws(StorageError) -> QueueStanding?

  /// Changes where a passage stands. A change that the rules of the queue do not have is refused.
  func change(_ queueID: Int64, _ change: StandingChange) throws(StorageError)

  /// Passages that wait for a text and are not given up.
  func waiting() throws(StorageError) -> Int

  /// The time after which a passage is texted, as the store last heard of it; nil before.
  func fallbackAfter() throws(StorageError) -> Duration?

  /// Takes over the time after which a passage is texted: those that wait for their first text follow.
  func changeFallback(to after: Duration) throws(StorageError)

  /// Writes down that the clock has come to `time`, so that a power cut takes at most the time since
  /// then from the ages of the passages. A passage that is recorded does the same.
  func keepTime(_ time: BootInstant) throws(StorageError)

  /// A number that changes when somebody else has changed the store.
  func foreignChanges() throws(StorageError) -> Int64

  /// The passage that a text was for, and its plate, compact; nil for an operator's text.
  func passage(ofText id: TextID) throws(StorageError) -> (client: ClientID, plate: String)?

  /// The plate of a passage, compact; nil when there is no such passage.
  func plate(of client: ClientID) throws(StorageError) -> String?

  /// Makes passages that were being sent to the server pending again; returns how many there were.
  func returnInFlight() throws(StorageError) -> Int

  /// Texts whose outcome is still to come, oldest first.
  func openTexts() throws(StorageError) -> [OpenText]

  /// What the store knows of the texts before, for a start: the next number, what counts against the
  /// budgets of `modems` since `since`, and which numbers took a text of each lately.
  func startFacts(modems: [String], since: BootInstant) throws(StorageError) -> StartFacts

  /// Counts a message that was kept under this identity since a moment once more; false when there is
  /// none.
  func countAgain(_ identity: String, since: BootInstant) throws(StorageError) -> Bool

  /// Keeps something received, with the text that it is a report about.
  func insert(_ entry: InboxEntry, about textID: TextID?, at moment: Moment) throws(StorageError)

  /// Writes down one change that follows from what came in; nothing else is touched.
  func apply(_ change: InboxChange, at moment: Moment) throws(StorageError)

  /// The PDUs of a long message in the order of its parts, once all are there; nil before.
  func completeParts(_ place: MessagePart) throws(StorageError) -> [String]?

  /// Makes a long message of its parts: the first bears the whole text, the others say so.
  func join(_ place: MessagePart, text: String) throws(StorageError)

  /// By what the outcome of a text was settled that nobody had known; nil where it was known.
  func settlingRule(of id: TextID) throws(StorageError) -> SettlingRule?

  /// What waits in the store, with the oldest texts that were begun until a moment and that no sweep has
  /// looked at, at most `limit` of them.
  func sweepFacts(begunUntil: BootInstant, limit: Int) throws(StorageError) -> SweepFacts
}
