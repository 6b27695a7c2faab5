import CPostgreSQL
import Time

extension PostgreSQLConnection {
  /// The line, when it can take a request: the server may have ended it while nothing was asked, and then
  /// surely nothing of what comes is done.
  func readyLine() throws(PostgreSQLError) -> DatabaseLine {
    guard let line else { throw .closed }
    if let deadline, patience.clocks.boot() >= deadline { throw .timedOut(.answer) }
    if isIdle { try checkIdle() }
    return line
  }

  /// Closes the connection after what makes it useless.
  ///
  /// - Parameter mayBeDone: Whether the server may have committed what was asked.
  func ended(by error: PostgreSQLError, mayBeDone: Bool) -> PostgreSQLError {
    close()
    closedBy = error
    guard mayBeDone else { return error }
    switch error {
    case .lost(let reason): return .outcomeUnknown(reason: reason)
    case .timedOut(let phase): return .outcomeUnknown(reason: "it took too long, \(phase.words)")
    default: return error
    }
  }

  /// Remembers what a transaction failed with first: what is refused after that says nothing.
  func note(_ report: PostgreSQLReport) {
    if abortedBy == nil { abortedBy = report }
  }

  /// Prepares those statements of the groups that are not, in one round trip.
  func prepare(
    _ groups: [[PostgreSQLCommand]], _ line: DatabaseLine
  ) throws(PostgreSQLError) {
    var wanted: [String] = []
    for command in groups.joined() where !plans.contains(command.text) {
      guard !wanted.contains(command.text) else { continue }
      guard !command.text.utf8.contains(0) else {
        throw .misused(reason: "a statement has a zero character")
      }
      wanted.append(command.text)
    }
    guard !wanted.isEmpty else { return }
    // Those that are needed now are the ones used last.
    for command in groups.joined() { _ = plans.plan(of: command.text) }
    unused += plans.makeRoom(for: wanted.count)
    let names = wanted.map { _ in plans.nextName() }
    // Each in a group of its own, so that one that is refused leaves the others.
    let requests: [[DatabaseLine.Request]] =
      unused.map { [.text("DEALLOCATE \"\($0)\"")] }
      + zip(wanted, names).map { [.prepare(name: $1, text: $0), .describe(name: $1)] }
    var replies: [[DatabaseLine.Reply]] = []
    do throws(PostgreSQLError) {
      try line.exchange(requests, each: settings.answerTimeout, until: deadline) {
        replies.append($0)
      }
    } catch {
      throw ended(by: error, mayBeDone: false)
    }
    let skipped = unused.count
    unused = []
    for (index, text) in wanted.enumerated() {
      try keep(text, name: names[index], replies[skipped + index], at: index)
    }
  }

  private func keep(
    _ text: String, name: String, _ replies: [DatabaseLine.Reply], at index: Int
  ) throws(PostgreSQLError) {
    for case .refused(let report) in replies {
      note(report)
      throw .refused(report)
    }
    guard case .done(let described)? = replies.last else {
      throw .misused(reason: "a statement was not described")
    }
    let memory = described.memory.pointer
    let parameters = (0..<cpostgresql_parameters(memory)).map {
      cpostgresql_parameter_type(memory, $0)
    }
    let isBinary = (0..<cpostgresql_columns(memory)).allSatisfy {
      TypeNumber.isPlain(cpostgresql_column_type(memory, $0))
    }
    plans.keep(text, name: name, parameters: parameters, isBinary: isBinary)
  }
}
