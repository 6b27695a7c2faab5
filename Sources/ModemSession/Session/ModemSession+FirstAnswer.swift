import AT
import Events
import Time

/// The first answer of a modem.
extension ModemSession {
  mutating func probe(_ tries: Int, at now: BootInstant) {
    phase = .probing(tries)
    // One that was told to give no results (V.250 6.2.5) is silent whatever else it is asked.
    open(
      ATCommand(tries == 1 ? "ATQ0" : "AT", timeout: Limits.probeTimeout(tries)), for: nil, at: now)
  }

  mutating func probed(_ answer: ATAnswer, _ tries: Int, at now: BootInstant) {
    apply(firstAnswer.probed(answer.ending, tries: tries), at: now)
  }

  mutating func synchronised(_ answer: ATAnswer, _ tries: Int, at now: BootInstant) {
    noteHabit(answer)
    apply(firstAnswer.synchronised(answer, tries: tries), at: now)
  }

  /// The time of silence is over.
  mutating func settled(at now: BootInstant) {
    dialogue.reset()
    apply(firstAnswer.settled(), at: now)
  }

  /// Leaves the line alone for a time.
  mutating func settle(_ time: Duration, at now: BootInstant) {
    dialogue.reset()
    purpose = nil
    phase = .settling(until: now + time)
  }

  private mutating func apply(_ step: FirstAnswer.Step, at now: BootInstant) {
    switch step {
    case .probe(let tries, let escapes):
      if escapes { effects.append(.write([0x1B])) }
      probe(tries, at: now)
    case .synchronise(let tries):
      phase = .synchronising(tries)
      var question = ATCommand("AT+CMGF?", timeout: configuration.timeouts.query)
      // One that saves power falls asleep while an end is waited for that it never gives.
      question.mayLackResult = true
      open(question, for: nil, at: now)
    case .settle(let time): settle(time, at: now)
    case .setUp: setUp(.echoOff, form: 0, tries: 0, at: now)
    case .endText:
      log(
        "modem_ending_text", .notice,
        "the modem may still wait for a text that was given up; it is ended with Ctrl-Z")
      effects.append(.write([0x1A]))
      settle(.seconds(1), at: now)
    case .mute:
      trouble(
        "the modem at \(status.port) does not answer AT; is this its AT port, and is it on?",
        kind: "mute", answers: false, at: now)
    }
  }
}
