/// Why the database did not do what was asked.
///
/// ``kind`` says what can be done about it; ``description`` says what is wrong and what helps, and never
/// holds values of rows.
public enum PostgreSQLError: Error, Hashable, Sendable {
  /// libpq cannot be loaded.
  case noLibrary(reason: String)
  /// The settings cannot be used.
  case unusableSettings(reason: String)
  /// There is no connection: it was not taken, or not reached. Nothing was asked.
  case notConnected(PostgreSQLPhase, reason: String, state: SQLState? = nil)
  /// The server refused a statement; nothing of it, nor of its transaction, is done.
  case refused(PostgreSQLReport)
  /// The connection was lost in a transaction before its end was asked for, so that nothing of it is done.
  case lost(reason: String)
  /// It took too long; nothing of it is done.
  case timedOut(PostgreSQLPhase)
  /// The connection was lost, or the time was over, when the server may have committed already: it may be
  /// done or not. Whoever asks again has to find out first, or ask in a way that does no harm twice.
  case outcomeUnknown(reason: String)
  /// The call makes no sense: a fault of this program. The reason names no values.
  case misused(reason: String)
  /// So many calls wait already that another is not taken.
  case overloaded(limit: Int)
  /// It was ended, or whoever asked no longer wants the answer. Nothing of it is done.
  case ended
}

extension PostgreSQLError: CustomStringConvertible, CustomDebugStringConvertible {
  /// What is wrong, and what helps, in one line.
  public var description: String { "\(problem); \(remedy)" }

  /// The same as ``description``, so that no way of printing it shows values.
  public var debugDescription: String { description }

  /// What is wrong.
  public var problem: String {
    switch self {
    case .noLibrary(let reason): "PostgreSQL's client library cannot be used (\(reason))"
    case .unusableSettings(let reason): "the settings of the database cannot be used: \(reason)"
    case .notConnected(let phase, let reason, let state):
      "no connection to the database, \(phase.words): "
        + (state.map { "\($0): \(reason)" } ?? reason)
    case .refused(let report): "the database refused it: \(report)"
    case .lost(let reason): "the connection to the database was lost: \(reason)"
    case .timedOut(let phase): "the database took too long, \(phase.words)"
    case .outcomeUnknown(let reason): "whether the database has committed is unknown: \(reason)"
    case .misused(let reason): "the database was called wrongly: \(reason)"
    case .overloaded(let limit): "\(limit) calls wait for the database already"
    case .ended: "the call was ended before it began"
    }
  }

  /// What helps.
  public var remedy: String {
    switch self {
    case .noLibrary: "apt-get install libpq5"
    case .unusableSettings:
      "correct central.postgresql.connection: host=… dbname=… user=…"
    case _ where state?.code == "3D000":
      "make the database (createdb), or correct dbname in central.postgresql.connection"
    default: kind.remedy
    }
  }

  /// What the server said, where it refused a statement.
  public var report: PostgreSQLReport? {
    if case .refused(let report) = self { report } else { nil }
  }

  /// The server's code, where there is one.
  public var state: SQLState? {
    switch self {
    case .refused(let report): report.state
    case .notConnected(_, _, let state): state
    default: nil
    }
  }

  /// Whether it is a broken constraint, and the one of this name where one is given.
  public func isViolation(_ state: SQLState, of constraint: String? = nil) -> Bool {
    guard let report, report.state == state else { return false }
    return constraint == nil || report.constraint == constraint
  }
}
