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

  /// What the wall clock shows at a moment of the node's clock, as far as it can be told now.
  public func wall(at instant: BootInstant) -> WallTime { wall - (boot - instant) }
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

  /// Bytes that are free where it lies; nil when that cannot be told, or does not matter.
  var freeBytes: Int64? { get }

  /// Whether space is held back for a disk that is full; nil where none is to be. A transaction that finds
  /// no room gives it up, and is tried again.
  var hasBallast: Bool? { get }

  /// Holds back that space again, once enough is free; whether it is held from now on, and was not before.
  func restoreBallast() -> Bool

  /// Runs `body` in one transaction that is on disk when this returns, and undone when it throws.
  func transaction<Value>(
    _ body: (any NodeTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value

  /// Saves all that the store holds where it can be found again, also when the store itself was taken
  /// away; returns the name of that place.
  func saveCopy() throws(StorageError) -> String

  /// Passages with where they stand, oldest first unless the query says otherwise.
  func list(_ query: QueueQuery) throws(StorageError) -> [QueueItem]

  /// One passage by its place in the queue.
  func item(_ queueID: Int64) throws(StorageError) -> QueueItem?

  /// One passage by its identity, or by the identity of its V1 text.
  func item(_ client: ClientID) throws(StorageError) -> QueueItem?

  /// Passages whose identity begins with these characters of one, in small letters; two at most, which
  /// is enough to know that it names none alone.
  func items(beginning prefix: String) throws(StorageError) -> [QueueItem]

  /// The texts of one passage, oldest first; with nil the operators' own texts.
  func texts(of queueID: Int64?) throws(StorageError) -> [TextRecord]

  /// Operators' texts, newest first: those that wait, and those that were begun or given up.
  ///
  /// - Parameter onlyWaiting: only those that wait for a modem.
  func keptTexts(limit: Int, onlyWaiting: Bool) throws(StorageError) -> [KeptTextRecord]

  /// Who gets a passage as a text, with where each delivery stands: the centre first, then the others in
  /// the order in which it goes to them. Empty when there is no such passage.
  func textDeliveries(of queueID: Int64) throws(StorageError) -> [TextDeliveryRecord]

  /// What goes to the server for a passage, with where each stands: the passage first, then what hangs on
  /// it, oldest first. Empty when there is no such passage.
  func uploads(of queueID: Int64) throws(StorageError) -> [UploadRecord]

  /// What the server has otherwise than it was recorded here, newest first.
  ///
  /// - Parameter onlyOpen: only those that wait for a person.
  func conflicts(limit: Int, onlyOpen: Bool) throws(StorageError) -> [ConflictRecord]

  /// What came in, newest first.
  ///
  /// - Parameter isWhole: whether status reports and the parts that have become a whole text are
  ///   among it.
  func inbox(limit: Int, isWhole: Bool) throws(StorageError) -> [InboxMessage]

  /// Which of these names of photographs belong to passages.
  func knownPhotos(among names: [String]) throws(StorageError) -> Set<String>

  /// Of which passages behind a place in the queue the photograph is not kept, and why; those of a page.
  func photosLeftOut(after queueID: Int64) throws(StorageError) -> [Int64: String]

  /// The store in numbers, at the cost of a few look-ups however many passages there are.
  func overview(at now: BootInstant) throws(StorageError) -> StoreOverview

  /// The moment of the machine's boot clock at which the node's clock showed `time`, in whichever start
  /// of the machine that was; nil for times before the first start that is known.
  func bootMoment(of time: BootInstant) throws(StorageError) -> BootMoment?
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
    let shortage = shortage
    return try transaction { transaction throws(StorageError) in
      // Passages that were removed left room in the file that nothing else can take.
      if let shortage, try transaction.freedBytes() < Limits.freedForPassages { throw shortage }
      return try transaction.recordByClock(requests, at: moment).outcomes
    }
  }

  /// The newest messages that came in, with reports and parts.
  public func inbox() throws(StorageError) -> [InboxMessage] {
    try inbox(limit: Limits.page, isWhole: true)
  }
}
