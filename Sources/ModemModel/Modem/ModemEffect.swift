public import GSM

/// What a simulated modem wants done outside.
public enum ModemEffect: Hashable, Sendable {
  /// These bytes come out of its line now.
  case bytes([UInt8])
  /// A message leaves for the network; the answer is ``SimulatedModem/submissionAnswered(_:at:)``.
  case submitted(Submission)
  /// Messages that could not be delivered may be tried again: it has registered, or has room.
  case reachable
  /// The message that was answered with ``DeliveryAnswer/later`` is taken, or is not.
  case acknowledged(Bool)
  /// A message was stored, read for the first time, or deleted; for an onlooker.
  case storeChanged(StoreChange)
  /// A command line came, for an onlooker.
  case command(String)
  /// Its plug is pulled: nothing comes out of it until ``SimulatedModem/powerCycled(at:)``.
  case unplugged(UnpluggedModem)
}

/// A message on its way from a modem to the network.
public struct Submission: Hashable, Sendable {
  /// The message, with the reference that the modem gave it.
  public var message: SMSSubmit
  /// SMSC part and TPDU as they came, without that reference.
  public var pdu: [UInt8]
}

/// What the network says to a message.
public enum SubmissionAnswer: Hashable, Sendable {
  /// It took it.
  case accepted
  /// It refused it with this `+CMS ERROR` (3GPP TS 24.011 8.2.5.4).
  case refused(Int)
}

/// What a modem says to a message from the network.
public enum DeliveryAnswer: Hashable, Sendable {
  /// It took it.
  case taken
  /// It is not reachable, or has no room.
  case refused
  /// Its terminal has to say, by `AT+CNMA`; ``ModemEffect/acknowledged(_:)`` tells.
  case later
}

/// A change of a modem's storage that a person did not make.
public struct StoreChange: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable {
    /// A message was put at the place.
    case stored
    /// The message at the place was read, and counts as read from now on.
    case read
    /// The message at the place was removed.
    case deleted
  }

  /// What happened.
  public var kind: Kind
  /// The storage's name: `SM`, `ME` or `SR`.
  public var storage: String
  /// The message's place in it, from 1.
  public var index: Int
}
