import GSM
import Time

/// What a list of messages, or the reading of one, that is refused tells of the modem.
struct ListTroubles: Hashable, Sendable {
  /// What is done about it.
  enum Remedy: Hashable, Sendable {
    /// The SIM or the message service is not there yet: once more, after a moment.
    case again
    /// Every setting is made again: another program may have left text mode or another storage.
    case setUpAgain
    /// Nothing but the next look.
    case wait
  }

  private var busy = 0
  private var setUpAt: BootInstant?

  /// A list was given.
  mutating func listed() {
    busy = 0
    setUpAt = nil
  }

  /// A list was refused.
  mutating func refused(_ error: ModemError?, at now: BootInstant) -> Remedy {
    if error?.isSIMBusy == true {
      busy += 1
      if busy <= Limits.busyLists { return .again }
      busy = 0
      return .wait
    }
    // Some call an empty storage so.
    if error?.kind == .cms, error?.code == 321 { return .wait }
    if let setUpAt, now - setUpAt < Limits.setUpsForLists { return .wait }
    setUpAt = now
    return .setUpAgain
  }
}
