public import AT
public import Events
public import GSM

/// What became of a text.
public enum SendOutcome: Hashable, Sendable {
  /// The network took it; one reference for each of its messages, in order.
  case accepted(references: [UInt8])
  /// Modem or network said no: it is known not to have gone out.
  case refused(ModemError)
  /// It never left this machine: no modem, no registration, or the port went away before.
  case notSent(reason: String)
  /// It left, and no answer told what became of it. It may have arrived; sending it again may make
  /// two of it.
  case unknown(reason: String)
}

/// A message that a modem received: a text, a part of one, or a status report.
public struct InboundPDU: Hashable, Sendable {
  /// Confirm with this once it is on disk.
  public var token: UInt64
  /// What came, read once: whoever handles it reads it here.
  public let pdu: ReceivedPDU
  /// The modem's storage it lies in (`SM`, `ME`); nil when it came directly and lies nowhere.
  public var storage: String?
  /// Its place in that storage.
  public var index: Int?

  /// SMSC part and TPDU, as the modem gave them.
  public var hex: String { pdu.hex }

  /// A message.
  public init(token: UInt64, hex: String, storage: String? = nil, index: Int? = nil) {
    self.token = token
    pdu = ReceivedPDU(hex: hex)
    self.storage = storage
    self.index = index
  }
}

/// What became of a USSD request: a prepaid SIM's balance, mostly.
public enum USSDOutcome: Hashable, Sendable {
  /// The network's text; it is over.
  case answered(String)
  /// The network's text, which asks for an answer; the dialogue was ended all the same.
  case asked(String)
  /// Modem or network refused, or nothing came in time.
  case refused(String)
}

/// What a modem's driver tells.
public enum ModemEvent: Hashable, Sendable {
  /// Something of the modem's status changed.
  case status(ModemStatus)
  /// What became of the text with this id.
  case sendOutcome(id: Int64, SendOutcome)
  /// A message came in; the modem keeps it until its token is confirmed.
  case received(InboundPDU)
  /// The answer to an operator's command: its lines, and the final result as the modem gave it, or
  /// why there is none in words.
  case commandFinished(id: Int64, lines: [String], final: String)
  /// What the network answered to a USSD request.
  case ussdFinished(id: Int64, USSDOutcome)
  /// What was last said on the line.
  case trace(id: Int64, ModemTrace)
  /// What the network says the time is.
  case networkTime(NetworkTime)
  /// The modem's choice of access technologies is about to be changed, and this puts it back: to be
  /// remembered over restarts, before anything else is done. Nil: there is nothing to put back.
  case accessChanged(AccessNote?)
  /// Something for the log.
  case log(Event)
}
