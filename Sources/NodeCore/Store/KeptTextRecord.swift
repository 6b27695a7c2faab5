public import Time

/// A text of an operator's as the store keeps it, from the moment that it was asked for.
public struct KeptTextRecord: Hashable, Sendable {
  /// Where a text stands.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// It waits for a modem, and can be withdrawn.
    case waiting
    /// It is with a modem.
    case sending
    /// The network took it.
    case accepted
    /// Modem or network refused it.
    case refused
    /// It never left this machine.
    case notSent = "not_sent"
    /// It left, and nobody knows what became of it; it is not sent again by itself.
    case unknown
    /// An operator withdrew it before it was begun.
    case withdrawn
  }

  /// Its number, which its events carry.
  public var id: TextID
  /// The number it goes to.
  public var recipient: String
  /// What it says.
  public var body: String
  /// Where it stands.
  public var state: State
  /// When it was asked for, by the wall clock.
  public var queuedAt: WallTime
  /// When it came to where it stands; nil while it waits.
  public var changedAt: WallTime?
  /// Why it was not accepted, in words.
  public var reason: String?
  /// The references it was accepted with, in the order of its parts.
  public var references: [UInt8]
  /// What the network reported of it; nil when nothing was reported.
  public var delivery: Delivery?

  /// A text and where it stands.
  public init(
    id: TextID, recipient: String, body: String, state: State, queuedAt: WallTime,
    changedAt: WallTime? = nil, reason: String? = nil, references: [UInt8] = [],
    delivery: Delivery? = nil
  ) {
    self.id = id
    self.recipient = recipient
    self.body = body
    self.state = state
    self.queuedAt = queuedAt
    self.changedAt = changedAt
    self.reason = reason
    self.references = references
    self.delivery = delivery
  }
}
