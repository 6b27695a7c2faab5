import AT
import GSM
import Time

/// USSD: the requests between everything else.
extension ModemSession {
  mutating func acceptUSSD(_ id: Int64, _ code: String) {
    let obstacle: String? =
      if phase != .idle || isStopping {
        "the modem is not ready: \(status.state.words)"
      } else if !isRegistered {
        "the modem is not registered in the network"
      } else {
        nil
      }
    tell(ussd.accept(id, code, obstacle: obstacle))
  }

  /// Opens the next request; false when none waits, or one is out.
  mutating func nextUSSD(at now: BootInstant) -> Bool {
    guard let command = ussd.next(configuration.timeouts, at: now) else { return false }
    open(command, for: .ussd, at: now)
    return true
  }

  /// The modem took the request or did not. Its answer may have come already.
  mutating func ussdAnswered(_ answer: ATAnswer) {
    guard case .failed(let result) = answer.ending else { return }
    tell(ussd.refused(error(in: answer).map { "\($0)" } ?? result))
  }

  mutating func heardUSSD(mode: Int, text: String?, coding: Int?, at now: BootInstant) {
    apply(ussd.heard(mode: mode, text: text, coding: coding, at: now))
  }

  mutating func expireUSSD(at now: BootInstant) {
    apply(ussd.expire(isOpen: purpose == .ussd, at: now))
  }

  mutating func refuseUSSD(_ reason: String) {
    tell(ussd.refuseAll(reason))
  }

  private mutating func apply(_ result: USSDState.Result) {
    if result.cancels {
      settings.append(ATCommand("AT+CUSD=2", timeout: configuration.timeouts.command))
    }
    tell(result.event)
  }
}
