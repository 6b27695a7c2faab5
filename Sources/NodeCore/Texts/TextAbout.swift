public import Passages

/// Which text a fact is about, as far as that is known when it is told.
public struct TextAbout: Hashable, Sendable {
  /// Its number.
  public var id: TextID
  /// The passage it is for; nil for an operator's text, and for one that was given up before.
  public var client: ClientID?
  /// The modem that it went to.
  public var modem: ModemID?
  /// The number it is for.
  public var to: String?
  /// Whom its passage goes to by it; nil for a text of no passage, and for one that was given up before.
  public var recipient: TextRecipient?
  /// The how-manieth text for its passage it is, those that are known not to have left the machine not
  /// counted; nil for an operator's text.
  public var attempt: Int?

  /// A text of which no more than its number is known.
  public init(_ id: TextID) {
    self.id = id
  }

  /// A text that is with a modem.
  init(_ flight: InFlightText, by modem: ModemID) {
    id = flight.id
    client = flight.due?.clientID
    self.modem = modem
    to = flight.to
    recipient = flight.due?.recipient
    attempt = flight.due.map { $0.textAttempts + $0.refusals + 1 }
  }
}
