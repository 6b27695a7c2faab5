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
  /// The message service is ready, after a start or with another SIM: `SMS Ready`, `SMS DONE`.
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
  init?(line: String, among lines: UnsolicitedLines) {
    guard let mark = line.utf8.first else { return nil }
    let name = line.prefix { $0 != ":" }
    let value = line.dropFirst(name.count + 1).drop { $0 == " " }
    if lines.restarts.contains(where: { line.hasPrefix($0) }) {
      self = .restarted(line)
    } else if lines.starts.contains(where: { line.hasPrefix($0) }) {
      self = .started(line)
    } else if lines.messagesReady.contains(where: { line.hasPrefix($0) }) {
      self = .messagesReady(line)
    } else if let known = Unsolicited(standard: name, value: value, line: line) {
      self = known
    } else if let known = Unsolicited(lines, name, value: value, line: line) {
      self = known
    } else if ModemTrouble.isVoltage(line) {
      self = .trouble(.supply, line)
    } else if "^*%$#&".utf8.contains(mark) {
      self = .other(line)
    } else if lines.noise.contains(where: { line == $0 || line.hasPrefix($0 + ":") }) {
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

  /// What a result of the standards says; nil when it is none that matters.
  private init?(standard name: Substring, value: Substring, line: String) {
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
    case "+CPIN":
      self = .sim(String(value))
    default: return nil
    }
  }

  /// What a result tells by the rules for its name; nil when there are none, or none fits.
  private init?(_ lines: UnsolicitedLines, _ name: Substring, value: Substring, line: String) {
    for rule in lines.named[String(name)] ?? [] {
      if let known = Unsolicited(rule, value: value, line: line, lines.indicators) {
        self = known
        return
      }
    }
    return nil
  }

  private init?(
    _ rule: UnsolicitedLines.Rule, value: Substring, line: String, _ indicators: [String]
  ) {
    switch rule {
    case .signal: self = .signal(SignalQuality(Int(value) ?? 99).decibelMilliwatts)
    case .networkTime: self = .networkTime(line)
    case .storageFull: self = .storageFull(String(value))
    case .storageFullUnlessZero:
      guard let state = Parameters(value).integer(0), state != 0 else { return nil }
      self = .storageFull(String(value))
    case .storageFullEvent:
      let fields = Parameters(value)
      let place = fields.integer(0).map { $0 - 1 }
      let name =
        place.map { indicators.indices.contains($0) ? indicators[$0] : nil } ?? fields.text(0)
      guard name?.lowercased() == "smsfull", fields.integer(1) != 0 else { return nil }
      self = .storageFull(String(value))
    case .messagesReady(let words):
      let value = value.drop { $0 == " " || $0 == "\"" }
      guard words.contains(where: { value.hasPrefix($0) }) else { return nil }
      self = .messagesReady(line)
    case .trouble(let trouble): self = .trouble(trouble, line)
    case .troubleUnlessZero(let trouble, let place):
      guard let state = Parameters(value).integer(place), state != 0 else { return nil }
      self = .trouble(trouble, line)
    case .troubleBeginning(let trouble, let words):
      guard words.contains(where: { value.hasPrefix($0) }) else { return nil }
      self = .trouble(trouble, line)
    case .noise: self = .other(line)
    }
  }

  /// Whether a line has the form of a result with a name: a mark, capital letters and digits, and
  /// nothing more or a colon. Bare text never has.
  static func hasName(_ line: String) -> Bool {
    guard let mark = line.utf8.first, "+^*%$#&_!@".utf8.contains(mark) else { return false }
    let name = line.utf8.dropFirst().prefix {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
    }
    guard name.count > 1, let first = name.first, (0x41...0x5A).contains(first) else {
      return false
    }
    let rest = line.utf8[name.endIndex...].drop { $0 == 0x20 }
    return rest.isEmpty || rest.first == UInt8(ascii: ":")
  }
}
