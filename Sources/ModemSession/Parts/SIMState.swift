import AT
import GSM
import Time

/// What is known of the SIM, and its PIN, which is tried once for a SIM and a configuration.
struct SIMState: Sendable {
  /// A PIN that is being tried, or of which nobody knows what became of it.
  private struct Claim: Hashable, Sendable {
    /// The SIM's number, where it told it.
    var iccid: String?
  }

  /// What is done next about it.
  enum Step: Hashable, Sendable {
    /// It can be used.
    case use
    /// Its state is asked for again after a time.
    case askAgain(tries: Int, after: Duration)
    /// It is asked something before its PIN, in this form.
    case ask(SetupStep, form: Int)
    /// The shell notes that the PIN is about to be tried.
    case claimPIN
    /// The PIN is tried.
    case enterPIN
    /// It cannot be used, for this reason; it is looked at again.
    case lock(String)
    /// The modem is started anew by this step, for this reason.
    case startAnew(RecoveryStep, String)
  }

  /// A step, and what became of the PIN where that is known now.
  struct Verdict: Hashable, Sendable {
    /// What the shell is to note of the PIN.
    var pinTried: SessionEffect?
    var step: Step

    init(_ step: Step, pinTried: SessionEffect? = nil) {
      self.step = step
      self.pinTried = pinTried
    }
  }

  /// The SIM's own number (ICCID).
  private(set) var iccid: String?
  /// How often the PIN may still be tried, where the SIM tells.
  private(set) var attemptsLeft: Int?
  /// Why it cannot be used, while that is looked at again.
  private(set) var lockReason: String?
  /// Whether the PIN was tried on it.
  private var isPINTried = false
  /// Whether it took the PIN when that was tried last.
  private var isPINAccepted = false
  /// The try whose outcome was not heard.
  private var claim: Claim?
  /// How often in a row it was too busy for the PIN.
  private var busyTries = 0
  /// Since when it has been missing, or has not answered.
  private var missingSince: BootInstant?
  /// When the modem was started anew for it.
  private var startedAnew: BootInstant?

  /// Another modem, or the same after a while: what it told is forgotten, what was done is not.
  mutating func forget() {
    iccid = nil
    attemptsLeft = nil
    lockReason = nil
    if isPINAccepted { isPINTried = false }
  }

  /// The port went away: another SIM may be there when it comes back.
  mutating func forgetClaim() { claim = nil }

  /// It cannot be used, for this reason.
  mutating func lock(_ reason: String) { lockReason = reason }

  // MARK: Its state

  /// It told its state: `+CPIN: <code>`.
  ///
  /// - Parameters:
  ///   - tries: How often it was asked before.
  ///   - hasPIN: Whether there is a PIN to try.
  ///   - start: What would start the modem anew now.
  mutating func told(
    _ state: String, tries: Int, hasPIN: Bool, start: RecoveryStep?, at now: BootInstant
  ) -> Verdict {
    switch state {
    case "READY":
      // That it took the PIN was not heard, but what else opened it?
      let taken = claim == nil ? nil : pinTaken()
      // Open: should it ask again it was without power, and the PIN is known to be right.
      isPINTried = false
      busyTries = 0
      lockReason = nil
      missingSince = nil
      return Verdict(.use, pinTried: taken)
    case "SIM PIN": return Verdict(wantsPIN(hasPIN: hasPIN))
    // Nothing said: the result of an earlier command, perhaps.
    case "NOT READY" where tries < Limits.setupRetries, "" where tries < Limits.setupRetries:
      return Verdict(.askAgain(tries: tries + 1, after: .seconds(2)))
    case "SIM PUK", "SIM PUK2":
      return Verdict(
        .lock("the SIM wants its PUK; unlock it in a telephone, no code is tried from here"))
    case "NOT READY", "":
      return Verdict(
        fails("the SIM does not become ready", "look at its contacts", start: start, at: now))
    default: return Verdict(.lock("the SIM wants \(state)"))
    }
  }

  /// Its state could not be told.
  ///
  /// - Parameters:
  ///   - error: What the modem said instead, where that is known.
  ///   - mayPass: Whether the refusal is a matter of time.
  mutating func refused(
    _ result: String, _ error: ModemError?, tries: Int, mayPass: Bool, start: RecoveryStep?,
    at now: BootInstant
  ) -> Step {
    if error?.isSIMBusy == true, tries < Limits.setupRetries {
      return .askAgain(tries: tries + 1, after: .seconds(2))
    }
    if mayPass, error?.isSIMMissing != true {
      return .askAgain(tries: tries + 1, after: Limits.startingPause)
    }
    return error?.isSIMMissing == true
      ? fails("there is no SIM in the modem", "put one in", start: start, at: now)
      : fails(
        "the modem does not tell the state of its SIM (\(result))", "look at its contacts",
        start: start, at: now)
  }

