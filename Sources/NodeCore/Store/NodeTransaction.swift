public import GSM
public import Passages
public import Storage
public import Time

/// A store inside one transaction; it must not be used after that.
public protocol NodeTransaction: ReportFacts {
  /// The most urgent passage that is due for a text at `now`, and of those the oldest; or when the
  /// first one will be. Passages with a text on its way, texted, parked or synced ones are never due.
  func chooseDue(at now: BootInstant) throws(StorageError) -> DueAnswer

  /// The same among passages to central that the server was handed and has not taken for `after`, each by
  /// itself.
  func chooseUntaken(for after: Duration, at now: BootInstant) throws(StorageError) -> DueAnswer

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

  /// What is due to be uploaded at `now`; what waits for a later moment is passed over.
  func dueUploads(_ query: UploadQuery, at now: BootInstant) throws(StorageError) -> UploadAnswer

  /// Changes where something stands on its way to the server. A change that the rules do not have is
  /// refused.
  func apply(_ change: UploadChange, at moment: Moment) throws(StorageError)

  /// A passage by its place in the queue; nil when there is none.
  func passage(_ queueID: Int64) throws(StorageError) -> Passage?

  /// Whether something of a passage may have left: the server was asked to take it and did not refuse it for
  /// good, or a text of it is or may be on air.
  func hasLeft(_ queueID: Int64) throws(StorageError) -> Bool

  /// The passage that has or had the identity of this one here, if that is another one than `queueID`.
  func holder(
    of passage: Passage, besides queueID: Int64
  ) throws(StorageError) -> ClientID?

  /// Puts a passage in the place of one of which nothing has left; the identity before stays known, and what
  /// waited for its time waits no longer. Once something has left, this is refused.
  func replace(
    _ queueID: Int64, with passage: Passage, at moment: Moment
  ) throws(StorageError)

  /// Lets a correction go behind a passage; one before it that has not left takes its values.
  func queue(
    _ correction: PlateCorrection, behind queueID: Int64, at moment: Moment
  ) throws(StorageError)

  /// The passages that got another plate or another time since this was last asked for, oldest first.
  func takeChanged() throws(StorageError) -> [ChangedPassage]

  /// Withdraws a passage: no text of it is due any more. The server is told behind it, or nothing of it goes
  /// there at all.
  func withdraw(
    _ queueID: Int64, reason: String, tellsServer: Bool, at moment: Moment
  ) throws(StorageError)

  /// Records a passage in place of another one, of which a text has left; it is as urgent, and known by the
  /// same clock.
  func record(
    _ passage: Passage, inPlaceOf queueID: Int64, at moment: Moment
  ) throws(StorageError) -> RecordOutcome

  /// Passages without a time of their own that nobody handed on, oldest first.
  func undated(limit: Int) throws(StorageError) -> [UndatedPassage]

  /// What this machine's clock was seen to show.
  func clockHistory() throws(StorageError) -> ClockHistory

  /// Keeps what this machine's clock was seen to show.
  func keep(_ history: ClockHistory) throws(StorageError)

  /// Passages of this start whose time was read from this machine's clock while nobody kept it, and lies
  /// further than `tolerance` from what the time was then, youngest first.
  func misdated(
    by time: KnownTime, tolerance: Duration, limit: Int
  ) throws(StorageError) -> [MisdatedPassage]

  /// Notes of a passage how many seconds the clock was ahead, and by what its time is known; nil leaves that.
  func noteClock(
    _ queueID: Int64, source: ClockSource?, ahead: Int64?
  ) throws(StorageError)

  /// Notes that somebody vouches for this machine's clock: for the times of this start that nobody kept and
  /// that are within `tolerance` of theirs. What left with a wrong time is not vouched for.
  func vouch(_ time: KnownTime, tolerance: Duration) throws(StorageError)

  /// Notes that this machine's clock was set in this start, and that nobody vouches for it: which of both times
  /// is that of its battery, nobody knows.
  func doubtBattery() throws(StorageError)

  /// Notes that a passage has the time that a person gave it, whatever its clock showed.
  func forgetClock(_ queueID: Int64) throws(StorageError)

  /// Bytes that the database and the photographs in its queue take; room that was freed in the database
  /// does not count.
  func usedBytes() throws(StorageError) -> Int64

  /// Bytes of the database that hold nothing: what is recorded takes them before the file grows.
  func freedBytes() throws(StorageError) -> Int64

