public import Time

/// A message of the node's inbox.
public struct InboxMessage: Hashable, Sendable {
  /// Its number in the inbox.
  public var id: Int64
  /// The name of the modem that received it.
  public var modem: String?
  /// When it came.
  public var receivedAt: WallTime
  /// What it is: `deliver`, `part`, `data`, `indication`, `status_report` or `undecodable`.
  public var kind: String
  /// The number or the name it says it comes from.
  public var sender: String?
  /// What it says.
  public var text: String?
  /// The message class; 0 was meant for the display.
  public var messageClass: Int?
  /// How often the network handed it over.
  public var times: Int
  /// The message that it has become a piece of.
  public var wholeID: Int64?
  /// What a status report says: `delivered`, `trying`, `failed` or `expired`.
  public var delivery: String?
  /// What is wrong with it: `missing_parts`, or why it cannot be read.
  public var error: String?

  /// A message of the inbox.
  public init(
    id: Int64, modem: String? = nil, receivedAt: WallTime, kind: String, sender: String? = nil,
    text: String? = nil, messageClass: Int? = nil, times: Int, wholeID: Int64? = nil,
    delivery: String? = nil, error: String? = nil
  ) {
    self.id = id
    self.modem = modem
    self.receivedAt = receivedAt
    self.kind = kind
    self.sender = sender
    self.text = text
    self.messageClass = messageClass
    self.times = times
    self.wholeID = wholeID
    self.delivery = delivery
    self.error = error
  }
}
