import GSM
import Time

/// How one command ended.
enum CommandEnd: Hashable, Sendable {
  case ok
  /// `ERROR` without a reason.
  case error
  /// `+CME ERROR` (3GPP TS 27.007 9.2).
  case cme(Int)
  /// `+CMS ERROR` (3GPP TS 27.005 3.2.5).
  case cms(Int)
  /// A call that cannot be made.
  case noCarrier
  /// Nothing yet, or all is said: a prompt is out, or the network is asked.
  case later
}

/// Command lines, and the commands that every modem has.
extension SimulatedModem {
  /// Carries out a command line that begins with `AT`.
  mutating func run(_ text: String, at now: BootInstant) {
    effects.append(.command(text))
    guard hears(text, at: now) else { return }
    hasSaid = false
    busyUntil = max(busyUntil, now) + settings.commandDelay + faults.slowness
    defer { cutAnswer(at: now) }
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
    case .ok where hasSaid && faults.answersWithoutResult: break
    case .ok: say(final: "OK", at: now)
    case .error: say(final: "ERROR", at: now)
    case .noCarrier: say(final: "NO CARRIER", at: now)
    case .cme(let code):
      say(final: errorLevel == 0 ? "ERROR" : failure(.cme, code), at: now)
    // It has its number whatever `+CMEE` says, except that it has words where that asks for them.
    case .cms(let code):
      say(final: failure(.cms, settings.profile.ownCodes[code] ?? code), at: now)
    case .later: break
    }
  }

  /// A failure with its reason.
  private func failure(_ family: ModemError.Kind, _ code: Int) -> String {
    let isMessage = (family == .cms) != faults.errorsAreSwapped
    let name = isMessage ? "+CMS ERROR" : "+CME ERROR"
    if faults.errorsAreBare { return name }
    let hasWords = errorLevel == 2 || faults.errorsAreWords
    return "\(name): \(hasWords ? ModemError(family, code: code).words : String(code))"
  }

  private mutating func perform(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let quieting = settings.profile.quietedBy, command.text == quieting.uppercased() {
      isQuieted = true
    }
    if command.name == "+QURCCFG" { faults.indicatesElsewhere = false }
    if command.name == "+UPSV", command.form == .set { savesPower = command.integer(0) != 0 }
    if let end = refusesAtStart(command.name, at: now) { return end }
    if let end = basic(command, at: now) { return end }
    if let end = identity(command, at: now) { return end }
    if let end = general(command, at: now) { return end }
    if let end = sim(command, at: now) { return end }
    if let end = network(command, at: now) { return end }
    if let end = messages(command, at: now) { return end }
    return settings.profile.ownCommands.contains(command.name) ? .ok : .error
  }

  // MARK: The line itself

  private mutating func basic(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    let number = command.argument.isEmpty ? 0 : Int(command.argument) ?? -1
    switch command.name {
    case "E": return flag(number) { $0.echoes = $1 || $0.faults.echoesForEver }
    case "V": return flag(number) { $0.isVerbose = $1 }
    case "Q": return flag(number) { $0.isQuiet = $1 }
    case "Z", "&F":
      guard number == 0 else { return .error }
      forgetSettings()
      return .ok
    case "I":
      for text in [
        settings.profile.manufacturer, settings.profile.model, settings.profile.revision,
      ] {
        say(text, at: now)
      }
      return .ok
    case "X", "L", "M", "&C", "&D", "&K", "&S", "&W", "H", "T", "P": return .ok
    case "A", "O": return .noCarrier
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

  private mutating func forgetSettings() {
    echoes = true
    isVerbose = true
    isQuiet = false
    errorLevel = 0
    isTextMode = false
    characterSet = .gsm
    indication = Indication()
    registrationReports = [:]
    showsTextHeaders = false
    textParameters = TextParameters()
  }

  private mutating func identity(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    let text: String
    switch command.name {
    case "+CGMI", "+GMI": text = settings.profile.manufacturer
    case "+CGMM", "+GMM": text = settings.profile.model
    case "+CGMR", "+GMR": text = settings.profile.revision
    case "+CGSN", "+GSN": text = settings.imei
    case "+GCAP": text = "+GCAP: +CGSM"
    case "+CIMI", "+CCID", "+ICCID", "+CNUM":
      if command.form != .test, let error = simError(now) { return .cme(error) }
      switch command.name {
      case "+CIMI": text = settings.imsi
      case "+CNUM":
        text = "+CNUM: \"\",\"\(settings.number)\",\(settings.number.hasPrefix("+") ? 145 : 129)"
      default: text = "\(command.name): \(settings.iccid)"
      }
    default: return nil
    }
    if command.form == .test { return .ok }
    guard command.form == .execute || command.form == .read && command.name.hasSuffix("CCID")
    else { return .error }
    say(text, at: now)
    return .ok
  }

  private mutating func general(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    switch (command.name, command.form) {
    case ("+CMEE", .set):
      guard let level = command.integer(0), (0...2).contains(level) else { return .cme(50) }
      errorLevel = level
    case ("+CMEE", .read): say("+CMEE: \(errorLevel)", at: now)
    case ("+CMEE", .test): say("+CMEE: (0-2)", at: now)
    case ("+CSCS", .set):
      guard let set = command.value(0).flatMap({ CharacterSet(rawValue: $0.uppercased()) }) else {
        return .cme(50)
      }
      characterSet = set
    case ("+CSCS", .read): say("+CSCS: \"\(characterSet.rawValue)\"", at: now)
    case ("+CSCS", .test):
      let names = CharacterSet.allCases.map { "\"\($0.rawValue)\"" }
      say("+CSCS: (\(names.joined(separator: ",")))", at: now)
    case ("+CFUN", .set): return setFunction(command, at: now)
    case ("+CFUN", .read): say("+CFUN: \(function)", at: now)
    case ("+CFUN", .test):
      let functions = settings.profile.functions.map(String.init).joined(separator: ",")
      say("+CFUN: (\(functions)),(0,1)", at: now)
    case ("+CBC", .execute): say("+CBC: 0,87,4012", at: now)
    case ("+CBC", .test): say("+CBC: (0-3),(0-100)", at: now)
    case ("+CCLK", .read): say("+CCLK: \"\(clockText(now))\"", at: now)
    case ("+CCLK", .set): return setClock(command, at: now)
    case ("+CTZR", .set): reportsTimeZone = command.integer(0) ?? 0
    case ("+CTZR", .read): say("+CTZR: \(reportsTimeZone)", at: now)
    case ("+CTZU", .set):
      guard let mode = command.integer(0), settings.profile.timeUpdateModes.contains(mode) else {
        return .cme(50)
      }
      timeUpdate = mode
    case ("+CTZU", .read): say("+CTZU: \(timeUpdate)", at: now)
    case ("+CTZU", .test):
      let modes = settings.profile.timeUpdateModes.map(String.init).joined(separator: ",")
      say("+CTZU: (\(modes))", at: now)
    case ("+CPAS", .execute): say("+CPAS: 0", at: now)
    case ("+CIND", .test), ("+CIND", .read):
      guard !settings.profile.indicators.isEmpty else { return nil }
      say("+CIND: \(indicators(command.form))", at: now)
    case ("+IFC", .set), ("+IPR", .set), ("+ICF", .set), ("+CLIP", .set),
      ("+CRC", .set), ("+COLP", .set), ("+CCLK", .test), ("+CTZR", .test):
      break
    default: return nil
    }
    return .ok
  }

  private mutating func setFunction(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let wanted = command.integer(0), settings.profile.functions.contains(wanted),
      [nil, "0", "1"].contains(command.value(1))
    else { return .cme(50) }
    if command.integer(1) == 1 {
      restart(saying: "OK", at: now)
      return .later
    }
    if function != 1, wanted == 1 { registeredFrom = now + settings.registrationDelay }
    function = wanted
    tellRegistration(now)
    return .ok
  }

  // MARK: The clock

  private func clockText(_ now: BootInstant) -> String {
    let shown = clock.map { $0.wall + ($0.at.duration(to: now)) } ?? WallTime(epochSeconds: 0)
    let isUniversal = settings.profile.clockIsUniversal && timeUpdate < 3 && !isClockSet
    let seconds = shown.epochSeconds - (isUniversal ? Int64(settings.quarterHours) * 900 : 0)
    return ServiceCentreTime(
      epochSeconds: seconds, quarterHours: settings.quarterHours
    )?.text ?? ""
  }

  private mutating func setClock(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let text = command.value(0), let time = ServiceCentreTime(text: text) else {
      return .cme(50)
    }
    clock = (WallTime(epochSeconds: time.epochSeconds), now)
    isClockSet = true
    return .ok
  }
}

extension ServiceCentreTime {
  /// The time as AT commands write it, `yy/MM/dd,hh:mm:ss±zz` (3GPP TS 27.005 3.1, `<scts>`).
  var text: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(year % 100))/\(two(month))/\(two(day)),\(two(hour)):\(two(minute)):\(two(second))"
      + "\(quarterHours < 0 ? "-" : "+")\(two(abs(quarterHours)))"
  }

  /// The time that was written so; without a zone it is UTC.
  init?(text: String) {
    let numbers = text.split(whereSeparator: { "/,:+-".contains($0) }).map { Int($0) ?? -1 }
    guard numbers.count == 6 || numbers.count == 7, numbers.allSatisfy({ (0...99).contains($0) })
    else { return nil }
    let quarters = numbers.count == 7 ? numbers[6] : 0
    self.init(
      year: 2_000 + numbers[0], month: max(1, numbers[1]), day: numbers[2], hour: numbers[3],
      minute: numbers[4], second: numbers[5],
      quarterHours: text.contains("-") ? -quarters : quarters)
  }
}
