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
  /// SMSC part and TPDU, as the modem gave them: an odd count of digits is that of a damaged one.
  public var pdu: String

  /// The messages of an answer. Header and PDU belong together line by line; a header whose PDU is
  /// missing is left out, as there is nothing to read.
  public static func messages(in answer: ATAnswer) -> [StoredMessage] {
    read(answer).messages
  }

  /// The places of a list whose message has no PDU, or none that is one.
  public static func unreadable(in answer: ATAnswer) -> [Int] {
    read(answer).unreadable
  }

  private static func read(
    _ answer: ATAnswer
  ) -> (messages: [StoredMessage], unreadable: [Int]) {
    guard let prefix = answer.command.prefix else { return ([], []) }
    let isList = prefix == "+CMGL:"
    var messages: [StoredMessage] = []
    var unreadable: [Int] = []
    var header: Parameters?
    func endWithoutPDU() {
      if isList, let place = header?.integer(0) { unreadable.append(place) }
    }
    for line in answer.lines {
      if line.hasPrefix(prefix) {
        endWithoutPDU()
        header = Parameters(line.dropFirst(prefix.count))
      } else if let found = header, let pdu = line.pdu {
        let state = found.integer(isList ? 1 : 0).flatMap { State(rawValue: $0) }
        messages.append(
          StoredMessage(index: isList ? found.integer(0) : nil, state: state, pdu: pdu))
        header = nil
      }
    }
    endWithoutPDU()
    return (messages, unreadable)
  }
}
