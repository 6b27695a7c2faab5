/// A message in a storage, as `AT+CMGL` and `AT+CMGR` give it in PDU mode (3GPP TS 27.005 4.1, 4.2).
public struct StoredMessage: Hashable, Sendable {
  /// Where a message stands: `<stat>`.
  public enum State: Int, Hashable, Sendable {
    /// Received, and not read yet: `REC UNREAD`.
    case receivedUnread = 0
    /// Received, and read before: `REC READ`.
    case receivedRead = 1
    /// Written by the terminal, and not sent: `STO UNSENT`.
    case storedUnsent = 2
    /// Written by the terminal, and sent: `STO SENT`.
    case storedSent = 3
  }

  /// Its place in the storage; nil in the answer to `AT+CMGR`, which was asked for by it.
  public var index: Int?
  /// Where it stands; nil when the modem gave none that is known.
  public var state: State?
  /// SMSC part and TPDU.
  public var pdu: String

  /// The messages of an answer. Header and PDU belong together line by line; a header whose PDU is
  /// missing is left out, as there is nothing to read.
  public static func messages(in answer: ATAnswer) -> [StoredMessage] {
    guard let prefix = answer.command.prefix else { return [] }
    let isList = prefix == "+CMGL:"
    var messages: [StoredMessage] = []
    var header: Parameters?
    for line in answer.lines {
      if line.hasPrefix(prefix) {
        header = Parameters(line.dropFirst(prefix.count))
      } else if let found = header, line.isHexadecimal {
        let state = found.integer(isList ? 1 : 0).flatMap { State(rawValue: $0) }
        messages.append(
          StoredMessage(index: isList ? found.integer(0) : nil, state: state, pdu: line))
        header = nil
      }
    }
    return messages
  }
}
