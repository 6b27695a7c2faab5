public import CentralCore
public import Passages
import PostgreSQL
public import Storage
public import Time

/// What was judged.
extension PostgreSQLCentralStore {
  /// Recognised passages by their rows.
  public func passages(_ query: PassageQuery) throws(StorageError) -> [StoredPassage] {
    throw notYet
  }

  /// The passages that identities lead to.
  public func passages(
    identifiedBy identities: [ClientID]
  ) throws(StorageError) -> [ClientID: StoredPassage] {
    throw notYet
  }

  /// Violations, the newest exit first.
  public func violations(_ query: ViolationQuery) throws(StorageError) -> [StoredViolation] {
    throw notYet
  }

  /// All that a violation rests on.
  public func violation(_ uuid: ClientID) throws(StorageError) -> ViolationEvidence? {
    throw notYet
  }

  /// Alerts, the one that was due last first.
  public func alerts(_ query: AlertQuery) throws(StorageError) -> [StoredAlert] {
    throw notYet
  }

  /// Does what the clock asks for.
  public func clock(rules: JudgingRules, at wall: WallTime) throws(StorageError) -> ClockDuties {
    throw notYet
  }

  /// Judges some more vehicles again.
  public func rejudge(
    rules: JudgingRules, everything: Bool, limit: Int, at wall: WallTime
  ) throws(StorageError) -> Rejudged {
    throw notYet
  }

  /// Notes that a person says that a violation is so.
  public func confirm(
    _ uuid: ClientID, by author: String?, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> StoredViolation? {
    throw notYet
  }

  private var notYet: StorageError {
    StorageError(.failed, of: place, problem: "judging is not there yet", remedy: "Wait for it")
  }
}

extension PostgreSQLTransaction {
  func take(
    _ arrivals: [PassageArrival], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> TakenArrivals {
    let receipts = try connection.run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).take(arrivals, at: wall)
    }
    return TakenArrivals(receipts: receipts, changes: JudgedChanges())
  }

  func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime, rules: JudgingRules,
    at wall: WallTime
  ) throws(StorageError) -> JudgedChanges {
    try connection.run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).report(post, through: second, receivedAt: receivedAt)
    }
    return JudgedChanges()
  }
}
