/// A text to send, with the id under which its outcome comes back.
public struct OutgoingText: Hashable, Sendable {
  /// The attempt's id, given by the store; comes back with the outcome.
  public var id: Int64
  /// The recipient's number: `+977…` or a short code.
  public var to: String
  /// The text itself; becomes several messages when it does not fit one.
  public var body: String
  /// How long the network keeps trying to deliver; nil leaves it to the network.
  public var validity: Duration?
  /// Whether the network is asked to report what became of it.
  public var requestStatusReport: Bool
  /// Whether this number is known to have taken texts of this card before.
  public var isToKnownNumber = false

  /// A text.
  public init(
    id: Int64, to: String, body: String, validity: Duration? = nil,
    requestStatusReport: Bool = true
  ) {
    self.id = id
    self.to = to
    self.body = body
    self.validity = validity
    self.requestStatusReport = requestStatusReport
  }
}

/// What can be asked of a modem's driver.
public enum ModemRequest: Hashable, Sendable {
  /// Send this text; exactly one ``ModemEvent/sendOutcome(id:_:)`` answers.
  case send(OutgoingText)
  /// What was received under this token is on disk; the modem may forget it.
  case confirmStored(token: UInt64)
  /// Write an operator's command line, and answer with ``ModemEvent/commandFinished(id:lines:final:)``.
  case command(id: Int64, text: String, timeout: Duration)
  /// Ask the network by USSD (`AT+CUSD`, 3GPP TS 27.007 7.15); ``ModemEvent/ussdFinished(id:_:)``
  /// answers.
  case ussd(id: Int64, code: String)
  /// Take this step now, or without one the best that this modem and this machine have;
  /// ``ModemEvent/commandFinished(id:lines:final:)`` answers when it was begun, with the name of the
  /// step as its line.
  case reset(id: Int64, RecoveryStep?)
  /// Hand over what was last said on the line, with numbers and texts only when `isWhole`;
  /// ``ModemEvent/trace(id:_:)`` answers.
  case trace(id: Int64, isWhole: Bool)
  /// Look now for stored messages of which the modem said nothing.
  case sweep
  /// Finish what is being sent, close the port and end.
  case stop
}
