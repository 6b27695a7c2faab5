public import Passages
public import Storage
public import Time

/// The rows that judging works on, one by one, inside a transaction. A store that has them and keeps to this
/// judges with what this module says of it; one that judges by functions of its own needs none of it.
///
/// All that is asked for is found by an index, however much there is.
public protocol JudgingRows: JudgingTransaction {
  // MARK: Records

  /// The record that has an identity.
  func record(identifiedBy clientID: ClientID) throws(StorageError) -> JudgedRecord?

  /// The record that was received with this content.
  func record(received key: ContentKey) throws(StorageError) -> JudgedRecord?

  /// Records of a vehicle as they are corrected, without those that were set aside; nil for those at all posts,
  /// at all times.
  func records(
    of plate: String, at posts: [CheckpostCode]?, in seconds: ClosedRange<Int64>?
  ) throws(StorageError) -> [JudgedRecord]

  /// Plates of records in their order.
  ///
  /// - Parameters:
  ///   - after: Only those that come after it.
  ///   - posts: Only those with a record at one of these; nil for all.
  func plates(
    after: String, at posts: [CheckpostCode]?, limit: Int
  ) throws(StorageError) -> [String]

  /// Makes a record, under no row yet, with its first report and that identity.
  ///
  /// - Parameter uuid: What names it for others.
  /// - Returns: Its number, which is higher than that of all before.
  func insert(
    _ observation: Observation, from origin: PassageArrival.Origin, uuid: ClientID,
    at wall: WallTime
  ) throws(StorageError) -> Int64

  /// Adds a report to a record.
  func insert(
    _ observation: Observation, from origin: PassageArrival.Origin, into record: Int64,
    at wall: WallTime
  ) throws(StorageError)

  /// Notes that a report came earlier than was known.
  func replace(
    _ known: Observation, with earlier: Observation, from origin: PassageArrival.Origin,
    in record: Int64
  ) throws(StorageError)

  /// Gives a record another identity.
  func link(_ clientID: ClientID, to record: Int64) throws(StorageError)

  /// Whether something else has this name or identity.
  func isTaken(_ uuid: ClientID) throws(StorageError) -> Bool

  /// Counts something that belongs to a record.
  func count(_ record: Int64, at wall: WallTime) throws(StorageError)

  /// Notes that something else came under an identity of a record.
  func contradict(_ record: Int64) throws(StorageError)

  /// Adds a correction to a record, which is at that place then.
  func insert(
    _ correction: ReceivedCorrection, into record: Int64, place: ContentKey, at wall: WallTime
  ) throws(StorageError)

  /// Keeps a correction whose passage did not come yet.
  ///
  /// - Returns: Whether it is a new one.
  func keepEarly(
    _ correction: ReceivedCorrection, at wall: WallTime
  ) throws(StorageError) -> Bool

  /// Corrections that came before their passage, which wait no more.
  func takeEarly(of clientID: ClientID) throws(StorageError) -> [ReceivedCorrection]

  /// The second before which nothing is taken any more, because what was there may be dropped; nil while
  /// nothing was.
  func keptSince() throws(StorageError) -> Int64?

  // MARK: What stands

  /// Puts records under rows.
  func move(_ moves: [PassageRecognition.Move]) throws(StorageError)

  /// Pairs of which one row is among these.
  func pairs(of rows: [Int64]) throws(StorageError) -> [PassagePair]

  /// Makes and undoes pairs; those that are undone first.
  func write(parted: [PassagePair], paired: [PassagePair]) throws(StorageError)

  /// Writes what is known of passages, in place of what stands under their rows.
  func write(_ passages: [StandingPassage]) throws(StorageError)

  /// Takes away rows that are part of another passage now.
  func remove(passages rows: [Int64]) throws(StorageError)

  /// What a row is called; nil where there is no record of that number.
  func name(of record: Int64) throws(StorageError) -> PassageName?

  /// Violations of these entries, the retracted ones too.
  func violations(of entries: [Int64]) throws(StorageError) -> [StandingViolation]

