import AT
import GSM
import Time

/// The SIM card: its state, and its PIN, which is tried once for a card and a configuration.
extension ModemSession {
  mutating func simAnswered(
    _ answer: ATAnswer, _ step: SetupStep, tries: Int, at now: BootInstant
  ) {
    if case .failed(let result) = answer.ending {
      let error = ModemError(finalResult: result, family: errors)
      if step == .enterPIN {
        pinRefused(result, error, at: now)
      } else if error?.isSIMBusy == true, tries < Limits.setupRetries {
        phase = .pausing(.simState, tries: tries + 1, until: now + .seconds(2))
      } else if mayPass(result, at: now) {
        phase = .pausing(.simState, tries: tries + 1, until: now + Limits.startingPause)
      } else if error?.isSIMMissing == true {
        simFails("there is no SIM in the modem", "put one in", at: now)
      } else {
        simFails(
          "the modem does not tell the state of its SIM (\(result))", "look at its contacts",
          at: now)
      }
      return
    }
    if step == .enterPIN {
      pinTaken()
      // It takes the SIM a moment to be there.
      phase = .pausing(.simState, tries: tries + 1, until: now + .seconds(1))
      return
    }
    let state = (answer.value.map { $0.filter { $0 != "\"" } } ?? "").trimmingBlanks
    switch state {
    case "READY":
      // That it took the PIN was not heard, but what else opened it?
      if card.claim != nil { pinTaken() }
      // Open: should it ask again it was without power, and the PIN is known to be right.
      card.isPINTried = false
      card.busyTries = 0
      card.lockReason = nil
      card.missingSince = nil
      setUp(.subscriber, form: 0, tries: 0, at: now)
    case "SIM PIN":
      enterPIN(at: now)
    // Nothing said: the result of an earlier command, perhaps.
    case "NOT READY" where tries < Limits.setupRetries, "" where tries < Limits.setupRetries:
      phase = .pausing(.simState, tries: tries + 1, until: now + .seconds(2))
    case "SIM PUK", "SIM PUK2":
      lock(
        "the SIM wants its PUK; unlock it in a telephone, no code is tried from here", at: now)
    case "NOT READY", "":
      simFails("the SIM does not become ready", "look at its contacts", at: now)
    default: lock("the SIM wants \(state)", at: now)
    }
  }

  /// A SIM is missing or does not answer. That is the modem's own fault often enough, after a dip of its
  /// power above all: before a person has to come it is started anew.
  private mutating func simFails(_ reason: String, _ advice: String, at now: BootInstant) {
    let since = card.missingSince ?? now
    card.missingSince = since
    let mayStart = card.startedAnew.map { now - $0 >= Limits.restartsForSIM } ?? true
    if mayStart, now - since >= Limits.missingBeforeRestart, let step = stepToStartAnew(at: now) {
      card.startedAnew = now
      take(step, "\(reason), for minutes", at: now)
    } else if let started = card.startedAnew, started >= since {
      lock("\(reason), not after a fresh start either; \(advice)", at: now)
    } else {
      lock("\(reason); \(advice)", at: now)
    }
  }

  private mutating func pinTaken() {
    effects.append(.pinTried(card: card.claim?.card ?? card.number, isRight: true))
    card.claim = nil
    card.isPINAccepted = true
  }

  /// The card did not take the PIN.
  private mutating func pinRefused(_ result: String, _ error: ModemError?, at now: BootInstant) {
    let claimed = card.claim?.card ?? card.number
    card.claim = nil
    // It did not look at it, and its count of tries will show that; where it tells none, one was enough.
    if error?.isSIMBusy == true, card.attemptsLeft != nil {
      card.isPINTried = false
      card.busyTries += 1
      guard card.busyTries < Limits.busyPINs else {
        card.busyTries = 0
        lock("the SIM is too busy for its PIN (\(result)); it is tried again", at: now)
        return
      }
      phase = .pausing(.simState, tries: 1, until: now + .seconds(2))
      return
    }
    effects.append(.pinTried(card: claimed, isRight: false))
    lock(
      "the SIM refused the PIN of the configuration (\(result)); correct modem.pin_file", at: now)
  }

  /// Tries the configured PIN, once: three wrong ones block the card.
  private mutating func enterPIN(at now: BootInstant) {
    guard configuration.pin != nil else {
      lock("the SIM wants its PIN; set modem.pin_file, or switch the PIN off", at: now)
      return
    }
    guard !card.isPINTried else {
      lock("the SIM wants its PIN again, and the configured one was tried once", at: now)
      return
    }
    card.number = nil
    card.attemptsLeft = nil
    ask(.cardNumber, form: 0, at: now)
  }

