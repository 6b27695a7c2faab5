import Time

/// The SIM: its PIN, its lock, and what the network's machines say to codes.
extension SimulatedModem {
  /// Why the SIM cannot be used, as a `+CME ERROR`; nil when it can.
  func simError(_ now: BootInstant) -> Int? {
    if !hasSIM { return 10 }
    if faults.needsHandsetCode { return 5 }
    if let until = faults.simBusyUntil, until > now { return 14 }
    if pukTries == 0 { return 13 }
    if pinTries == 0 { return 12 }
    return isUnlocked ? nil : 11
  }

  /// Whether there is a SIM at present.
  var hasSIM: Bool { settings.hasSIM && !faults.isSIMRemoved }

  /// The same as a `+CMS ERROR`.
  func messageError(_ now: BootInstant) -> Int? {
    switch simError(now) {
    case nil: nil
    case 5: 312
    case 10: 310
    case 12: 316
    case 13: 313
    case 14: 314
    default: 311
    }
  }

  mutating func sim(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    if command.name == settings.profile.pinCounter {
      say(pinCount(command.name), at: now)
      return .ok
    }
    switch (command.name, command.form) {
    case ("+CPIN", .read):
      if let error = simError(now), ![5, 11, 12].contains(error) { return .cme(error) }
      say("+CPIN: \(pinState)", at: now)
    case ("+CPIN", .set): return enterPIN(command, at: now)
    case ("+CPIN", .test), ("+CPINR", .test): break
    case ("+CLCK", .test): say("+CLCK: (\"SC\")", at: now)
    case ("+CPINR", .execute):
      say("+CPINR: SIM PIN,\(pinTries),3", at: now)
      say("+CPINR: SIM PUK,\(pukTries),10", at: now)
    case ("+CLCK", .set): return lock(command, at: now)
    case ("+CUSD", .set): return supplementary(command, at: now)
    case ("+CUSD", .read): say("+CUSD: \(tellsSupplementary)", at: now)
    case ("+CUSD", .test): say("+CUSD: (0-2)", at: now)
    default: return nil
    }
    return .ok
  }

  /// How often PIN and PUK may still be tried, in the words of a maker's command.
  private func pinCount(_ name: String) -> String {
    switch name {
    case "^CPIN": "^CPIN: \(pinState),\(pinTries),\(pukTries),\(pinTries),10,3"
    case "+QPINC": "+QPINC: \"SC\",\(pinTries),\(pukTries)"
    case "#PCT", "^SPIC": "\(name): \(pinTries)"
    default: "\(name): \(pinTries),\(pukTries),3,10"
    }
  }

  var pinState: String {
    faults.needsHandsetCode
      ? "PH-SIM PIN" : pinTries == 0 ? "SIM PUK" : isUnlocked ? "READY" : "SIM PIN"
  }

  private mutating func enterPIN(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let error = simError(now), error != 11, error != 12 { return .cme(error) }
    if pinTries == 0 { return enterPUK(command, at: now) }
    guard !isUnlocked else { return .cme(3) }
    guard isPIN(command.value(0)) else {
      return pinTries == 0 ? .cme(12) : .cme(16)
    }
    unlock(at: now)
    end(.ok, at: now)
    tellReady(at: now)
    return .later
  }

  /// Whether that is the PIN; a wrong one costs a try (3GPP TS 31.101 9.5.1).
  private mutating func isPIN(_ tried: String?) -> Bool {
    if let pin, tried == pin {
      pinTries = 3
      return true
    }
    pinTries -= 1
    if pinTries == 0 { isUnlocked = false }
    return false
  }

  private mutating func enterPUK(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let new = command.value(1), (4...8).contains(new.utf8.count),
      new.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return .cme(12) }
    guard command.value(0) == settings.puk else {
      pukTries -= 1
      return .cme(pukTries == 0 ? 13 : 16)
    }
    pin = new
    pinTries = 3
    pukTries = 10
    unlock(at: now)
    return .ok
  }

  private mutating func unlock(at now: BootInstant) {
    isUnlocked = true
    registeredFrom = now + settings.registrationDelay
    tellRegistration(now)
  }

  /// `+CLCK`: whether the SIM asks for its PIN (3GPP TS 27.007 7.4); other locks are open.
  private mutating func lock(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let facility = command.value(0), let mode = command.integer(1), (0...2).contains(mode)
    else { return .cme(50) }
    if let error = simError(now) { return .cme(error) }
    guard mode != 2 else {
      say("+CLCK: \(facility == "SC" && asksPIN ? 1 : 0)", at: now)
      return .ok
    }
    guard facility == "SC", pin != nil else { return .cme(3) }
    guard isPIN(command.value(2)) else { return pinTries == 0 ? .cme(12) : .cme(16) }
    asksPIN = mode == 1
    return .ok
  }

  // MARK: USSD

  /// `+CUSD`: the balance of a prepaid SIM, and nothing else (3GPP TS 27.007 7.15).
  private mutating func supplementary(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let mode = command.integer(0), (0...2).contains(mode) else { return .cme(50) }
    guard mode != 2, let typed = command.value(1) else {
      if mode != 2 { tellsSupplementary = mode }
      return .ok
    }
    if let error = simError(now) { return .cme(error) }
    guard isRegistered(now) else { return .cme(30) }
    guard let code = supplementaryCode(typed) else { return .cme(50) }
    end(.ok, at: now)
    let due = max(now, busyUntil) + settings.supplementaryDelay
    guard settings.balanceCodes.contains(code) else {
      put(framed(settings.profile.endsUnknownCodes ? "+CUSD: 2" : "+CUSD: 4"), at: due)
      return .later
    }
    let text = "Balance \(credit.map(String.init) ?? "100") texts, valid until 2027-01-01"
    let scheme = settings.profile.supplementaryCoding == .ucs2 ? 17 : 15
    put(
      framed(
        [UInt8]("+CUSD: 0,\"".utf8) + supplementaryText(text) + [UInt8]("\",\(scheme)".utf8)),
      at: due)
    return .later
  }

  /// The code that was typed; nil when it is none.
  private func supplementaryCode(_ typed: String) -> String? {
    switch settings.profile.supplementaryCoding {
    case .packed: PackedText.text(typed)
    case .text, .ucs2: characterSet.text([UInt8](typed.utf8))
    }
  }

  private func supplementaryText(_ text: String) -> [UInt8] {
    switch settings.profile.supplementaryCoding {
    case .text: characterSet.bytes(text)
    case .ucs2: CharacterSet.ucs2.bytes(text)
    case .packed: Array(PackedText.digits(text).utf8)
    }
  }
}