  /// The violation of that name.
  func standing(_ uuid: ClientID) throws(StorageError) -> StandingViolation?

  /// Writes a violation down, in place of that of the same entry.
  func write(_ violation: OpenViolation) throws(StorageError)

  /// Who confirmed a violation.
  func write(confirmationOf entry: Int64, by author: String?) throws(StorageError)

  /// What happened to a violation beside its revisions, in that order.
  func notes(of entry: Int64) throws(StorageError) -> [ViolationNote]

  /// The revisions of a violation, from the first to the last.
  func revisions(of entry: Int64) throws(StorageError) -> [ViolationRevision]

  /// Notes what happened to a violation, which is never changed.
  func write(_ note: ViolationNote, of entry: Int64) throws(StorageError)

  /// Writes revisions down, which are never changed.
  func write(_ revisions: [ViolationRevision]) throws(StorageError)

  /// Notes in the audit log what an operator did.
  func note(_ note: OperatorNote, at wall: WallTime) throws(StorageError)

  // MARK: Time

  /// Entries that wait, of these rows.
  func waiting(of rows: [Int64]) throws(StorageError) -> [WaitingEntry]

  /// Writes entries down that wait, each with the second at which it is to be looked at.
  func write(_ waiting: [AwaitedEntry]) throws(StorageError)

  /// Forgets entries that wait no more.
  func remove(waiting rows: [Int64]) throws(StorageError)

  /// Entries that are to be looked at by a second, the first ones first.
  func waiting(dueBy second: Int64, limit: Int) throws(StorageError) -> [WaitingEntry]

  /// Entries that wait for a post, were told, and were due in these seconds.
  func waiting(
    for post: CheckpostCode, dueIn seconds: Range<Int64>
  ) throws(StorageError) -> [WaitingEntry]

  /// Alerts of these entries, the ended ones too.
  func alerts(of entries: [Int64]) throws(StorageError) -> [OverdueAlert]

  /// Writes alerts down, in place of those of the same entries.
  func write(_ alerts: [OverdueAlert]) throws(StorageError)

  /// Violations that become final by a moment although a post does not report.
  func violations(
    unreportedBy wall: WallTime, limit: Int
  ) throws(StorageError) -> [StandingViolation]

  /// Violations that wait for a post to report past one of these seconds.
  ///
  /// - Parameter others: The posts that are judged together with it. A violation between two of these waits for it as
  ///   well, up to the latest second of its exit.
  func violations(
    awaiting post: CheckpostCode, besides others: [CheckpostCode], in seconds: Range<Int64>
  ) throws(StorageError) -> [StandingViolation]

  /// When the clock has something to do next.
  func nextDuty() throws(StorageError) -> WallTime?

  // MARK: Directory and reports

  /// The segments that these posts are an end of, with both ends, and those that hang together with these by their
  /// posts; nil for those of all posts.
  func routes(of posts: Set<CheckpostCode>?) throws(StorageError) -> [Route]

  /// The segments under which the passages of each of these posts are told.
  func segments(
    of posts: Set<CheckpostCode>
  ) throws(StorageError) -> [CheckpostCode: ShownSegments]

  /// Before which second all of these posts is here, of those that reported.
  func reports(of posts: Set<CheckpostCode>) throws(StorageError) -> [CheckpostCode: Int64]

  /// What a post said last, on each way.
  func marks(of post: CheckpostCode) throws(StorageError) -> [ReportingWay: PostMark]

  /// Keeps what a post said last on a way.
  func write(
    _ mark: PostMark, of post: CheckpostCode, by way: ReportingWay
  ) throws(StorageError)

  /// Keeps what a post reported, by whichever way goes furthest.
  func write(report post: CheckpostCode, through second: Int64) throws(StorageError)

  /// What was judged by, and what has to be judged again.
  func rejudging() throws(StorageError) -> RejudgingState

  /// Keeps what was judged by, and what has to be judged again.
  func write(_ state: RejudgingState) throws(StorageError)
}
