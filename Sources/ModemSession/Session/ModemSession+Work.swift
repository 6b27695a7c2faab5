import AT
import GSM
import Time

/// What a session has in hand.
extension ModemSession {
  /// A text that is going out, part by part.
  struct SendingText: Sendable {
    var text: OutgoingText
    var parts: [EncodedPDU]
    var references: [UInt8] = []
    /// When the PDU of the latest part was handed to the modem.
    var leftAt: BootInstant?
  }

  /// A place in a storage.
  struct StoragePlace: Hashable, Sendable {
    var storage: String
    var index: Int
  }

  /// A message that was told and is not confirmed yet.
  struct ToldMessage: Hashable, Sendable {
    var place: StoragePlace
    var pdu: String
  }

  /// Messages of which each follows the one before while the network's link is still there.
  struct Burst: Hashable, Sendable {
    /// A message until then belongs to it.
    var lasts = BootInstant.zero
    /// Whether the modem was told to keep the link; it forgets that with the link.
    var keepsLink = false
  }

  /// An operator's command that waits.
  struct OperatorCommand: Sendable {
    var id: Int64
    var text: String
    var timeout: Duration
  }

  /// What is looked at from time to time while all is well: one command a check, and the registration
  /// at every fifth, as the modem tells its changes by itself.
  mutating func dueChecks(at now: BootInstant) {
    checks = [.signal]
    // Not even a search: the SIM may be gone or locked, of which many modems say nothing.
    if !isRegistered, !registrations.values.contains(where: { $0 != .notSearching }) {
      checks.append(.simState)
    }
    if nextRegistrationCheck <= now || !isRegistered {
      checks += SetupStep.registration
      if isRegistered, access.nextLook <= now, !isLeftOut(.network) {
        checks.append(.network)
        access.nextLook = now + Limits.accessEvery
      }
      if nextClockCheck <= now, !isLeftOut(.clock) { checks.append(.clock) }
      nextRegistrationCheck = now + configuration.checkInterval * 5
    }
    nextCheck = now + (isRegistered ? configuration.checkInterval : configuration.searchInterval)
    supply.forget(at: now)
    keepAccess(at: now)
    seekNetwork(at: now)
  }
}