  /// Asks the card something before its PIN, in one of its forms; after the last form, or where it was
  /// silent before, goes on without an answer.
  private mutating func ask(_ step: SetupStep, form: Int, at now: BootInstant) {
    if !isLeftOut(step), step.forms(configuration, profile).indices.contains(form) {
      openForms(of: step, form: form, at: now)
    } else if step == .cardNumber {
      ask(.pinAttempts, form: 0, at: now)
    } else {
      claimPIN(at: now)
    }
  }

  /// What the card tells of itself before its PIN: its number, and how many tries are left.
  mutating func aboutCard(_ answer: ATAnswer, _ step: SetupStep, form: Int, at now: BootInstant) {
    let lines = answer.ending == .ok ? answer.lines : []
    if step == .cardNumber {
      card.number = ModemSession.cardNumber(in: lines)
      let isTold = card.number != nil
      ask(isTold ? .pinAttempts : step, form: isTold ? 0 : form + 1, at: now)
      return
    }
    card.attemptsLeft = ModemSession.attempts(in: lines)
    if card.attemptsLeft == nil {
      ask(step, form: form + 1, at: now)
    } else {
      claimPIN(at: now)
    }
  }

  private mutating func claimPIN(at now: BootInstant) {
    if let left = card.attemptsLeft, left < Limits.pinAttemptsLeft {
      lock(
        "the SIM wants its PIN and lets it be tried \(left == 1 ? "only once more" : "no more");"
          + " enter it in a telephone, the last try is never made from here", at: now)
      return
    }
    phase = .claiming
    effects.append(.claimPIN(card: card.number, attemptsLeft: card.attemptsLeft))
  }

  /// The shell has noted that the PIN is about to be tried, or that it was before.
  mutating func pinClaimed(_ isGranted: Bool, at now: BootInstant) {
    guard phase == .claiming else { return }
    guard isGranted else {
      lock(
        "the configured PIN, or two others, were tried on this SIM before and were not right; correct"
          + " the file that modem.pin_file names, or enter the PIN in a telephone", at: now)
      return
    }
    card.isPINTried = true
    card.isPINAccepted = false
    card.claim = SIMState.Claim(card: card.number)
    openForms(of: .enterPIN, form: 0, at: now)
  }

  /// The number of a card: 18 to 20 digits, perhaps with an F for the odd one (ITU-T E.118).
  private static func cardNumber(in lines: [String]) -> String? {
    for line in lines {
      let digits = line.split { !($0.isASCII && ($0.isNumber || $0 == "F" || $0 == "f")) }
        .first { (18...20).contains($0.count) }
      if let digits { return String(digits.filter { $0.isNumber }) }
    }
    return nil
  }

  /// The first number, or the first of the PIN's where several codes are told (3GPP TS 27.007 8.65).
  private static func attempts(in lines: [String]) -> Int? {
    let ofPIN = lines.filter { $0.contains("SIM PIN,") || $0.contains("\"SIM PIN\",") }
    for line in ofPIN.isEmpty ? lines : ofPIN {
      let value = line.split(separator: ":", maxSplits: 1).last ?? ""
      for field in value.split(separator: ",") {
        if let number = Int(field.filter { $0 != " " }) { return number }
      }
    }
    return nil
  }

  /// A modem that is not registered and does not even search was asked for its SIM.
  mutating func simChecked(_ answer: ATAnswer) {
    switch answer.ending {
    case .ok where answer.value?.contains("READY") == true: break
    case .failed(let result)
    where ModemError(finalResult: result, family: errors)?.isSIMBusy == true: break
    // What is wrong, and what can be done, the setup finds out.
    case .ok, .failed: needsSetup = true
    case .timedOut: break
    }
  }

  private mutating func lock(_ reason: String, at now: BootInstant) {
    if status.lastError != reason {
      log("sim_locked", .error, reason)
    }
    status.lastError = reason
    card.lockReason = reason
    unfitReason = nil
    interruptText(reason, payloadLeft: false)
    refuseTexts(reason)
    refuseUSSD(reason)
    phase = .locked(until: now + configuration.checkInterval)
  }
}

extension ModemError {
  /// Not yet, but soon: SIM busy, SMS service or SIM not there yet (3GPP TS 27.007 9.2).
  var isSIMBusy: Bool {
    switch (kind, code) {
    case (.cme, 14), (.cms, 314), (.cms, 300), (.cme, 515): true
    default: false
    }
  }

  fileprivate var isSIMMissing: Bool {
    switch (kind, code) {
    case (.cme, 10), (.cme, 13), (.cms, 310), (.cms, 313): true
    default: false
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
