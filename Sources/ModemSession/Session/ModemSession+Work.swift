import AT
import GSM
import Time

/// What a session has in hand.
extension ModemSession {
  /// An operator's command that waits.
  struct OperatorCommand: Sendable {
    var id: Int64
    var text: String
    var timeout: Duration
  }

  /// Checks fell due.
  mutating func dueChecks(at now: BootInstant) {
    checks.fallDue(registration, setup, configuration, at: now)
    supply.forget(at: now)
    keepAccess(at: now)
    seekNetwork(at: now)
  }
}
