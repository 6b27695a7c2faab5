/// Something that happened in a simulated network, for whoever looks on.
public enum NetworkEvent: Hashable, Sendable {
  /// The service centre took a message.
  case submitted(NetworkMessage)
  /// The service centre refused one with this code.
  case refused(NetworkMessage, code: Int)
  /// A message reached its recipient.
  case delivered(NetworkMessage)
  /// A message waits for a recipient that is off, unregistered or full; told once for each.
  case waiting(NetworkMessage)
  /// A message left for a number that no simulated modem has.
  case left(NetworkMessage)
  /// A message was doubled on its way.
  case duplicated(NetworkMessage)
  /// A message was lost on its way.
  case lost(NetworkMessage)
  /// A message was not delivered within its validity period.
  case expired(NetworkMessage)
  /// The sender's modem was told what became of a message, with this TP-ST.
  case reported(NetworkMessage, status: UInt8)
}

/// A message in a simulated network.
public struct NetworkMessage: Hashable, Sendable {
  /// Its number in the network, from 1; a duplicate has that of its original, and so have the parts
  /// of a long text from outside.
  public var id: UInt64
  /// The sender's number or name.
  public var from: String
  /// The recipient's number.
  public var to: String
  /// The text, when it has one.
  public var text: String?
  /// The reference that the sender's modem gave it.
  public var reference: UInt8
}
