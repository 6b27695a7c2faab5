import AT
import Events
import GSM
import ModemMakers
import Time

/// Texts on their way out: what they wait for, and what their answers tell of modem and network.
extension ModemSession {
  mutating func accept(_ text: OutgoingText) {
    let obstacle: String? =
      if isStopping {
        "the service is stopping"
      } else if phase != .idle {
        status.lastError ?? "the modem is not ready: \(status.state.words)"
      } else if !isRegistered {
        "the modem is not registered in the network"
      } else {
        nil
      }
    tell(sending.accept(text, obstacle: obstacle))
  }

  /// Begins the next text that waits; false when there is none.
  mutating func sendNext(at now: BootInstant) -> Bool {
    while sending.isReady(at: now) {
      guard isRegistered else {
        refuseTexts("the modem is not registered in the network")
        return false
      }
      if ask(registration.question(at: now), at: now) { return true }
      let (beginning, events) = sending.begin(keepsLink: maker.profile.keepsLink, at: now)
      tell(events)
      switch beginning {
      case .refused: continue
      case .keepLink:
        open(
          ATCommand("AT+CMMS=1", timeout: configuration.timeouts.command), for: .setting, at: now)
      case .part: sendPart(at: now)
      }
      return true
    }
    return false
  }

  /// Hands the next part to the modem.
  mutating func sendPart(at now: BootInstant) {
    guard let command = sending.partCommand else { return }
    supply.sent(at: now)
    open(command, for: .textPart, at: now)
  }

  mutating func partAnswered(_ answer: ATAnswer, at now: BootInstant) {
    let pause = maker.profile.messagePause
    let text = sending.openText
    guard
      let (finding, events) = sending.answered(answer, error(in: answer), pause: pause, at: now)
    else { return }
    tell(events)
    switch finding {
    case .accepted:
      sendTroubles.accepted(by: text?.to)
      registration.tookText(at: now)
    case .refused(let error):
      registration.doubt(error)
      remedy(error, for: text, at: now)
    case .again: break
    case .lostMode: needsSetup = true
    case .silent: firstAnswer.mayAwaitText = true
    }
  }

  /// The text that is going out will not be finished.
  mutating func interruptText(_ reason: String, payloadLeft: Bool) {
    tell(sending.interrupt(reason, payloadLeft: payloadLeft, lines: dialogue.openLines))
  }

  mutating func refuseTexts(_ reason: String) {
    tell(sending.refuseAll(reason))
  }
}
