public import Time

/// The network as the modem sees it (3GPP TS 27.007 7).
extension SimulatedModem {
  /// The registration as `+CREG` counts it (3GPP TS 27.007 7.2).
  func registration(_ now: BootInstant) -> Int {
    if !hasSIM || !isUnlocked || faults.needsHandsetCode || function != 1 || isDetached { return 0 }
    if !isCovered { return 2 }
    if let until = faults.deniedUntil, until > now { return 3 }
    if registeredFrom > now { return 2 }
    if let until = faults.unregisteredUntil, until > now { return 2 }
    return settings.isRoaming || faults.isRoaming ? 5 : 1
  }

  /// The domains in which it registers, by the names of their commands.
  private var domains: [String] {
    faults.isRegisteredInEPSOnly ? ["CEREG"] : settings.profile.domains
  }

  func isRegistered(_ now: BootInstant) -> Bool {
    [1, 5].contains(registration(now))
  }

  /// Whether a message could reach it now.
  public func isReachable(at now: BootInstant) -> Bool {
    isRegistered(now) && !isMute(now)
  }

  /// A network is there, or there is none; one that appears is registered with as after a start.
  public mutating func setCoverage(_ isCovered: Bool, at now: BootInstant) -> [ModemEffect] {
    if isCovered, !self.isCovered { registeredFrom = now + settings.registrationDelay }
    self.isCovered = isCovered
    return advance(to: now)
  }

  /// Tells a change of the registration, to the line and to the network.
  mutating func tellRegistration(_ now: BootInstant) {
    if let until = faults.unregisteredUntil, until <= now { faults.unregisteredUntil = nil }
    let status = registration(now)
    guard status != lastRegistration else { return }
    let isFirst = lastRegistration == nil
    lastRegistration = status
    if [1, 5].contains(status) { effects.append(.reachable) }
    if isFirst || !settings.tellsRegistration { return }
    for name in domains {
      let level = registrationReports[name] ?? 0
      if level > 0 { tell("+\(name): \(status)\(cell(level, status))", at: now) }
    }
  }

  private func cell(_ level: Int, _ status: Int) -> String {
    level == 2 && [1, 5].contains(status) ? ",\"00C3\",\"01A2F4\"" : ""
  }

  mutating func network(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    switch (command.name, command.form) {
    case ("+CREG", _), ("+CGREG", _), ("+CEREG", _):
      return registrationCommand(command, at: now)
    case ("+CSQ", .execute):
      say("+CSQ: \(isRegistered(now) ? settings.signal : 99),99", at: now)
    case ("+CSQ", .test): say("+CSQ: (0-31,99),(0-7,99)", at: now)
    case ("+COPS", .read): operatorName(now)
    case ("+COPS", .set): return selectOperator(command, at: now)
    case ("+COPS", .test):
      guard simError(now) == nil else { return .cme(simError(now) ?? 0) }
      say(
        "+COPS: (2,\"\(settings.operatorName)\",\"\(settings.operatorName)\","
          + "\"\(settings.operatorCode)\"),,(0-4),(0-2)", at: now)
    case ("+CGATT", .read): say("+CGATT: \(isRegistered(now) ? 1 : 0)", at: now)
    case ("+CGATT", .set), ("+CGSMS", .set): break
    case ("+CGSMS", .read): say("+CGSMS: 1", at: now)
    default: return nil
    }
    return .ok
  }

  private mutating func operatorName(_ now: BootInstant) {
    guard isRegistered(now) else {
      say("+COPS: \(isDetached ? 2 : 0)", at: now)
      return
    }
    let name =
      operatorFormat == 2
      ? [UInt8](settings.operatorCode.utf8) : characterSet.bytes(settings.operatorName)
    say([UInt8]("+COPS: 0,\(operatorFormat),\"".utf8) + name + [0x22], at: now)
  }

  private mutating func selectOperator(
    _ command: CommandText, at now: BootInstant
  ) -> CommandEnd {
    switch command.integer(0) {
    case 0: isDetached = false
    case 1, 4:
      guard [settings.operatorCode, settings.operatorName].contains(command.value(2)) else {
        return .cme(30)
      }
      isDetached = false
    case 2: isDetached = true
    case 3:
      guard let format = command.integer(1), (0...2).contains(format) else { return .cme(50) }
      operatorFormat = format
    default: return .cme(50)
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
      let status = domains.contains(name) ? registration(now) : 0
      say("\(command.name): \(level),\(status)\(cell(level, status))", at: now)
    case .test: say("\(command.name): (0-2)", at: now)
    case .execute: return .error
    }
    return .ok
  }
}
