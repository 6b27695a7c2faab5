import AT
import Time

/// Commands of an operator, between everything else.
extension ModemSession {
  mutating func accept(_ command: OperatorCommand) {
    if let reason = refusal(of: command) {
      effects.append(.event(.commandFinished(id: command.id, lines: [], final: reason)))
    } else {
      commands.append(command)
    }
  }

  private func refusal(of command: OperatorCommand) -> String? {
    if let reason = OperatorCommandLine.refusal(of: command.text) { return "refused: \(reason)" }
    if commands.count >= Limits.waitingCommands {
      return "refused: too many commands wait; try again"
    }
    switch phase {
    case .idle, .locked, .setup, .pausing:
      return isStopping ? "refused: the service is stopping" : nil
    default: return "refused: the modem is not ready: \(status.state.words)"
    }
  }

  /// Opens the next command that waits; false when there is none.
  mutating func nextOperatorCommand(at now: BootInstant) -> Bool {
    guard !commands.isEmpty else { return false }
    // What is typed is meant for the storage of the messages, whichever is being looked into.
    if phase == .idle, storage.current != nil,
      open(storage.choose(storage.home), at: now)
    {
      return true
    }
    let command = commands.removeFirst()
    open(
      ATCommand(command.text, information: .any, timeout: command.timeout),
      for: .operatorCommand(id: command.id), at: now)
    return true
  }

  mutating func operatorAnswered(_ id: Int64, _ answer: ATAnswer) {
    let final =
      switch answer.ending {
      case .ok: "OK"
      case .failed(let result): result
      case .timedOut: "no answer in time"
      }
    effects.append(
      .event(
        .commandFinished(
          id: id, lines: Array(answer.lines.prefix(Limits.commandLines)), final: final)))
    if ModemSession.changesSettings(answer.command.text) { needsSetup = true }
  }

  mutating func refuseCommands(_ reason: String) {
    for command in commands {
      effects.append(
        .event(.commandFinished(id: command.id, lines: [], final: "refused: \(reason)")))
    }
    commands = []
  }

  /// Whether a command may have changed what the session relies on.
  private static func changesSettings(_ text: String) -> Bool {
    let text = text.uppercased()
    if text.hasSuffix("?") { return false }
    return [
      "ATE", "ATV", "ATQ", "ATZ", "AT&F", "AT+CMGF", "AT+CPMS", "AT+CNMI", "AT+CSMS", "AT+CSCS",
      "AT+CMEE", "AT+CSCA", "AT+CREG", "AT+CGREG", "AT+CEREG", "AT+CFUN", "AT+CPIN", "AT+COPS",
    ].contains { text.hasPrefix($0) }
  }
}
