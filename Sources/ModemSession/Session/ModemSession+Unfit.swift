import AT
import Time

/// A modem that takes no messages as PDUs: one of text mode alone, or one without text messages.
extension ModemSession {
  /// `AT+CMGF=0` was refused. A modem that has just started may refuse it, and one that lost its mind:
  /// those are helped by what is done about any trouble. What refuses it again is asked what it is.
  mutating func refusesPDUMode(_ result: String, at now: BootInstant) {
    pduRefusals += 1
    guard pduRefusals >= Limits.pduRefusals else {
      trouble("the modem refuses PDU mode (AT+CMGF=0): \(result)", at: now)
      return
    }
    openForms(of: .messageMode, form: 0, at: now)
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
    unfitReason = reason
    interruptText(reason, payloadLeft: false)
    refuseTexts(reason)
    refuseUSSD(reason)
    // Nothing that is done to it changes what it is.
    phase = .locked(until: now + Limits.unfitLookEvery)
  }

  /// The modem took PDU mode.
  mutating func takesPDUMode() {
    pduRefusals = 0
    unfitReason = nil
  }
}
