import Time

extension PostgreSQLConnection {
  /// Runs one statement, which stays prepared for the next time.
  ///
  /// Outside of ``transaction(isolation:isReadOnly:attempts:_:)`` it is a transaction of its own.
  ///
  /// - Parameter isReading: That it changes nothing: when the connection is lost on the way nothing is then
  ///   unknown.
  /// - Throws: ``PostgreSQLError/refused(_:)`` when the server refuses it; ``PostgreSQLError/lost(reason:)`` or
  ///   ``PostgreSQLError/timedOut(_:)`` when nothing of it is done;
  ///   ``PostgreSQLError/outcomeUnknown(reason:)`` when that is not known.
  @discardableResult
  public func query(
    _ text: String, _ values: [PostgreSQLValue] = [], isReading: Bool = false
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    let command = PostgreSQLCommand(text, values)
    let results = try run([[command]], isReading: isReading)[0].get()
    return results[0]
  }

  /// Runs statements in one round trip; their answers, in order.
  ///
  /// Outside of a transaction all of them are one: when one is refused, nothing of any is done.
  ///
  /// - Throws: What ``query(_:_:isReading:)`` throws; of a refusal, ``PostgreSQLReport/statement`` tells which
  ///   statement it was.
  @discardableResult
  public func pipeline(
    _ commands: [PostgreSQLCommand], isReading: Bool = false
  ) throws(PostgreSQLError) -> [PostgreSQLResult] {
    guard !commands.isEmpty else { return [] }
    return try run([commands], isReading: isReading)[0].get()
  }

  /// Runs groups of statements in one round trip, of which each is a transaction of its own where none is open:
  /// a refused statement undoes its group alone.
  ///
  /// - Returns: For each group its answers, or why it failed. When the connection is lost on the way, those
  ///   that were answered stand, and of each other one the outcome is unknown.
  /// - Throws: What failed before anything was run.
  public func pipeline(
    groups: [[PostgreSQLCommand]], isReading: Bool = false
  ) throws(PostgreSQLError) -> [Result<[PostgreSQLResult], PostgreSQLError>] {
    try run(groups, isReading: isReading)
  }

  /// Runs a text with any number of statements and without parameters: a change of tables. Outside of a
  /// transaction, and where it begins none itself, all of it is one.
  public func run(script: String) throws(PostgreSQLError) {
    guard !script.utf8.contains(0) else { throw .misused(reason: "a script has a zero character") }
    let isDeciding = isIdle
    let line = try readyLine()
    let replies: [DatabaseLine.Reply]
    do throws(PostgreSQLError) {
      replies = try line.run(script, each: settings.answerTimeout, until: deadline)
    } catch {
      throw ended(by: error, mayBeDone: isDeciding && line.isSent)
    }
    for case .refused(let report) in replies {
      note(report)
      throw .refused(report)
    }
  }

  /// Runs groups, and once more those whose statements no longer fitted the tables.
  private func run(
    _ groups: [[PostgreSQLCommand]], isReading: Bool
  ) throws(PostgreSQLError) -> [Result<[PostgreSQLResult], PostgreSQLError>] {
    let count = groups.reduce(0) { $0 + $1.count }
    guard count <= Limits.pipelinedStatements else {
      throw .misused(reason: "\(count) statements are more than \(Limits.pipelinedStatements)")
    }
    let isDeciding = isIdle && !isReading
    var results = try runOnce(groups, isDeciding: isDeciding)
    let stale = results.indices.filter { index in
      if case .failure(.refused(let report)) = results[index] {
        report.isStaleStatement
      } else {
        false
      }
    }
    guard !stale.isEmpty else { return results }
    for index in stale {
      for command in groups[index] {
        // What the server does not know any more cannot be given back.
        _ = plans.forget(command.text)
      }
    }
    guard isIdle else { return results }
    let again = try runOnce(stale.map { groups[$0] }, isDeciding: isDeciding)
    for (index, result) in zip(stale, again) { results[index] = result }
    return results
  }

  private func runOnce(
    _ groups: [[PostgreSQLCommand]], isDeciding: Bool
  ) throws(PostgreSQLError) -> [Result<[PostgreSQLResult], PostgreSQLError>] {
    if let transactionEnd, patience.clocks.boot() >= transactionEnd {
      throw .timedOut(.answer)
    }
    let line = try readyLine()
    try prepare(groups, line)
    var requests: [[DatabaseLine.Request]] = []
    for group in groups {
      var messages: [DatabaseLine.Request] = []
      for command in group { messages.append(try request(command)) }
      requests.append(messages)
    }
    var results: [Result<[PostgreSQLResult], PostgreSQLError>] = []
    do throws(PostgreSQLError) {
      try line.exchange(requests, each: settings.answerTimeout, until: deadline) { replies in
        results.append(result(of: replies))
      }
    } catch {
      let failure = ended(by: error, mayBeDone: isDeciding && line.isSent)
      guard groups.count > 1, !results.isEmpty else { throw failure }
      results += Array(repeating: .failure(failure), count: groups.count - results.count)
    }
    return results
  }

  private func result(
    of replies: [DatabaseLine.Reply]
  ) -> Result<[PostgreSQLResult], PostgreSQLError> {
    var results: [PostgreSQLResult] = []
    for (index, reply) in replies.enumerated() {
      switch reply {
      case .done(let result): results.append(result)
      case .refused(var report):
        report.statement = index
        note(report)
        return .failure(.refused(report))
      case .skipped: return .failure(.misused(reason: "a statement was skipped by the server"))
      }
    }
    return .success(results)
  }

  private func request(
    _ command: PostgreSQLCommand
  ) throws(PostgreSQLError) -> DatabaseLine.Request {
    guard let plan = plans.plan(of: command.text) else {
      throw .misused(reason: "more than \(Limits.preparedStatements) different statements at once")
    }
    guard plan.parameters.count == command.values.count else {
      throw .misused(
        reason: "a statement takes \(plan.parameters.count) values and was handed "
          + "\(command.values.count)")
    }
    var values: [EncodedValue] = []
    values.reserveCapacity(command.values.count)
    for (index, value) in command.values.enumerated() {
      values.append(try EncodedValue(value, for: plan.parameters[index], at: index + 1))
    }
    return .execute(name: plan.name, values: values, isBinary: plan.isBinary)
  }
}
