public import Passages
public import Storage
public import Time

/// What a store keeps of judgements, and what it does by the clock. A call takes all that it needs at once, so
/// that a server may do it by functions of its own.
public protocol JudgingStore: Sendable {
  /// The passages that identities lead to: that under which it came first, and every other one.
  ///
  /// - Returns: By identity; nothing of one that nothing came under.
  func passages(
    identifiedBy identities: [ClientID]
  ) throws(StorageError) -> [ClientID: StoredPassage]

  /// Violations, the newest exit first.
  func violations(_ query: ViolationQuery) throws(StorageError) -> [StoredViolation]

  /// All that a violation rests on; nil where there is none of that name.
  func violation(_ uuid: ClientID) throws(StorageError) -> ViolationEvidence?

  /// Alerts of vehicles that have been inside for too long, the one that was due last first.
  func alerts(_ query: AlertQuery) throws(StorageError) -> [StoredAlert]

  /// Does what the clock asks for: tells of vehicles that ought to have left, ends what was waited for long
  /// enough, makes violations final of posts that do not report. In one transaction and a bounded amount of
  /// it; what is due then stands in ``ClockDuties/next``. Of several processes one does it at a time.
  func clock(rules: JudgingRules, at wall: WallTime) throws(StorageError) -> ClockDuties

  /// Judges some more vehicles again where the directory or the numbers changed since, in one transaction.
  /// What is left to do is kept with the store, so that it is done in any case: ask until
  /// ``Rejudged/isDone``.
  ///
  /// - Parameters:
  ///   - everything: Begins anew with all vehicles, whatever was judged by; then ask on without it.
  ///   - limit: Vehicles at most.
  func rejudge(
    rules: JudgingRules, everything: Bool, limit: Int, at wall: WallTime
  ) throws(StorageError) -> Rejudged

  /// Notes that a person looked at a violation and says that it is so.
  ///
  /// The first who says so of what was found is told with the violation; everybody who does is noted with it, and
  /// in the audit log. Of one that was retracted after it had been final, it is noted that somebody has seen that.
  ///
  /// - Parameters:
  ///   - author: Who did.
  ///   - actor: The user of the machine, for the audit log.
  /// - Returns: The violation; nil where none of that name stands, and none is to be seen.
  func confirm(
    _ uuid: ClientID, by author: String?, actor: String?, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> StoredViolation?

  /// Records what came of a violation that stands, where nothing was recorded yet; and that in the audit log.
  ///
  /// - Parameter actor: The user of the machine, for the audit log.
  func record(
    _ outcome: ViolationOutcome, of uuid: ClientID, actor: String?
  ) throws(StorageError) -> OutcomeReceipt
}

extension JudgingStore {
  /// Notes that a person looked at a violation and says that it is so; it is not known at which machine.
  public func confirm(
    _ uuid: ClientID, by author: String?, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> StoredViolation? {
    try confirm(uuid, by: author, actor: nil, rules: rules, at: wall)
  }
}

/// What a store judges inside a transaction.
public protocol JudgingTransaction {
  /// Takes reports of passages and corrections of them in their order, and judges once all vehicles that they
  /// concern. What was received is kept as it came and never changed: the same passage under any identity is
  /// recognised, what a report adds to it is added, and what contradicts is noted. What stands afterwards is
  /// what the whole set of all that ever came gives, in whichever order and batches it came.
  ///
  /// - Returns: What came of each, and what the judgement changed.
  func take(
    _ arrivals: [PassageArrival], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> TakenArrivals

  /// Takes a post's word that all it recorded before a second is here; see ``PostMark``. Violations that
  /// nothing can change any more are final then.
  ///
  /// - Parameter way: How it said so.
  func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime, by way: ReportingWay,
    rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> JudgedChanges
}

extension JudgingTransaction {
  /// Takes the word of a post's text.
  public func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime, rules: JudgingRules,
    at wall: WallTime
  ) throws(StorageError) -> JudgedChanges {
    try report(
      post, through: second, receivedAt: receivedAt, by: .text, rules: rules, at: wall)
  }
}
