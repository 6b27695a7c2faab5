import CPostgreSQL
import Time

extension PostgreSQLConnection {
  /// How far transactions that run at once see of each other (PostgreSQL's documentation, 13.2).
  public enum Isolation: String, CaseIterable, Hashable, Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted = "READ COMMITTED"
    /// All statements see what was committed before the first.
    case repeatableRead = "REPEATABLE READ"
    /// As if one ran after the other, or one is refused and may try again.
    case serializable = "SERIALIZABLE"
  }

  /// Runs `body` in a transaction, which is committed when it returns and undone when it throws.
  ///
  /// - Parameters:
  ///   - limit: How long each attempt may take, beside the end of it: a statement that runs then is ended by the server, and
  ///     none is begun any more. Nil where each statement alone has a bound.
  ///   - attempts: How often it is tried when the server says that it may succeed at once: `body` runs anew.
  /// - Throws: What `body` throws; ``PostgreSQLError/timedOut(_:)``, or a refusal for `statement_timeout`, where it took
  ///   longer than `limit`; what it failed with, when `body` passes over a refused statement;
  ///   ``PostgreSQLError/refused(_:)`` when the commit was refused, and nothing is done;
  ///   ``PostgreSQLError/outcomeUnknown(reason:)`` when the connection was lost while it was on its way.
  public func transaction<Value>(
    isolation: Isolation = .readCommitted, isReadOnly: Bool = false, within limit: Duration? = nil,
    attempts: Int = 1, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> Value {
    var left = max(attempts, 1)
    while true {
      left -= 1
      do throws(PostgreSQLError) {
        return try attempt(isolation, isReadOnly, within: limit, body)
      } catch {
        guard left > 0, error.kind == .retryAtOnce, isOpen else { throw error }
      }
    }
  }

  /// Lets the transaction be undone at its end, while what its body returns stands.
  public func rollBackAtEnd() {
    isMarkedForRollback = true
  }

  /// Runs `body` so that what it did is undone when it throws, and the transaction goes on.
  ///
  /// - Throws: ``PostgreSQLError/misused(reason:)`` outside of a transaction; what `body` throws.
  public func savepoint<Value>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> Value {
    guard line?.transaction == CPOSTGRESQL_INSIDE else {
      guard isOpen else { throw .closed }
      throw .misused(reason: "a savepoint needs a transaction that has not failed")
    }
    savepoints += 1
    let name = "checkpost_\(savepoints)"
    try perform("SAVEPOINT \(name)")
    let failedBefore = abortedBy
    do throws(PostgreSQLError) {
      let value = try body(self)
      // What its body passed over is undone as well.
      if line?.transaction == CPOSTGRESQL_FAILED, let abortedBy { throw .refused(abortedBy) }
      try perform("RELEASE SAVEPOINT \(name)")
      return value
    } catch {
      guard isOpen else { throw error }
      try perform("ROLLBACK TO SAVEPOINT \(name); RELEASE SAVEPOINT \(name)")
      abortedBy = failedBefore
      throw error
    }
  }

  private func attempt<Value>(
    _ isolation: Isolation, _ isReadOnly: Bool, within limit: Duration?,
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> Value {
    guard isIdle || !isOpen else { throw .misused(reason: "a transaction is open already") }
    abortedBy = nil
    isMarkedForRollback = false
    savepoints = 0
    transactionEnd = limit.map { patience.clocks.boot() + $0 }
    defer { transactionEnd = nil }
    // Whether changes are taken otherwise is the server's to say.
    var begin =
      "BEGIN ISOLATION LEVEL \(isolation.rawValue)" + (isReadOnly ? " READ ONLY" : "")
    if let limit, limit < settings.statementTimeout {
      // Zero would be no bound at all.
      begin += "; SET LOCAL statement_timeout = \(max(limit.wholeMilliseconds, 1))"
    }
    try perform(begin)
    let value: Value
    do throws(PostgreSQLError) {
      value = try body(self)
    } catch {
      undo()
      throw error
    }
    guard !isMarkedForRollback else {
      // With the connection goes its transaction: undone it is, either way.
      undo()
      return value
    }
    try commit(mayChange: !isReadOnly)
    return value
  }

  private func commit(mayChange: Bool) throws(PostgreSQLError) {
    guard let line else { throw .closed }
    guard line.transaction != CPOSTGRESQL_IDLE else {
      throw .misused(reason: "the transaction was ended by a statement in it")
    }
    if let deadline, patience.clocks.boot() >= deadline {
      undo()
      throw .timedOut(.answer)
    }
    var replies: [DatabaseLine.Reply] = []
    do throws(PostgreSQLError) {
      try line.exchange([[.text("COMMIT")]], each: settings.answerTimeout, until: deadline) {
        replies = $0
      }
    } catch {
      throw ended(by: error, mayBeDone: mayChange)
    }
    switch replies.first {
    case .refused(let report): throw .refused(report)
    // Of a transaction that had failed the server says so, and no more.
    case .done(let result) where result.tag == "COMMIT": return
    default:
      throw abortedBy.map { .refused($0) }
        ?? .misused(reason: "the transaction had failed, and was undone")
    }
  }

  /// Undoes the transaction; where that fails the connection is closed, which undoes it too.
  private func undo() {
    guard let line, line.transaction != CPOSTGRESQL_IDLE else { return }
    var isUndone = false
    do throws(PostgreSQLError) {
      try line.exchange([[.text("ROLLBACK")]], each: Limits.undoPatience, until: nil) { replies in
        if case .done? = replies.first { isUndone = true }
      }
    } catch {
      isUndone = false
    }
    if !isUndone { close() }
  }

  /// Runs statements of the transaction's own, which commit nothing.
  private func perform(_ texts: String) throws(PostgreSQLError) {
    let line = try readyLine()
    let requests = texts.split(separator: "; ").map { DatabaseLine.Request.text(String($0)) }
    var replies: [DatabaseLine.Reply] = []
    do throws(PostgreSQLError) {
      try line.exchange([requests], each: settings.answerTimeout, until: deadline) { replies = $0 }
    } catch {
      throw ended(by: error, mayBeDone: false)
    }
    for case .refused(let report) in replies {
      note(report)
      throw .refused(report)
    }
  }
}
