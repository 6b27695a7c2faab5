import AT
import Events
import Time

/// A modem that takes no messages as PDUs: one of text mode alone, or one without text messages.
extension ModemSession {
  /// `AT+CMGF=0` was refused.
  mutating func refusesPDUMode(_ result: String, at now: BootInstant) {
    if setup.refusedPDUMode(at: now) {
      openForms(of: .messageMode, form: 0, at: now)
    } else {
      trouble("the modem refuses PDU mode (AT+CMGF=0): \(result)", at: now)
    }
  }

  /// The modem told its mode, or refused that too.
  mutating func toldMode(_ answer: ATAnswer, at now: BootInstant) {
    let reason =
      answer.ending == .ok && answer.value != nil
      ? "the modem sends texts in text mode only and refuses PDU mode (AT+CMGF=0), which is needed here;"
        + " use another modem, or another firmware"
      : "the modem has no text messages (it refuses AT+CMGF); use another modem, or the port of this"
        + " one that takes them"
    if status.lastError != reason { log("modem_unfit", .error, reason) }
    status.lastError = reason
    setup.unfitReason = reason
    dropWork(reason)
    // Nothing that is done to it changes what it is.
    phase = .locked(until: now + Limits.unfitLookEvery)
  }
}
