import GSM

extension ModemError {
  /// Whether the network may have taken a text although the modem said this, `elapsed` after it was
  /// handed the PDU.
  ///
  /// Some modems answer "unknown error" or `ERROR` to a text that the network took, when its answer
  /// came late or they could not read it. A number of the network's or of the modem's own is a refusal
  /// whenever it comes. What has no number is one at once: no network answers within a second.
  func leavesDoubt(after elapsed: Duration) -> Bool {
    if isOutcomeUnknown { return true }
    switch (kind, code) {
    // "Unknown error", 3GPP TS 27.005 3.2.5 and 27.007 9.2.2.1.
    case (.cms, 500), (.cme, 500), (.cme, 100): return true
    case (.plain, _), (_, nil): return elapsed >= Limits.ownRefusalWithin
    default: return false
    }
  }
}
