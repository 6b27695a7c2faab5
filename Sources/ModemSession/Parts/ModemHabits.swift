import AT
import Events

/// What a modem does otherwise than it should, all the time: it is noted once, and lived with.
struct ModemHabits: Hashable, Sendable {
  /// The modem's own number, should another one be there later.
  private var imei: String?
  /// The names of the commands whose answers have no final result: `AT+CSQ`.
  private var withoutResult: Set<String> = []

  /// The modem told its number: another one has other habits.
  mutating func belong(to imei: String?) {
    guard let imei else { return }
    if let known = self.imei, known != imei { self = ModemHabits() }
    self.imei = imei
  }

  /// An answer was taken for its lines alone; whether that is the first of this modem.
  mutating func leftOutResult(_ command: String) -> Bool {
    defer { withoutResult.insert(command) }
    return withoutResult.isEmpty
  }

  /// The command as this modem answers it: the final result that it never gives is not waited for long.
  /// A list may go on, so that its time is left to it.
  func known(_ command: ATCommand) -> ATCommand {
    guard command.isDoneByLines, !command.renewsWithLines,
      withoutResult.contains(ModemSession.name(of: command))
    else { return command }
    var command = command
    command.mayLackResult = true
    return command
  }
}

extension ModemSession {
  /// Notes that an answer had no final result.
  mutating func noteHabit(_ answer: ATAnswer) {
    guard answer.lacksResult else { return }
    // Where a storage is chosen some are known for it, and it is not waited for anyway.
    if answer.command.prefix == "+CPMS:", !answer.command.text.hasSuffix("?") { return }
    let name = ModemSession.name(of: answer.command)
    guard habits.leftOutResult(name) else { return }
    log(
      "modem_lacks_result", .notice,
      "the modem answered \(name) and gave no OK; what it says is taken all the same, once its time is over",
      [EventField("command", .text(name))])
  }
}
