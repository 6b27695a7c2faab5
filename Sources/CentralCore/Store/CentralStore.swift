public import Passages
public import Storage
public import Time

/// Where the central keeps posts, segments, rangers, what came in, and the passages that came of it.
///
/// What a call has done is on disk, or with a server that has it on disk, when the call returns. Any
/// number of callers and processes may use one store at once: a service, and commands beside it. Between
/// them and the store there may be a network, so a call takes all of a batch.
public protocol CentralStore: JudgingStore {
  /// Keeps messages as they came, all or none of them; only then may whoever handed them over be told.
  /// The same identifier of the same provider is the same message: it is kept once, and counted.
  ///
  /// - Returns: What came of each, in their order.
  /// - Throws: `StorageError` of the kind `full` also while only the reserve is left that is needed for
  ///   what becomes of messages that are kept already.
  func keep(_ messages: [InboundMessage]) throws(StorageError) -> [InboxReceipt]

  /// Runs `body` in one transaction: all that it writes stands when this returns, and nothing of it when
  /// this throws. Such transactions of all callers come one after the other, while messages are kept
  /// beside them; where a store cannot promise that it runs `body` again, which must not mind.
  func transaction<Value: Sendable>(
    _ body: (any CentralTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value

  /// Puts posts, segments, rangers and numbers in, or changes those that are there, in one transaction, as a
  /// ``DirectoryPlan`` says. One that cannot be put in leaves the others alone.
  ///
  /// - Returns: What stood in the way of each; nil where nothing did.
  func put(_ entries: [DirectoryEntry]) throws(StorageError) -> [DirectoryRefusal?]

  /// What ``put(_:)`` would change of what was judged, tried in a transaction that is undone.
  ///
  /// - Parameter vehicles: How many are judged for it at most; nobody else writes meanwhile.
  func trial(
    _ entries: [DirectoryEntry], rules: JudgingRules, vehicles: Int, at wall: WallTime
  ) throws(StorageError) -> DirectoryTrial

  /// Every segment, by name.
  func segments() throws(StorageError) -> [Segment]

  /// Every post, by code.
  func posts() throws(StorageError) -> [Post]

  /// Every ranger, by number.
  func rangers() throws(StorageError) -> [Ranger]

  /// Where every ranger served, by number and then from the first to the last.
  func assignments() throws(StorageError) -> [RangerAssignment]

  /// Every further number that may speak for a post, or might, by number and post.
  func numbers() throws(StorageError) -> [SenderBinding]

  /// Messages of the inbox, newest first.
  func inbox(_ query: InboxQuery) throws(StorageError) -> [InboxItem]

  /// Notes that a person looked at messages which are no passage: they stay as they are, are kept as evidence, and wait
  /// no more. A store with an audit log notes it there.
  ///
  /// - Returns: How many these were.
  func dismiss(_ dismissal: InboxDismissal, at wall: WallTime) throws(StorageError) -> Int64

  /// The message of that number.
  func inboxItem(_ id: Int64) throws(StorageError) -> InboxItem?

  /// Recognised passages.
  func passages(_ query: PassageQuery) throws(StorageError) -> [StoredPassage]

  /// Rows of passages that cannot be read, by what names them.
  ///
  /// - Parameter id: Only those that come after it; nil for the first ones.
  func unreadable(after id: String?, limit: Int) throws(StorageError) -> [UnreadablePassage]

  /// The highest ``StoredPassage/arrival`` of all; 0 where there are none.
  func lastArrival() throws(StorageError) -> Int64

  /// What was refused to providers since the last text of each was taken, by path and reason.
  func webhookTallies() throws(StorageError) -> [WebhookTally]

  /// Keeps what was refused to providers, for each of these paths in place of what was kept of it before.
  func keep(_ tallies: [String: [WebhookTally]]) throws(StorageError)

  /// The store in numbers, at the cost of a few look-ups however many messages there are.
  func overview() throws(StorageError) -> CentralOverview

  /// Whether other services may work on the same store: what they leave undone is then looked for again and
  /// again, and what they changed counts here too.
  var isShared: Bool { get }

  /// Why nothing more can be kept, as far as that shows without writing; nil while there is room.
  var shortage: StorageError? { get }

  /// Proves that something can be written, down to the disk.
  ///
  /// - Throws: Why it cannot.
  func proveWritable() throws(StorageError)

  /// Saves what was confirmed and can no longer be found where the store was: it would end with this
  /// process.
  ///
  /// - Returns: Where it is; nil where there is nothing to save, as with a server.
  func saveCopy() throws(StorageError) -> String?

  /// Ends the use of the store.
  func close() throws(StorageError)
}

/// A store inside one transaction: what is read is what the decisions are made of, and what was decided
/// is written.
public protocol CentralTransaction: JudgingTransaction {
  /// Messages that nobody looked at yet, oldest first.
  func unprocessed(limit: Int) throws(StorageError) -> [InboxItem]

  /// Parts that wait and came in before a moment, or are older than the newest `count` that wait.
  func waitingParts(
    receivedBefore limit: WallTime, beyondNewest count: Int
  ) throws(StorageError) -> [InboxItem]

  /// All parts of the long messages of these keys that stand so.
  func parts(
    ofKeys keys: [String], states: [InboxItem.State]
  ) throws(StorageError) -> [InboxItem]

  /// The message of that number.
  func message(_ id: Int64) throws(StorageError) -> InboxItem?

  /// Messages that wait for an operator, oldest first; none that somebody dismissed.
  ///
  /// - Parameters:
  ///   - after: Only those with higher numbers.
  ///   - reason: Only those that were refused for this; nil for all.
  func refused(
    after: Int64, reason: String?, limit: Int
  ) throws(StorageError) -> [InboxItem]

  /// Every post.
  func posts() throws(StorageError) -> [Post]

  /// Every ranger, by number.
  func rangers() throws(StorageError) -> [Ranger]

  /// Every further number that may speak for a post, or might.
  func numbers() throws(StorageError) -> [SenderBinding]

  /// Writes down what became of messages, in their order. What they say of passages is taken by
  /// ``take(_:rules:at:)`` before.
  ///
  /// - Parameter repeated: The messages whose passage was known already.
  func apply(
    _ facts: [InboxFact], repeated: Set<Int64>, at wall: WallTime
  ) throws(StorageError)

  /// What a post told of itself last; nil when it never did.
  func heartbeat(of post: CheckpostCode) throws(StorageError) -> PostHeartbeat?

  /// Keeps what a post told of itself, in place of what it told before.
  func keep(_ heartbeat: PostHeartbeat) throws(StorageError)

  /// How much of what a post recorded is here, counted as the post does: two rangers who wrote one vehicle
  /// down are two, the same by text and by upload is one.
  func passages(of post: CheckpostCode) throws(StorageError) -> Int64

  /// Notes in the audit log what an operator did.
  func note(_ note: OperatorNote, at wall: WallTime) throws(StorageError)
}
