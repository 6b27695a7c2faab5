import GSM

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

  /// The message that it happened to.
  public var message: NetworkMessage {
    switch self {
    case .submitted(let message), .refused(let message, _), .delivered(let message),
      .waiting(let message), .left(let message), .duplicated(let message), .lost(let message),
      .expired(let message), .reported(let message, _):
      message
    }
  }

  /// What it is called.
  private var name: String {
    switch self {
    case .submitted: "submitted"
    case .refused: "refused"
    case .delivered: "delivered"
    case .waiting: "waiting"
    case .left: "left"
    case .duplicated: "duplicated"
    case .lost: "lost"
    case .expired: "expired"
    case .reported: "reported"
    }
  }

  /// The event as words of a ``NetworkSignal``.
  var words: [String] {
    var words = [
      name, "\(message.id)", message.from, message.to, "\(message.reference)",
    ]
    switch self {
    case .refused(_, let code): words.append("\(code)")
    case .reported(_, let status): words.append("\(status)")
    case .submitted: words.append(message.pdu ?? "0")
    default: words.append("0")
    }
    if let text = message.text { words.append(text) }
    return words
  }

  /// The event of such words; nil when they are none.
  init?(words: [String]) {
    guard words.count == 6 || words.count == 7, let id = UInt64(words[1]),
      let reference = UInt8(words[4])
    else { return nil }
    let isSubmitted = words[0] == "submitted"
    guard let number = isSubmitted ? 0 : Int(words[5]), (0...999).contains(number) else {
      return nil
    }
    var message = NetworkMessage(
      id: id, from: words[2], to: words[3], text: words.count == 7 ? words[6] : nil,
      reference: reference)
    if isSubmitted, words[5] != "0" {
      guard (try? Hex.decode(words[5])) != nil else { return nil }
      message.pdu = words[5]
    }
    switch words[0] {
    case "submitted": self = .submitted(message)
    case "refused": self = .refused(message, code: number)
    case "delivered": self = .delivered(message)
    case "waiting": self = .waiting(message)
    case "left": self = .left(message)
    case "duplicated": self = .duplicated(message)
    case "lost": self = .lost(message)
    case "expired": self = .expired(message)
    case "reported":
      guard let status = UInt8(exactly: number) else { return nil }
      self = .reported(message, status: status)
    default: return nil
    }
  }
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
  /// What the sender's modem handed over, in hexadecimal digits after an SMSC part of `00`; nil but
  /// where that is told.
  public var pdu: String?

  /// A message of these parts.
  public init(id: UInt64, from: String, to: String, text: String?, reference: UInt8) {
    self.id = id
    self.from = from
    self.to = to
    self.text = text
    self.reference = reference
  }
}
