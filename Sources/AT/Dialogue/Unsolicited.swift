/// A result that a modem tells by itself (3GPP TS 27.005 3.4.1, 27.007 7.2 and others).
public enum Unsolicited: Hashable, Sendable {
  /// `+CMTI`: a message was put into a storage.
  case messageStored(storage: String, index: Int)
  /// `+CMTI` or `+CDSI` without a place, or with none that can be: something was stored somewhere.
  case storedSomewhere(String)
  /// `+CMT`: a message came directly; its PDU.
  case message(pdu: String)
  /// `+CDS`: a status report came directly; its PDU.
  case statusReport(pdu: String)
  /// `+CDSI`: a status report was put into a storage.
  case statusReportStored(storage: String, index: Int)
  /// `+CREG`, `+CGREG` or `+CEREG`: the registration changed.
  case registration(domain: RegistrationDomain, Registration)
  /// The modem restarted by itself: `RDY`, `^SYSSTART` and their like.
  case restarted(String)
  /// The modem has been started for some time, and something in it is ready now: `Call Ready`,
  /// `PB DONE`, `+CFUN: 1` and their like. It may have restarted without another word.
  case started(String)
  /// The message service is ready, after a start or another card: `SMS Ready`, `SMS DONE`.
  case messagesReady(String)
  /// The signal's strength by a maker's own result, in dBm; nil when not known.
  case signal(Int?)
  /// The SIM's state changed: `+CPIN:` and what stands after it.
  case sim(String)
  /// The storage for messages is full.
  case storageFull(String)
  /// The modem complains of something; the line.
  case trouble(ModemTrouble, String)
  /// `+CUSD`: what the network says in a USSD dialogue; the string as the modem gave it.
  case ussd(mode: Int, text: String?, coding: Int?)
  /// `+CTZE`, `+CTZV`, `+NITZ`, `^NWTIME`, `*PSUTTZ`: the network's time, as the modem gave it.
  case networkTime(String)
  /// Anything else: noise of the maker, `RING`.
  case other(String)

  /// What a line is when no command asked for it; nil when it looks like no unsolicited result.
  init?(line: String) {
    guard let mark = line.utf8.first else { return nil }
    let name = line.prefix { $0 != ":" }
    let value = line.dropFirst(name.count + 1).drop { $0 == " " }
    if Unsolicited.restarts.contains(where: { line.hasPrefix($0) }) {
      self = .restarted(line)
    } else if Unsolicited.starts.contains(where: { line.hasPrefix($0) }) {
      self = .started(line)
    } else if Unsolicited.tellsMessagesReady(line) {
      self = .messagesReady(line)
    } else if let trouble = ModemTrouble(line: line, name: name, value: value) {
      self = .trouble(trouble, line)
    } else if Unsolicited.isFullStorage(name: name, value: value) {
      self = .storageFull(String(value))
    } else if mark == UInt8(ascii: "+") {
      guard let known = Unsolicited(name: name, value: value, line: line) else { return nil }
      self = known
    } else if let maker = Unsolicited(maker: name, value: value, line: line) {
      self = maker
    } else if Unsolicited.words.contains(where: { line == $0 || line.hasPrefix($0 + ":") }) {
      self = .other(line)
    } else {
      return nil
    }
  }

  /// Whether a line begins a result of two lines, of which the second is a PDU.
  static func header(_ line: String) -> Header? {
    if line.hasPrefix("+CMT:") { return .message }
    if line.hasPrefix("+CDS:") { return .statusReport }
    if line.hasPrefix("+CBM:") { return .broadcast }
    return nil
  }

  /// The first line of a result of two.
  enum Header {
    case message
    case statusReport
    case broadcast

    func with(pdu: String) -> Unsolicited {
      switch self {
      case .message: .message(pdu: pdu)
      case .statusReport: .statusReport(pdu: pdu)
      case .broadcast: .other("+CBM")
      }
    }
  }

  private init?(name: Substring, value: Substring, line: String) {
    switch name {
    case "+CMTI", "+CDSI":
      let fields = Parameters(value)
      guard let storage = fields.text(0), !storage.isEmpty, let index = fields.integer(1),
        index >= 0
      else {
        self = .storedSomewhere(line)
        return
      }
      self =
        name == "+CMTI"
        ? .messageStored(storage: storage, index: index)
        : .statusReportStored(storage: storage, index: index)
    case "+CREG", "+CGREG", "+CEREG":
      guard let domain = RegistrationDomain(rawValue: String(name.dropFirst())),
        let status = Parameters(value).integer(0)
      else {
        self = .other(line)
        return
      }
      self = .registration(domain: domain, Registration(status))
    case "+CUSD":
      let fields = Parameters(value)
      guard let mode = fields.integer(0) else {
        self = .other(line)
        return
      }
      self = .ussd(mode: mode, text: fields.text(1), coding: fields.integer(2))
    case "+CTZE", "+CTZV", "+NITZ", "+CTZEU":
      self = .networkTime(line)
    case "+CPIN":
      self = .sim(String(value))
    default:
      guard Unsolicited.names.contains(where: { name == $0 }) else { return nil }
      self = .other(line)
    }
  }

  /// Results of makers: all that start with one of their marks.
  private init?(maker name: Substring, value: Substring, line: String) {
    guard let mark = name.first, "^*%$#&".contains(mark) else { return nil }
    switch name {
    case "^RSSI":
      self = .signal(SignalQuality(Int(value) ?? 99).decibelMilliwatts)
    case "^NWTIME", "*PSUTTZ":
      self = .networkTime(line)
    case "^SMMEMFULL":
      self = .storageFull(String(value))
    default:
      self = .other(line)
    }
  }

  private static let restarts = [
    "RDY", "^SYSSTART", "MODEM:STARTUP", "+SYSSTART", "APP RDY", "*ATREADY: 1", "+AT: READY",
    "+WIND: 3",
  ]

  /// They come up to half a minute after a start.
  private static let starts = ["Call Ready", "PB DONE", "+PBREADY", "*EMRDY: 1", "+CFUN: 1"]

  /// Quectel's modules say it in a `+QIND`.
  private static func tellsMessagesReady(_ line: String) -> Bool {
    var word = line[...]
    if line.hasPrefix("+QIND:") { word = line.dropFirst(6).drop { $0 == " " || $0 == "\"" } }
    return word.hasPrefix("SMS Ready") || word.hasPrefix("SMS DONE")
  }

  /// Other standard names that come unasked.
  private static let names = [
    "+CMT", "+CDS", "+CBM", "+CBMI", "+CUSD", "+CRING", "+CLIP", "+CIEV", "+CTZV", "+CTZE",
    "+CTZEU", "+CTZDST", "+CCWA", "+CSSI", "+CSSU", "+CGEV", "+CGREGURC", "+CFUN", "+QIND",
    "+QUSIM", "+CNEMIU", "+CNEMS1", "+ZPASR", "+ZUSIMR", "+ZDONR", "+ZEND", "+NITZ", "+CSQN",
    "+CNSMOD", "+COPN", "+XCALLSTAT", "+ECIND", "+EIND", "+PACSP0", "+PACSP1", "+STKPCI", "+SIM",
    "+CPI", "+CSMINS", "+CIREPI", "+CIREPH", "+CMGSI",
  ]

  /// Words without a mark.
  private static let words = [
    "RING", "NO CARRIER", "BUSY", "NO ANSWER", "NO DIALTONE", "NO DIAL TONE", "VOICE CALL",
    "MISSED_CALL", "OPERATOR",
  ]
}
