public import CentralCore
public import Passages
public import PostgreSQL
public import Time

/// The centre's judging in PostgreSQL: what the service hands in, and what the clock asks for. Everything is
/// decided in the database, so that a row that comes any other way is treated alike.
public struct JudgingDatabase {
  private let connection: PostgreSQLConnection

  /// The judging in a database into which ``Migration`` has written it.
  public init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  /// Takes reports and corrections in one transaction, and judges once.
  ///
  /// - Parameter now: The wall clock.
  /// - Returns: What came of each, in their order.
  @discardableResult
  public func take(
    _ arrivals: [PassageArrival], at now: WallTime
  ) throws(PostgreSQLError) -> [ArrivalReceipt] {
    let result = try connection.query(
      JudgingDatabase.takeStatement, JudgingDatabase.values(of: arrivals) + [.time(now)])
    var receipts: [ArrivalReceipt] = []
    for row in result.rows { receipts.append(try JudgingDatabase.receipt(row)) }
    return receipts
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
  public func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime
  ) throws(PostgreSQLError) {
    try connection.query(
      "SELECT checkpost.report($1, $2, $3)",
      [.text(post.code), .integer(second), .time(receivedAt)])
  }

  /// A person who looked at a violation says that it is so.
  ///
  /// - Parameters:
  ///   - entry: The row of its entry.
  ///   - author: Who it was, when known.
  /// - Returns: Whether there is one that stands.
  public func confirm(
    _ entry: Int64, by author: String? = nil, at now: WallTime
  ) throws(PostgreSQLError) -> Bool {
    try connection.query(
      "SELECT checkpost.confirm($1, $2, $3) AS is_done",
      [.integer(entry), .text(author), .time(now)]
    ).firstRow().value("is_done", .bool)
  }

  /// Does what the clock asks for: overdue alerts, expiry, finality.
  ///
  /// - Returns: How many things changed; nil when somebody else does it at this moment.
  @discardableResult
  public func doDuties(at now: WallTime) throws(PostgreSQLError) -> Int64? {
    try connection.query("SELECT checkpost.do_duties($1) AS n", [.time(now)]).firstRow()
      .optional("n", .integer)
  }

  /// Other numbers to judge by; where they differ, all is judged again.
  public func configure(_ rules: JudgingRules) throws(PostgreSQLError) {
    let windows = rules.pairingWindows.sorted { $0.key < $1.key }
    try connection.query(
      "SELECT checkpost.configure($1, $2, $3, $4, $5, $6)",
      [
        .integer(rules.rangerWindow), .integer(rules.pairingWindow), .integer(rules.longStay),
        .integer(rules.provisionalFor), .texts(windows.map(\.key)),
        .integers(windows.map(\.value)),
      ])
  }
}