  /// Gives up photographs that the server has, those of the oldest passages first; returns the names of their
  /// files, which nothing needs any more. Their passages stay.
  func dropPhotos(limit: Int, at moment: Moment) throws(StorageError) -> [String]

  /// Removes passages that the server has, the oldest first; see ``NodeStore/prune(syncedBefore:limit:at:)``.
  func prune(
    syncedBefore time: BootInstant?, limit: Int, at moment: Moment
  ) throws(StorageError) -> Pruned

  /// Decides a conflict; false when there is none that waits for it.
  func resolve(
    _ queueID: Int64, as resolution: ConflictResolution, at moment: Moment
  ) throws(StorageError) -> Bool

  /// What the node knows of its server and its line.
  func memory() throws(StorageError) -> NodeMemory

  /// Keeps what the node knows of its server and its line, in place of what it knew.
  func remember(_ memory: NodeMemory) throws(StorageError)

  /// Up to when everything that was recorded here is on the server, by the passages' own time; nil when
  /// nothing waits.
  func syncedThrough() throws(StorageError) -> WallTime?

  /// What the server is told of how far this post is: up to when all is there but what it counts, by the
  /// passages' own time, and how many are not there.
  func syncMark(at moment: Moment) throws(StorageError) -> SyncStanding

  /// Keeps passages of the opposite post; one that is known already is replaced.
  func keep(_ passages: [RemotePassage], at moment: Moment) throws(StorageError)

  /// Passages of the opposite post of that plate, compact, oldest first.
  func remotePassages(plate: String) throws(StorageError) -> [RemotePassage]

  /// All passages of the opposite post that are known, oldest first by their own time, at most `limit`.
  func remotePassages(limit: Int) throws(StorageError) -> [RemotePassage]

  /// Forgets passages of the opposite post: they are matched, or gone from the server.
  func forgetRemote(_ identities: [ClientID]) throws(StorageError)

  /// Forgets passages of the opposite post from before a moment, and the oldest beyond `most`.
  func forgetRemote(before: WallTime, most: Int) throws(StorageError)

  /// Passages of this post of that plate, compact, recorded at or after a moment, oldest first.
  func ownPassages(plate: String, since: WallTime) throws(StorageError) -> [Passage]

  /// Passages that wait for a text and are not given up.
  func waiting() throws(StorageError) -> Int

  /// What a heartbeat has to say. Where everything is on the server, that is so up to now.
  func heartbeatFacts(at moment: Moment) throws(StorageError) -> HeartbeatFacts

  /// The time after which a passage is texted, as the store last heard of it; nil before.
  func fallbackAfter() throws(StorageError) -> Duration?

  /// Takes over the time after which a passage is texted: those that wait for their first text follow.
  func changeFallback(to after: Duration) throws(StorageError)

  /// Whom a passage that is recorded from now on is texted to besides the centre, in this order. What
  /// waits for anybody else is let go.
  func setOthers(_ others: [TextRecipient]) throws(StorageError)

  /// Writes down that the clock has come to `time`, so that a power cut takes at most the time since
  /// then from the ages of the passages. A passage that is recorded does the same.
  ///
  /// - Parameter seen: what the wall clock showed last while it was not known to be wrong, which is kept with it; nil
  ///   where nothing is new. The rest of a ``ClockHistory`` is kept by `keep(_:)`.
  func keepTime(_ time: BootInstant, seen: Moment?) throws(StorageError)

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

  /// Withdraws an operator's text that waits; false when it does not, or there is none with this number.
  func withdrawText(_ id: TextID, at moment: Moment) throws(StorageError) -> Bool

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

/// How far a post is with its server.
public struct SyncStanding: Hashable, Sendable {
  /// Up to when everything is there that is not among ``waiting``; nil while nothing but refused passages
  /// waits, so that it is so up to now.
  public var through: WallTime?
  /// Passages that are not on the server and that nobody handed on, those among them that it refused.
  public var waiting: Int
  /// How many seconds the times of what was recorded lately may be wrong; nil where nothing is known against them.
  public var clockDoubt: Int64?

  /// A standing.
  public init(through: WallTime?, waiting: Int, clockDoubt: Int64? = nil) {
    self.through = through
    self.waiting = waiting
    self.clockDoubt = clockDoubt
  }
}

extension NodeTransaction {
  /// Keeps that the clock has come so far, and nothing of the wall clock.
  public func keepTime(_ time: BootInstant) throws(StorageError) { try keepTime(time, seen: nil) }
}
