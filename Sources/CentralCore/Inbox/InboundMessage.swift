public import GSM
public import Time

/// Who handed a message to the central, by the name under which it is kept. Each ``WebhookProvider`` has
/// its own.
public struct Provider: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
  /// The name: `modem`.
  public let rawValue: String

  /// Whoever has that name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Whoever has that name.
  public init(stringLiteral name: String) {
    rawValue = name
  }

  /// The central's own modem.
  public static let modem: Provider = "modem"
}

/// A message as it came in, whoever brought it. It is kept as it is before anybody is told that it
/// arrived.
public struct InboundMessage: Hashable, Sendable {
  /// What was handed over.
  public enum Content: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A PDU, as a modem gives it.
    case pdu(ReceivedPDU)
  }

  /// Who handed it over.
  public var provider: Provider
  /// What tells it from all others of that provider: a message identifier, or the PDU itself.
  public var providerID: String
  /// The number or the name it says it comes from; empty when that stands in the PDU.
  public var from: String
  /// The number it went to, when it is known.
  public var to: String?
  /// What was handed over, before anything of it is read.
  public var content: Content
  /// When it came in, by the central's wall clock.
  public var receivedAt: WallTime

  /// A message whose text is whole.
  public init(
    provider: Provider, providerID: String, from: String, to: String? = nil, text: String,
    receivedAt: WallTime
  ) {
    self.provider = provider
    self.providerID = providerID
    self.from = from
    self.to = to
    content = .text(text)
    self.receivedAt = receivedAt
  }

  /// A message as the central's modem received it. What is the same in what the network hands over
  /// once more tells it from others: its sender, the second in which the service centre took it, and
  /// its content; without a time it is the whole PDU.
  public init(_ pdu: ReceivedPDU, receivedAt: WallTime) {
    provider = .modem
    providerID = pdu.identity
    from = ""
    content = .pdu(pdu)
    self.receivedAt = receivedAt
  }
}

/// A message in the form in which every store can keep it: without NUL, and no longer than is kept.
public struct KeptMessage: Hashable, Sendable {
  /// Who handed it over.
  public let provider: Provider
  /// What tells it from all others of that provider.
  public let providerID: String
  /// The number or the name it says it comes from.
  public let from: String
  /// The number it went to, when it is known.
  public let to: String?
  /// The text, or the PDU in hexadecimal digits.
  public let body: String
  /// Whether `body` is a PDU.
  public let isPDU: Bool
  /// When it came in.
  public let receivedAt: WallTime

  /// The form of a message.
  public init(_ message: InboundMessage) {
    provider = message.provider
    providerID = KeptMessage.visible(message.providerID)
    from = KeptMessage.visible(message.from)
    to = message.to.map { KeptMessage.visible($0) }
    let whole: String
    switch message.content {
    case .text(let text): (whole, isPDU) = (text, false)
    case .pdu(let pdu): (whole, isPDU) = (pdu.hex, true)
    }
    body = KeptMessage.visible(String(whole.prefix(Limits.bodyCharacters)))
    receivedAt = message.receivedAt
  }

  /// A text with a visible sign (U+2400) where it has a NUL, which no database keeps in a text: what
  /// comes after it would be lost, and what comes before it be taken for all there was.
  private static func visible(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
  }
}
