import AT
import Events
import GSM
import ModemMakers
import Time

/// The access technology: what there is, and another one where texts are refused on this one.
extension ModemSession {
  /// Texts are refused again and again on the technology that the modem uses; whether another one is
  /// being tried.
  mutating func leaveAccess(_ error: ModemError) -> Bool {
    guard configuration.accessFallback else { return false }
    switch access.refused(on: status.access, by: maker.profile.accessSwitches) {
    case .ask(let query):
      log(
        "modem_access_fallback", .notice,
        "texts are refused again and again on \(status.access?.words ?? "this network") (\(error));"
          + " looking for another way", [EventField("error", .text(error.description))])
      settings.append(ATCommand(query, timeout: configuration.timeouts.query))
      return true
    case .nothing, .change, .refused, .restored: return false
    }
  }

  /// A setting was answered, which may have been one of these.
  mutating func settingAnswered(_ answer: ATAnswer, at now: BootInstant) {
    let step = access.answered(
      answer.command.text, isOK: answer.ending == .ok, value: answer.value, imei: status.imei,
      at: now)
    switch step {
    case .ask(let query):
      settings.append(ATCommand(query, timeout: configuration.timeouts.query))
    case .change(let command, let change):
      log(
        "modem_access_fallback", .warning,
        "the modem goes to \(change.technology?.words ?? "another technology") for texts, for"
          + " \((change.until - now).components.seconds / 60) minutes",
        [EventField("seconds", .integer((change.until - now).components.seconds))])
      effects.append(
        .event(.accessChanged(AccessNote(imei: change.imei, putBack: change.putBack))))
      settings.append(ATCommand(command, timeout: configuration.timeouts.network))
    case .refused:
      log("modem_access_fallback", .notice, "the modem refuses to change its access technology")
      effects.append(.event(.accessChanged(nil)))
    case .restored:
      log("modem_access_restored", .notice, "the modem has all its access technologies again")
      checks.add(.network)
      effects.append(.event(.accessChanged(nil)))
    case .nothing: checks.add(.network)
    case nil: break
    }
  }

  /// Puts the technologies back when it is time.
  mutating func keepAccess(at now: BootInstant) {
    guard
      let command = access.due(imei: status.imei, isRegistered: isRegistered, at: now)
    else { return }
    settings.append(ATCommand(command, timeout: configuration.timeouts.network))
  }

  /// Takes over what `AT+COPS?` says of the technology (3GPP TS 27.007 7.3).
  mutating func learnAccess(_ number: Int?) {
    let was = status.access ?? access.lastKnown
    status.access = number.flatMap { AccessTechnology(number: $0) }
    access.lastKnown = status.access ?? access.lastKnown
    guard let now = status.access, let was, now != was else { return }
    if let warning = now.warning {
      log("modem_access", .warning, "the modem fell from \(was.words) to \(now.words): \(warning)")
    } else {
      log("modem_access", .info, "the modem went from \(was.words) to \(now.words)")
    }
  }

  // MARK: The supply

  /// Tells what signs of a weak supply say together.
  mutating func tell(_ verdict: SupplyWatch.Verdict?) {
    guard let verdict else { return }
    func count(_ key: String, _ sign: SupplyWatch.Sign) -> EventField {
      EventField(key, .integer(Int64(supply.count(sign))))
    }
    log(
      "modem_supply", .warning, verdict.words,
      [
        count("restarts", .restart), count("reenumerations", .reenumeration),
        count("under_voltage", .underVoltage),
        EventField("while_sending", .integer(Int64(supply.whileSending))),
      ])
  }

  /// A word of the modem that may be about its supply: `UNDER-VOLTAGE WARNNING` and its like.
  mutating func heardOfSupply(_ line: String, at now: BootInstant) {
    let line = line.uppercased()
    guard line.contains("UNDER"), line.contains("VOLTAGE") else { return }
    tell(supply.note(.underVoltage, at: now))
  }
}
