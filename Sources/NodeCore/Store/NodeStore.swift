public import Passages
public import Storage
public import Time

/// A moment on both clocks: the node's own, which decides, and the wall's, which is written down.
public struct Moment: Hashable, Sendable {
  /// The node's clock, carried over restarts.
  public var boot: BootInstant
  /// The wall clock, for what people read; it may jump.
  public var wall: WallTime

  /// A moment on both clocks.
  public init(boot: BootInstant, wall: WallTime) {
    self.boot = boot
    self.wall = wall
  }
}

/// What a node needs of its store: it keeps facts, and the decisions are made from them here.
///
/// Whatever belongs together is one ``transaction(_:)``. Reading beside it sees what was committed last.
public protocol NodeStore: Sendable {
  /// The node's clock in this boot of the machine.
  var clock: NodeClock { get }

  /// Why no further passage may be recorded; nil while there is room for it and for the outcomes of
  /// those that are recorded already.
  var shortage: StorageError? { get }

  /// Runs `body` in one transaction that is on disk when this returns, and undone when it throws.
  func transaction<Value>(
    _ body: (any NodeTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value

  /// A number that changes when somebody else has changed the store.
  func foreignChanges() throws(StorageError) -> Int64

  /// Saves all that the store holds where it can be found again, also when the store itself was taken
  /// away; returns the name of that place.
  func saveCopy() throws(StorageError) -> String

  /// Passages with where they stand, oldest first.
  func list(_ query: QueueQuery) throws(StorageError) -> [QueueItem]

  /// One passage by its place in the queue.
  func item(_ queueID: Int64) throws(StorageError) -> QueueItem?

  /// One passage by its identity, or by the identity of its V1 text.
  func item(_ client: ClientID) throws(StorageError) -> QueueItem?

  /// The texts of one passage, oldest first; with nil the operators' own texts.
  func texts(of queueID: Int64?) throws(StorageError) -> [TextRecord]

  /// What came in, newest first.
  ///
  /// - Parameter isWhole: whether status reports and the parts that have become a whole text are
  ///   among it.
  func inbox(limit: Int, isWhole: Bool) throws(StorageError) -> [InboxMessage]

  /// The store in numbers, at the cost of a few look-ups however many passages there are.
  func overview(at now: BootInstant) throws(StorageError) -> StoreOverview

  /// The moment of the machine's boot clock at which the node's clock showed `time`, in whichever start
  /// of the machine that was; nil for times before the first start that is known.
  func bootMoment(of time: BootInstant) throws(StorageError) -> BootMoment?
}

/// A store inside one transaction; it must not be used after that.
public protocol NodeTransaction {
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

  /// The passage that a text was for; nil for an operator's text.
  func passage(ofText id: TextID) throws(StorageError) -> ClientID?

  /// The plate of a passage, compact; nil when there is no such passage.
  func plate(of client: ClientID) throws(StorageError) -> String?

  /// Makes passages that were being sent to the server pending again; returns how many there were.
  func returnInFlight() throws(StorageError) -> Int

  /// Texts whose outcome is still to come, oldest first.
  func openTexts() throws(StorageError) -> [OpenText]

  /// What the store knows of the texts before, for a start: the next number, what counts against the
  /// budgets of `modems` since `since`, and which numbers took a text of each lately.
  func startFacts(modems: [String], since: BootInstant) throws(StorageError) -> StartFacts

  /// Keeps something received, before the modem is told to delete it, and notes what a status report
  /// says at the text it is about. What the network hands over twice is kept once, and counted.
  func keep(_ entry: InboxEntry, at moment: Moment) throws(StorageError) -> KeepOutcome

  /// The PDUs of a long message in the order of its parts, once all are there; nil before.
  func completeParts(_ place: InboxPart) throws(StorageError) -> [String]?

  /// Makes a long message of its parts: the first bears the whole text, the others say so.
  func join(_ place: InboxPart, text: String) throws(StorageError)

  /// Gives up on parts that have waited for the others for too long, or that are too many; what
  /// there is of them stays readable.
  ///
  /// - Returns: how many there were.
  func giveUpParts(at moment: Moment) throws(StorageError) -> Int

  /// Removes the oldest messages beyond those that are kept.
  func trimInbox() throws(StorageError)

  /// Hands reports that came before the outcome of a text to it, now that the outcome is there.
  ///
  /// - Returns: each report with what it is about.
  func matchReports(
    ofTextBy modem: String, at moment: Moment
  ) throws(StorageError) -> [MatchedReport]

  /// Closes texts with an unknown outcome that never left, as the references of their modem show that
  /// was last heard of: where it is known to count them by one, and they run on around such a text
  /// without a gap. What such a text was for is due again.
  ///
  /// - Parameter amongAll: whether to look at all texts of the modem, as a report may have told of one
  ///   long ago; otherwise at those before its newest one, of which nobody looked so far.
  /// - Returns: each of them with the references between which there is no room for it.
  func textsThatNeverLeft(
    by modem: String, amongAll: Bool, at moment: Moment
  ) throws(StorageError) -> [TextThatNeverLeft]

  /// By what the outcome of a text was settled that nobody had known; nil where it was known.
  func settlingRule(of id: TextID) throws(StorageError) -> SettlingRule?

  /// Gives up on status reports that have fitted no text for too long: whatever has their reference
  /// later is another text.
  ///
  /// - Returns: how many there were.
  func giveUpReports(at moment: Moment) throws(StorageError) -> Int

  /// Closes texts of which no final report has come within `limit`: they count as expired, though a
  /// report that comes later still says more.
  ///
  /// - Parameter asksForReports: whether reports are asked for; texts of a time when they were not
  ///   are passed over.
  /// - Returns: the texts that expired, oldest first.
  func expireReports(
    after limit: Duration, asksForReports: Bool, at moment: Moment
  ) throws(StorageError) -> [TextID]
}

extension NodeStore {
  /// Records passages: each with its place in the queue, all in one transaction, on disk when this
  /// returns.
  ///
  /// - Returns: one outcome for each request, in order.
  /// - Throws: what is wrong with the store; then none of them is recorded.
  public func record(
    _ requests: [RecordRequest], at moment: Moment
  ) throws(StorageError) -> [RecordOutcome] {
    if let shortage { throw shortage }
    return try transaction { transaction throws(StorageError) in
      try transaction.record(requests, at: moment)
    }
  }

  /// The newest messages that came in, with reports and parts.
  public func inbox() throws(StorageError) -> [InboxMessage] {
    try inbox(limit: Limits.page, isWhole: true)
  }
}
