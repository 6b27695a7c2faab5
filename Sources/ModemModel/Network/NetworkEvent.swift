/// Something that happened in a simulated network, for whoever looks on.
public enum NetworkEvent: Hashable, Sendable {
  /// The service centre took a message.
  case submitted(NetworkMessage)
  /// The service centre refused one with this code.
  case refused(NetworkMessage, code: Int)
  /// A message reached its recipient.
  case delivered(NetworkMessage)
  /// A message left for a number that no simulated modem has.
  case left(NetworkMessage)
  /// A message was lost on its way.
  case lost(NetworkMessage)
  /// A message was not delivered within its validity period.
  case expired(NetworkMessage)
}

/// A message in a simulated network.
public struct NetworkMessage: Hashable, Sendable {
  /// Its number in the network, from 1; a duplicate has that of its original.
  public var id: UInt64
  public var from: String
  public var to: String
  /// The text, when it has one.
  public var text: String?
  /// The reference that the sender's modem gave it.
  public var reference: UInt8
}
