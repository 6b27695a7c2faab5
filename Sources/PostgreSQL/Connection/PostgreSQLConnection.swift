import CPostgreSQL
public import EventLoop
public import Time

/// One connection to a database, owned by one thread.
///
/// Its calls block that thread, each with an end: the time that the settings give an answer, and ``deadline``.
/// A connection that was lost or ran out of time is closed, which makes the server undo what was not committed;
/// there is no way back, only another connection.
public final class PostgreSQLConnection {
  /// What it connects to, and what each step may take.
  public let settings: PostgreSQLSettings
  /// When all of the following calls have to be over; nil when only the settings bound them. What runs then is
  /// given up with the connection.
  public var deadline: BootInstant?

  let patience: DatabasePatience
  var line: DatabaseLine?
  var plans = StatementPlans()
  /// Names of statements that the server still knows and that are not used any more.
  var unused: [String] = []
  /// What the transaction failed with first.
  var abortedBy: PostgreSQLReport?
  var isMarkedForRollback = false
  var savepoints = 0
  /// When the transaction that is open has to be over; nil where each statement alone has a bound.
  var transactionEnd: BootInstant?

  /// Connects to the first of the servers that takes it.
  ///
  /// - Parameters:
  ///   - clocks: By which deadlines are kept.
  ///   - deadline: When connecting has to be over, if it is before what the settings give it.
  ///   - interrupt: Ends connecting from another thread.
  ///   - pulse: Of the loop that owns it, which sleeps whenever the connection waits.
  /// - Throws: ``PostgreSQLError/noLibrary(reason:)``, ``PostgreSQLError/unusableSettings(reason:)``,
  ///   ``PostgreSQLError/notConnected(_:reason:state:)``, ``PostgreSQLError/timedOut(_:)``, or
  ///   ``PostgreSQLError/ended`` when interrupted.
  public init(
    _ settings: PostgreSQLSettings, clocks: any Clocks, until deadline: BootInstant? = nil,
    interrupt: PostgreSQLInterrupt? = nil, pulse: Pulse? = nil
  ) throws(PostgreSQLError) {
    self.settings = settings
    patience = DatabasePatience(clocks: clocks, pulse: pulse)
    let connecting = DatabasePatience(clocks: clocks, interrupt: interrupt, pulse: pulse)
    let made = try DatabaseLine.connect(settings, until: deadline, connecting)
    let setUp = settings.sessionStatement(
      serverVersion: Int(cpostgresql_server_version(made.pointer)))
    var replies: [DatabaseLine.Reply] = []
    do throws(PostgreSQLError) {
      try made.exchange([[.text(setUp)]], each: settings.signInTimeout, until: deadline) {
        replies = $0
      }
    } catch {
      throw PostgreSQLConnection.whileSigningIn(error)
    }
    if case .refused(let report) = replies.first {
      throw .notConnected(.signIn, reason: report.message, state: report.state)
    }
    made.patience = patience
    line = made
  }

  /// Whether it can be used.
  public var isOpen: Bool { line != nil }

  /// What it was closed by, when not by its owner.
  public internal(set) var closedBy: PostgreSQLError?

  /// Whether no transaction is open in it.
  public var isIdle: Bool { line?.transaction == CPOSTGRESQL_IDLE }

  /// The version of the server: 150018 is 15.18; 0 once closed.
  public var serverVersion: Int {
    line.map { Int(cpostgresql_server_version($0.pointer)) } ?? 0
  }

  /// The number of the server's process, as `pg_stat_activity` shows it; 0 once closed.
  public var serverProcess: Int32 { line.map { cpostgresql_process($0.pointer) } ?? 0 }

  /// Whether TLS protects it.
  public var isEncrypted: Bool { line.map { cpostgresql_is_encrypted($0.pointer) == 1 } ?? false }

  /// Whether the server takes no changes: it follows another one, or was told so.
  public var isReadOnly: Bool {
    guard let line else { return false }
    return ["in_hot_standby", "default_transaction_read_only"].contains { (name: String) in
      cpostgresql_parameter(line.pointer, name).map { String(cString: $0) == "on" } ?? false
    }
  }

  /// What `poll` waits on to see that the server ended an idle connection; -1 once closed.
  public var descriptor: Int32 { line?.descriptor ?? -1 }

  /// Looks whether the server ended it while nothing was asked.
  ///
  /// - Throws: ``PostgreSQLError/lost(reason:)``; then it is closed.
  public func checkIdle() throws(PostgreSQLError) {
    guard let line else { throw .closed }
    do throws(PostgreSQLError) {
      try line.checkIdle()
    } catch {
      throw ended(by: error, mayBeDone: false)
    }
  }

  /// Ends it; what was not committed is undone by the server. Later calls throw.
  public func close() {
    line = nil
    plans = StatementPlans()
    unused = []
  }

  private static func whileSigningIn(_ error: PostgreSQLError) -> PostgreSQLError {
    switch error {
    case .timedOut: .timedOut(.signIn)
    case .lost(let reason): .notConnected(.signIn, reason: reason)
    default: error
    }
  }
}

extension PostgreSQLError {
  static let closed = PostgreSQLError.lost(reason: "the connection was closed before")
}
