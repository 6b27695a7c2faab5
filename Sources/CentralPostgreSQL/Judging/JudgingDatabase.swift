public import CentralCore
public import Passages
public import PostgreSQL
public import Time

/// The centre's judging in PostgreSQL: what the service hands in, what the clock asks for, and what stands.
/// Everything is decided in the database, so that a row that comes any other way is treated alike.
public struct JudgingDatabase {
  let connection: PostgreSQLConnection

  /// The judging in a database into which ``Migration`` has written it.
  public init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  /// Takes reports and corrections in one transaction, and judges once. By which numbers it is judged, the
  /// database says: ``rejudge(rules:everything:limit:at:)`` puts others in.
  ///
  /// - Parameter now: The wall clock.
  /// - Returns: What came of each, in their order, and what changed.
  @discardableResult
  public func take(
    _ arrivals: [PassageArrival], at now: WallTime
  ) throws(PostgreSQLError) -> TakenArrivals {
    guard !arrivals.isEmpty else { return TakenArrivals() }
    let result = try connection.query(
      JudgingDatabase.takeStatement, JudgingDatabase.values(of: arrivals) + [.time(now)])
    var receipts: [ArrivalReceipt] = []
    var changes = ChangeList()
    for row in result.rows {
      if try row.optional("place", .integer) != nil {
        receipts.append(try JudgingDatabase.receipt(row))
      } else {
        try changes.add(row)
      }
    }
    return TakenArrivals(receipts: receipts, changes: try told(changes))
  }

  private static func receipt(_ row: PostgreSQLRow) throws(PostgreSQLError) -> ArrivalReceipt {
    let record = try row.optional("record", .integer)
    let outcome: ArrivalReceipt.Outcome
    switch (try row.value("reception", .text), record) {
    case ("new", _): outcome = .report(.new)
    case ("known", let record?): outcome = .report(.known(record))
    case ("alias", let record?): outcome = .report(.alias(of: record))
    case ("contradiction", let record?): outcome = .report(.contradiction(of: record))
    case ("correction", _): outcome = .correction
    case ("early", _): outcome = .early
    case ("expired", _): outcome = .expired
    default:
      throw .misused(reason: "the schema knows a reception that this program does not")
    }
    return ArrivalReceipt(
      outcome, record: record, passage: try name(row), isNews: try row.value("is_news", .bool))
  }

  private static func name(_ row: PostgreSQLRow) throws(PostgreSQLError) -> PassageName? {
    guard let number = try row.optional("row_number", .integer),
      let uuid = ClientID(try row.value("passage", .text)),
      let client = ClientID(try row.value("client", .text))
    else { return nil }
    return PassageName(row: number, uuid: uuid, clientID: client)
  }

  /// A post has handed in all that it recorded before a second.
  ///
  /// - Returns: What that settled.
  @discardableResult
  public func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime,
    by way: ReportingWay = .text, at now: WallTime
  ) throws(PostgreSQLError) -> JudgedChanges {
    try told(
      try ChangeList(
        try connection.query(
          "SELECT kind, entry, other FROM checkpost.report($1, $2, $3, $4, $5)",
          [
            .text(post.code), .integer(second), .time(receivedAt), .time(now),
            .text(way.rawValue),
          ])))
  }

  /// Posts have handed in all that they recorded, as their devices said over HTTP.
  ///
  /// - Parameter users: Whose posts; nil for all.
  /// - Returns: What that settled.
  func reportDevices(of users: [String]?, at now: WallTime) throws(PostgreSQLError) -> JudgedChanges
  {
    try told(
      try ChangeList(
        try connection.query(
          "SELECT kind, entry, other FROM checkpost.report_devices($1::uuid[], $2)",
          [users.map { .texts($0) } ?? .null, .time(now)])))
  }

  /// Notes that a person looked at a violation and says that it is so.
  ///
  /// - Parameters:
  ///   - name: What names the violation.
  ///   - author: Who it was, when known.
  ///   - actor: The user of the machine, for the audit log.
  /// - Returns: The violation as it is then; nil where none of that name stands.
  public func confirm(
    _ name: ClientID, by author: String? = nil, actor: String? = nil, at now: WallTime
  ) throws(PostgreSQLError) -> StoredViolation? {
    let done = try connection.query(
      "SELECT entry FROM checkpost.confirm($1::uuid, $2, $3, $4) WHERE kind = 'confirmed'",
      [.text(name.description), .text(author), .text(actor), .time(now)])
    guard let entry = try done.rows.first?.value("entry", .integer) else { return nil }
    var query = ViolationQuery()
    query.standing = .all
    query.entries = [entry]
    return try violations(query).first
  }

  /// Does what the clock asks for: alerts, expiry, finality, and what rows of other programs caused is told.
  /// Of several who ask one does it, and to the others it is said when to ask again.
  ///
  /// - Parameter limit: Of each kind at most.
  public func clock(
    limit: Int = CentralCore.Limits.dutiesAtOnce, at now: WallTime
  ) throws(PostgreSQLError) -> ClockDuties {
    let result = try connection.query(
      "SELECT kind, entry, other, next_at FROM checkpost.clock($1, $2)",
      [.integer(Int64(limit)), .time(now)])
    var changes = ChangeList()
    var next: WallTime?
    for row in result.rows {
      switch try row.value("kind", .text) {
      case "next": next = try row.optional("next_at", .time)
      case "busy": next = now + Limits.busyClock
      case _: try changes.add(row)
      }
    }
    return ClockDuties(changes: try told(changes), next: next)
  }

  /// Judges some more vehicles again where the directory or the numbers changed since.
  ///
  /// - Parameters:
  ///   - everything: Begins anew with all vehicles.
  ///   - limit: Vehicles at most.
  public func rejudge(
    rules: JudgingRules, everything: Bool = false, limit: Int, at now: WallTime
  ) throws(PostgreSQLError) -> Rejudged {
    let windows = rules.pairingWindows.sorted { $0.key < $1.key }
    let result = try connection.query(
      """
      SELECT kind, entry, other, is_done
      FROM checkpost.rejudge($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        .integer(rules.rangerWindow), .integer(rules.pairingWindow), .integer(rules.longStay),
        .integer(rules.provisionalFor), .integer(rules.fastest), .texts(windows.map(\.key)),
        .integers(windows.map(\.value)), .bool(everything), .integer(Int64(limit)), .time(now),
      ])
    return try rejudged(result)
  }

  /// The same by the numbers that the database has.
  func rejudge(limit: Int, at now: WallTime) throws(PostgreSQLError) -> Rejudged {
    try rejudged(
      try connection.query(
        """
        SELECT r.kind, r.entry, r.other, r.is_done FROM checkpost.settings s,
          checkpost.rejudge(s.ranger_window, s.pairing_window, s.long_stay, s.provisional_for, s.fastest,
            ARRAY(SELECT w.segment FROM checkpost.pairing_windows w ORDER BY w.segment),
            ARRAY(SELECT w.seconds FROM checkpost.pairing_windows w ORDER BY w.segment), false, $1, $2) AS r
        """, [.integer(Int64(limit)), .time(now)]))
  }

  private func rejudged(_ result: PostgreSQLResult) throws(PostgreSQLError) -> Rejudged {
    var changes = ChangeList()
    var step = Rejudged(isDone: true)
    for row in result.rows {
      guard try row.value("kind", .text) == "step" else {
        try changes.add(row)
        continue
      }
      step.vehicles = Int(try row.value("entry", .integer))
      step.records = Int(try row.value("other", .integer))
      step.isDone = try row.value("is_done", .bool)
    }
    step.changes = try told(changes)
    return step
  }
}
