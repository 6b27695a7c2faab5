import GSM
import Timing

/// How one command ended.
enum CommandEnd: Hashable, Sendable {
  case ok
  /// `ERROR` without a reason.
  case error
  /// `+CME ERROR` (3GPP TS 27.007 9.2).
  case cme(Int)
  /// `+CMS ERROR` (3GPP TS 27.005 3.2.5).
  case cms(Int)
  /// Nothing yet: a prompt is out, or the network is asked.
  case later
}

/// Command lines.
extension SimulatedModem {
  /// Carries out a command line that begins with `AT`.
  mutating func run(_ text: String, at now: BootInstant) {
    effects.append(.command(text))
    busyUntil = max(busyUntil, now) + settings.commandDelay
    guard let commands = CommandText.split(text.dropFirst(2)) else {
      end(.error, at: now)
      return
    }
    // A line is left at the first command that fails (ITU-T V.250 5.3).
    for command in commands {
      let result = perform(command, at: now)
      guard result == .ok else {
        end(result, at: now)
        return
      }
    }
    end(.ok, at: now)
  }

  /// Says how a line ended.
  mutating func end(_ end: CommandEnd, at now: BootInstant) {
    switch end {
    case .ok: say(final: "OK", at: now)
    case .error: say(final: "ERROR", at: now)
    case .cme(let code):
      switch errorLevel {
      case 0: say(final: "ERROR", at: now)
      case 1: say(final: "+CME ERROR: \(code)", at: now)
      default: say(final: "+CME ERROR: \(ModemError(.cme, code: code).words)", at: now)
      }
    case .cms(let code):
      say(
        final: errorLevel == 2
          ? "+CMS ERROR: \(ModemError(.cms, code: code).words)" : "+CMS ERROR: \(code)", at: now)
    case .later: break
    }
  }

  private mutating func perform(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let end = basic(command, at: now) { return end }
    if let end = identity(command, at: now) { return end }
    if let end = general(command, at: now) { return end }
    if let end = network(command, at: now) { return end }
    if let end = messages(command, at: now) { return end }
    return .error
  }

  // MARK: The line itself

  private mutating func basic(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    let number = command.argument.isEmpty ? 0 : Int(command.argument) ?? -1
    switch command.name {
    case "E": return flag(number) { $0.echoes = $1 }
    case "V": return flag(number) { $0.isVerbose = $1 }
    case "Q": return flag(number) { $0.isQuiet = $1 }
    case "Z", "&F":
      echoes = true
      isVerbose = true
      isQuiet = false
      errorLevel = 0
      isTextMode = false
      return .ok
    case "I":
      say(settings.profile.manufacturer, at: now)
      say(settings.profile.model, at: now)
      say(settings.profile.revision, at: now)
      return .ok
    case "X", "L", "M", "&C", "&D", "&K", "&S", "&W", "H": return .ok
    default:
      guard command.name.hasPrefix("S"), Int(command.name.dropFirst()) != nil else { return nil }
      if command.form == .read { say("000", at: now) }
      return .ok
    }
  }

  private mutating func flag(
    _ number: Int, _ set: (inout SimulatedModem, Bool) -> Void
  ) -> CommandEnd {
    guard number == 0 || number == 1 else { return .error }
    set(&self, number == 1)
    return .ok
  }

  private mutating func identity(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    let text: String
    switch command.name {
    case "+CGMI", "+GMI": text = settings.profile.manufacturer
    case "+CGMM", "+GMM": text = settings.profile.model
    case "+CGMR", "+GMR": text = settings.profile.revision
    case "+CGSN", "+GSN": text = settings.imei
    case "+GCAP": text = "+GCAP: +CGSM"
    case "+CIMI":
      if let error = simError(now) { return .cme(error) }
      text = settings.imsi
    case "+CCID", "+ICCID", "^ICCID?":
      if let error = simError(now) { return .cme(error) }
      text = "+CCID: 8997701234567890123"
    case "+CNUM":
      if let error = simError(now) { return .cme(error) }
      text = "+CNUM: \"\",\"\(settings.number)\",\(settings.number.hasPrefix("+") ? 145 : 129)"
    default: return nil
    }
    if command.form == .test { return .ok }
    guard command.form == .execute else { return .error }
    say(text, at: now)
    return .ok
  }

  private mutating func general(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    switch (command.name, command.form) {
    case ("+CMEE", .set):
      guard let level = command.integer(0), (0...2).contains(level) else { return .error }
      errorLevel = level
    case ("+CMEE", .read): say("+CMEE: \(errorLevel)", at: now)
    case ("+CMEE", .test): say("+CMEE: (0-2)", at: now)
    case ("+CSCS", .set):
      guard let name = command.value(0), ["GSM", "IRA", "UCS2"].contains(name) else {
        return .cme(50)
      }
      characterSet = name
    case ("+CSCS", .read): say("+CSCS: \"\(characterSet)\"", at: now)
    case ("+CSCS", .test): say("+CSCS: (\"GSM\",\"IRA\",\"UCS2\")", at: now)
    case ("+CFUN", .set): return setFunction(command, at: now)
    case ("+CFUN", .read): say("+CFUN: \(function)", at: now)
    case ("+CFUN", .test): say("+CFUN: (0,1,4),(0,1)", at: now)
    case ("+CPIN", .read), ("+CPIN", .set): return pin(command, at: now)
    case ("+CPIN", .test): break
    case ("+CBC", .execute): say("+CBC: 0,87,4012", at: now)
    case ("+CCLK", .read): say("+CCLK: \"26/01/01,00:00:00+23\"", at: now)
    case ("+CCLK", .set), ("+CTZU", .set), ("+IFC", .set), ("+IPR", .set), ("+ICF", .set): break
    case ("+CTZR", .set):
      reportsTimeZone = command.integer(0) ?? 0
    case ("+CPAS", .execute): say("+CPAS: 0", at: now)
    case ("+CLCK", .set):
      guard command.value(0) == "SC", command.integer(1) == 2 else { return .cme(3) }
      say("+CLCK: \(settings.pin == nil ? 0 : 1)", at: now)
    case ("+CUSD", .set): return ussd(command, at: now)
    case ("+CUSD", .read): say("+CUSD: 1", at: now)
    case ("+CUSD", .test): say("+CUSD: (0-2)", at: now)
    default: return nil
    }
    return .ok
  }