  /// A SIM is missing or does not answer. That is the modem's own fault often enough, after a dip of its
  /// power above all: before a person has to come it is started anew.
  private mutating func fails(
    _ reason: String, _ advice: String, start: RecoveryStep?, at now: BootInstant
  ) -> Step {
    let since = missingSince ?? now
    missingSince = since
    let mayStart = startedAnew.map { now - $0 >= Limits.restartsForSIM } ?? true
    if mayStart, now - since >= Limits.missingBeforeRestart, let start {
      startedAnew = now
      return .startAnew(start, "\(reason), for minutes")
    }
    if let started = startedAnew, started >= since {
      return .lock("\(reason), not after a fresh start either; \(advice)")
    }
    return .lock("\(reason); \(advice)")
  }

  // MARK: Its PIN

  /// Begins to try the configured PIN, once: three wrong ones block the SIM.
  private mutating func wantsPIN(hasPIN: Bool) -> Step {
    guard hasPIN else {
      return .lock("the SIM wants its PIN; set modem.pin_file, or switch the PIN off")
    }
    guard !isPINTried else {
      return .lock("the SIM wants its PIN again, and the configured one was tried once")
    }
    iccid = nil
    attemptsLeft = nil
    return .ask(.iccid, form: 0)
  }

  /// What it tells of itself before its PIN: its number, and how many tries are left.
  mutating func toldOfItself(_ lines: [String], _ step: SetupStep, form: Int) -> Step {
    if step == .iccid {
      iccid = SIMState.iccid(in: lines)
      return iccid == nil ? .ask(step, form: form + 1) : .ask(.pinAttempts, form: 0)
    }
    attemptsLeft = SIMState.attempts(in: lines)
    return attemptsLeft == nil ? .ask(step, form: form + 1) : nextAfterAttempts
  }

  /// What follows once it was asked all, or there is nothing more to ask.
  var nextAfterAttempts: Step {
    if let left = attemptsLeft, left < Limits.pinAttemptsLeft {
      return .lock(
        "the SIM wants its PIN and lets it be tried \(left == 1 ? "only once more" : "no more");"
          + " enter it in a telephone, the last try is never made from here")
    }
    return .claimPIN
  }

  /// The shell has noted that the PIN is about to be tried, or that it was before.
  mutating func claimed(_ isGranted: Bool) -> Step {
    guard isGranted else {
      return .lock(
        "the configured PIN, or two others, were tried on this SIM before and were not right; correct"
          + " the file that modem.pin_file names, or enter the PIN in a telephone")
    }
    isPINTried = true
    isPINAccepted = false
    claim = Claim(iccid: iccid)
    return .enterPIN
  }

  /// It took the PIN.
  mutating func pinTaken() -> SessionEffect {
    let effect = SessionEffect.pinTried(iccid: claim?.iccid ?? iccid, isRight: true)
    claim = nil
    isPINAccepted = true
    return effect
  }

  /// It did not take the PIN.
  ///
  /// - Parameter mayPass: Whether a refusal that does not name the PIN is a matter of time.
  mutating func pinRefused(_ result: String, _ error: ModemError?, mayPass: Bool = false) -> Verdict
  {
    let claimed = claim?.iccid ?? iccid
    claim = nil
    // It did not look at it, and its count of tries will show that; where it tells none, one was enough.
    let isUnseen = error?.isSIMBusy == true || mayPass && error?.isOfPIN != true
    if isUnseen, attemptsLeft != nil {
      isPINTried = false
      busyTries += 1
      guard busyTries < Limits.busyPINs else {
        busyTries = 0
        return Verdict(.lock("the SIM is too busy for its PIN (\(result)); it is tried again"))
      }
      return Verdict(.askAgain(tries: 1, after: .seconds(2)))
    }
    return Verdict(
      .lock("the SIM refused the PIN of the configuration (\(result)); correct modem.pin_file"),
      pinTried: .pinTried(iccid: claimed, isRight: false))
  }

  /// The number of a SIM: 18 to 20 digits, perhaps with an F for the odd one (ITU-T E.118).
  private static func iccid(in lines: [String]) -> String? {
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
}

extension ModemError {
  /// Not yet, but soon: SIM busy, SMS service or SIM not there yet (3GPP TS 27.007 9.2).
  var isSIMBusy: Bool {
    switch (kind, code) {
    case (.cme, 14), (.cms, 314), (.cms, 300), (.cme, 515): true
    default: false
    }
  }

  /// Incorrect password, PUK required, SIM wrong or blocked (3GPP TS 27.007 9.2).
  fileprivate var isOfPIN: Bool {
    switch (kind, code) {
    case (.cme, 11), (.cme, 12), (.cme, 15), (.cme, 16), (.cme, 17), (.cme, 18), (.cms, 312),
      (.cms, 316):
      true
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
