import GSM
import Timing

/// What a session has in hand.
extension ModemSession {
  /// A text that is going out, part by part.
  struct SendingText: Sendable {
    var text: OutgoingText
    var parts: [EncodedPDU]
    var references: [UInt8] = []
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
}
