public import CentralCore
public import Passages
import PostgreSQL
public import Storage
public import Time

/// What was judged. By which numbers it is judged the database says, so that all who share it judge alike: what
/// ``rejudge(rules:everything:limit:at:)`` is handed is put in.
extension PostgreSQLCentralStore {
  /// Recognised passages.
  public func passages(_ query: PassageQuery) throws(StorageError) -> [StoredPassage] {
    try run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).passages(query)
    }
  }

  /// Rows of the deployed table that cannot be read, by what names them.
  public func unreadable(after id: String?, limit: Int) throws(StorageError) -> [UnreadablePassage]
  {
    try run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).unreadable(after: id, limit: limit)
    }
  }

  /// The place of the last one in the order in which passages first came.
  public func lastArrival() throws(StorageError) -> Int64 {
    try run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).lastArrival()
    }
  }

  /// The passages that identities lead to.
  public func passages(
    identifiedBy identities: [ClientID]
  ) throws(StorageError) -> [ClientID: StoredPassage] {
    try readAll { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).passages(identifiedBy: identities)
    }
  }

  /// Violations, the newest exit first.
  public func violations(_ query: ViolationQuery) throws(StorageError) -> [StoredViolation] {
    try run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).violations(query)
    }
  }

  /// All that a violation rests on.
  public func violation(_ uuid: ClientID) throws(StorageError) -> ViolationEvidence? {
    try readAll { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).violation(uuid)
    }
  }

  /// Alerts, the one that was due last first.
  public func alerts(_ query: AlertQuery) throws(StorageError) -> [StoredAlert] {
    try run { connection throws(PostgreSQLError) in try JudgingDatabase(connection).alerts(query) }
  }

  /// Does what the clock asks for, and tells what rows of other programs caused. Of several processes one does it at
  /// a time, by a lock that lasts as long as one call: whoever dies leaves it to the next that asks.
  public func clock(rules: JudgingRules, at wall: WallTime) throws(StorageError) -> ClockDuties {
    let duties = try write { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).clock(at: wall)
    }
    // What changed is told once, whatever comes of this; should it fail the next call does it.
    _ = try? gatherCounts()
    return duties
  }

  /// Judges some more vehicles again.
  public func rejudge(
    rules: JudgingRules, everything: Bool, limit: Int, at wall: WallTime
  ) throws(StorageError) -> Rejudged {
    try write { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).rejudge(
        rules: rules, everything: everything, limit: limit, at: wall)
    }
  }

  /// Notes that a person says that a violation is so.
  public func confirm(
    _ uuid: ClientID, by author: String?, actor: String?, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> StoredViolation? {
    try write { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).confirm(uuid, by: author, actor: actor, at: wall)
    }
  }

  /// Records what came of a violation.
  public func record(
    _ outcome: ViolationOutcome, of uuid: ClientID, actor: String?
  ) throws(StorageError) -> OutcomeReceipt {
    try write { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).record(outcome, of: uuid, actor: actor)
    }
  }
}

extension PostgreSQLTransaction {
  func take(
    _ arrivals: [PassageArrival], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> TakenArrivals {
    try connection.run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).take(arrivals, at: wall)
    }
  }

  func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime, by way: ReportingWay,
    rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> JudgedChanges {
    try connection.run { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).report(
        post, through: second, receivedAt: receivedAt, by: way, at: wall)
    }
  }
}
