public import CentralCore
public import Passages
public import PostgreSQL
public import Time

/// The centre's judging in PostgreSQL: what the service hands in, and what the clock asks for. Everything is
/// decided in the database, so that a row that comes any other way is treated alike.
public struct JudgingDatabase {
  /// What became of a report.
  public struct Received: Hashable, Sendable {
    /// What it was to what is known.
    public enum Reception: String, CaseIterable, Hashable, Sendable {
      /// A new record.
      case new
      /// It came under this identity before, and tells something new.
      case known
      /// Its content is known; its identity is another name of it.
      case alias
      /// Its identity is that of something else. Nothing was changed but a flag.
      case contradiction
      /// It is known, and tells nothing new.
      case repeated
    }

    /// The number of its record.
    public var record: Int64
    /// What it was.
    public var reception: Reception
  }

  private let connection: PostgreSQLConnection

  /// The judging in a database into which ``Migration`` has written it.
  public init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  /// Takes reports and corrections in one transaction, and judges once.
  ///
  /// - Parameter now: The wall clock.
  /// - Returns: What became of each report, in their order.
  @discardableResult
  public func take(
    _ observations: [Observation], _ corrections: [ReceivedCorrection] = [], at now: WallTime
  ) throws(PostgreSQLError) -> [Received] {
    let result = try connection.query(
      JudgingDatabase.takeStatement,
      JudgingDatabase.values(of: observations) + JudgingDatabase.values(of: corrections)
        + [.time(now)])
    var received: [Received] = []
    for row in result.rows {
      guard let reception = Received.Reception(rawValue: try row.value("reception", .text)) else {
        throw .misused(reason: "the schema knows a reception that this program does not")
      }
      received.append(Received(record: try row.value("record", .integer), reception: reception))
    }
    return received
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
  /// - Parameter entry: The row of its entry.
  /// - Returns: Whether there is one that stands.
  public func confirm(_ entry: Int64, at now: WallTime) throws(PostgreSQLError) -> Bool {
    try connection.query(
      "SELECT checkpost.confirm($1, $2) AS is_done", [.integer(entry), .time(now)]
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

  private static let takeStatement =
    "SELECT t.record, t.reception FROM checkpost.take($1::uuid[], $2, $3, $4, $5, $6, $7, $8, $9, $10,"
    + " $11, $12, $13, $14, $15::uuid[], $16, $17, $18, $19, $20, $21, $22, $23) AS t ORDER BY t.place"

  private static func values(of observations: [Observation]) -> [PostgreSQLValue] {
    [
      .texts(observations.map(\.clientID.description)), .texts(observations.map(\.post.code)),
      .texts(observations.map(\.plate.compact)), .texts(observations.map(\.plate.raw)),
      .texts(observations.map(\.vehicleType.rawValue)), .times(observations.map(\.recordedAt)),
      .texts(observations.map(\.ranger)), .texts(observations.map(\.suffix.digits)),
      .texts(observations.map(\.photoPath)), .texts(observations.map(\.channel.rawValue)),
      .bools(observations.map(\.isProven)), .times(observations.map(\.receivedAt)),
      .integers(
        observations.map { if case .within(let seconds) = $0.clock { seconds } else { nil } }),
      .bools(observations.map { $0.clock == .unset }),
    ]
  }

  private static func values(of corrections: [ReceivedCorrection]) -> [PostgreSQLValue] {
    [
      .texts(corrections.map(\.clientID.description)), .texts(corrections.map(\.plate?.compact)),
      .texts(corrections.map(\.plate?.raw)), .texts(corrections.map(\.vehicleType?.rawValue)),
      .texts(corrections.map(\.post?.code)), .times(corrections.map(\.recordedAt)),
      .texts(corrections.map(\.author)), .times(corrections.map(\.madeAt)),
    ]
  }
}
