import Time

/// What is known of the SIM card, and what was done about it.
struct SIMState: Sendable {
  /// A PIN that is being tried, or of which nobody knows what became of it.
  struct Claim: Hashable, Sendable {
    /// The card's number, where it told it.
    var card: String?
  }

  /// The number of the card itself.
  var number: String?
  /// How often the PIN may still be tried, where the card tells.
  var attemptsLeft: Int?
  /// Whether the PIN was tried on it.
  var isPINTried = false
  /// Whether it took the PIN when that was tried last.
  var isPINAccepted = false
  /// The try whose outcome was not heard.
  var claim: Claim?
  /// How often in a row it was too busy for the PIN.
  var busyTries = 0
  /// Why it cannot be used, while that is looked at again.
  var lockReason: String?
  /// Since when it has been missing, or has not answered.
  var missingSince: BootInstant?
  /// When the modem was started anew for it.
  var startedAnew: BootInstant?

  /// Another modem, or the same after a while: what it told is forgotten, what was done is not.
  mutating func forget() {
    number = nil
    attemptsLeft = nil
    lockReason = nil
    if isPINAccepted { isPINTried = false }
  }
}