  private mutating func setFunction(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let wanted = command.integer(0), [0, 1, 4].contains(wanted) else { return .cme(50) }
    if command.integer(1) == 1 {
      say(final: "OK", at: now)
      restart(at: now)
      return .later
    }
    if function != 1, wanted == 1 { registeredFrom = now + settings.registrationDelay }
    function = wanted
    return .ok
  }

  // MARK: SIM

  /// Why the SIM cannot be used, as a `+CME ERROR`; nil when it can.
  func simError(_ now: BootInstant) -> Int? {
    if !settings.hasSIM { return 10 }
    if let until = simBusyUntil, until > now { return 14 }
    if pinTries == 0 { return 12 }
    return isUnlocked ? nil : 11
  }

  /// The same as a `+CMS ERROR`.
  func messageError(_ now: BootInstant) -> Int? {
    switch simError(now) {
    case nil: nil
    case 10: 310
    case 14: 314
    case 12: 312
    default: 311
    }
  }

  private mutating func pin(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if !settings.hasSIM { return .cme(10) }
    if let until = simBusyUntil, until > now { return .cme(14) }
    if command.form == .read {
      say("+CPIN: \(pinTries == 0 ? "SIM PUK" : isUnlocked ? "READY" : "SIM PIN")", at: now)
      return .ok
    }
    if pinTries == 0 { return puk(command, at: now) }
    guard !isUnlocked else { return .cme(3) }
    guard command.value(0) == settings.pin else {
      pinTries -= 1
      return .cme(pinTries == 0 ? 12 : 16)
    }
    unlock(at: now)
    return .ok
  }

  private mutating func puk(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard command.value(1) != nil else { return .cme(12) }
    guard command.value(0) == settings.puk, pukTries > 0 else {
      pukTries = max(0, pukTries - 1)
      return .cme(pukTries == 0 ? 13 : 16)
    }
    unlock(at: now)
    return .ok
  }

  private mutating func unlock(at now: BootInstant) {
    pinTries = 3
    isUnlocked = true
    registeredFrom = now + settings.registrationDelay
  }

  /// The balance of a prepaid SIM, and nothing else.
  private mutating func ussd(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let mode = command.integer(0), (0...2).contains(mode) else { return .error }
    if mode == 2 { return .ok }
    guard let code = command.value(1) else { return .ok }
    if let error = simError(now) { return .cme(error) }
    guard [1, 5].contains(registration(now)) else { return .cme(30) }
    say(final: "OK", at: now)
    let text =
      code == "*901#" || code == "*100#"
      ? "Balance Rs \(credit ?? 100).00, valid until 2027-01-01" : "Unknown code"
    let time = max(now, busyUntil) + .seconds(1)
    pending.append(Pending(due: time, effect: .bytes(framed("+CUSD: 0,\"\(text)\",15"))))
    return .later
  }

  // MARK: Network

  private mutating func network(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    switch (command.name, command.form) {
    case ("+CREG", _), ("+CGREG", _), ("+CEREG", _):
      return registrationCommand(command, at: now)
    case ("+CSQ", .execute):
      say("+CSQ: \([1, 5].contains(registration(now)) ? settings.signal : 99),99", at: now)
    case ("+CSQ", .test): say("+CSQ: (0-31,99),(0-7,99)", at: now)
    case ("+COPS", .read):
      guard [1, 5].contains(registration(now)) else {
        say("+COPS: 0", at: now)
        return .ok
      }
      say(
        operatorFormat == 2 ? "+COPS: 0,2,\"42902\"" : "+COPS: 0,0,\"\(settings.operatorName)\"",
        at: now)
    case ("+COPS", .set):
      if command.integer(0) == 3, let format = command.integer(1) { operatorFormat = format }
    case ("+COPS", .test):
      say("+COPS: (2,\"\(settings.operatorName)\",\"\",\"42902\"),,(0-4),(0-2)", at: now)
    default: return nil
    }
    return .ok
  }

  private mutating func registrationCommand(
    _ command: CommandText, at now: BootInstant
  ) -> CommandEnd {
    let name = String(command.name.dropFirst())
    switch command.form {
    case .set:
      guard let level = command.integer(0), (0...2).contains(level) else { return .cme(50) }
      registrationReports[name] = level
    case .read:
      let level = registrationReports[name] ?? 0
      let status = registration(now)
      let cell = level == 2 && [1, 5].contains(status) ? ",\"00C3\",\"01A2F4\"" : ""
      say("\(command.name): \(level),\(status)\(cell)", at: now)
    case .test: say("\(command.name): (0-2)", at: now)
    case .execute: return .error
    }
    return .ok
  }
}
