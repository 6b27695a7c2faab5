/// Something that goes wrong with a modem, on request.
public enum ModemFault: Hashable, Sendable {
  /// It answers nothing, for so long; nil until it is healed.
  case mute(Duration?)
  /// The next messages are refused with this `+CMS ERROR`, so many of them.
  case refuse(code: Int, times: Int)
  /// The next message is taken by the network, and its answer never comes.
  case loseAnswer
  /// The next message is taken by the network, and its answer comes so much later.
  case lateAnswer(Duration)
  /// The next message is taken by the network, and the answer is an error all the same.
  case falseError(code: Int)
  /// The next `AT+CMGS` gets no prompt.
  case noPrompt
  /// It loses the network, for so long; nil until it is healed.
  case unregistered(Duration?)
  /// The network denies it.
  case denied
  /// The SIM is busy, for so long.
  case simBusy(Duration)
  /// It tells nothing by itself any more: no `+CMTI`, no `+CDSI`.
  case silentReception
  /// Its storage is full, whatever is deleted.
  case storageFull
  /// Every answer comes so much later.
  case slow(Duration)
  /// Every byte comes alone, a millisecond after the one before.
  case trickle
  /// Its prompt lacks the space after the `>`.
  case shortPrompt
  /// It restarts and forgets its settings.
  case restart
  /// It switches its echo on.
  case echo
  /// It tells its maker's noise before every line of an answer.
  case noise
  /// All of these end.
  case healed

  /// A fault as a command line names it: `mute`, `mute:30`, `refuse:38`, `refuse:38:2`,
  /// `lose_answer`, `late_answer:5`, `false_error:38`, `no_prompt`, `unregistered:90`, `denied`,
  /// `sim_busy:10`, `silent_reception`, `storage_full`, `slow:3`, `trickle`, `short_prompt`, `restart`,
  /// `echo`, `noise`, `healed`; durations in seconds.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    func number(_ place: Int) -> Int? { place < parts.count ? Int(parts[place]) : nil }
    let seconds = number(1).map { Duration.seconds($0) }
    guard parts.count == 1 || number(1) != nil, parts.count < 4, number(1) ?? 0 >= 0 else {
      return nil
    }
    switch parts[0] {
    case "mute": self = .mute(seconds)
    case "refuse": self = .refuse(code: number(1) ?? 38, times: number(2) ?? 1)
    case "lose_answer": self = .loseAnswer
    case "late_answer": self = .lateAnswer(seconds ?? .seconds(5))
    case "false_error": self = .falseError(code: number(1) ?? 38)
    case "no_prompt": self = .noPrompt
    case "unregistered": self = .unregistered(seconds)
    case "denied": self = .denied
    case "sim_busy": self = .simBusy(seconds ?? .seconds(10))
    case "silent_reception": self = .silentReception
    case "storage_full": self = .storageFull
    case "slow": self = .slow(seconds ?? .seconds(3))
    case "trickle": self = .trickle
    case "short_prompt": self = .shortPrompt
    case "restart": self = .restart
    case "echo": self = .echo
    case "noise": self = .noise
    case "healed": self = .healed
    default: return nil
    }
  }

  /// The names that a command line takes, for a message.
  public static let names = [
    "mute[:SECONDS]", "refuse[:CODE[:TIMES]]", "lose_answer", "late_answer[:SECONDS]",
    "false_error[:CODE]", "no_prompt", "unregistered[:SECONDS]", "denied", "sim_busy[:SECONDS]",
    "silent_reception", "storage_full", "slow[:SECONDS]", "trickle", "short_prompt", "restart",
    "echo", "noise", "healed",
  ]
}
