import AT
import Time

/// When a modem started last, as far as is known.
struct ModemStart: Hashable, Sendable {
  private var opened: BootInstant?
  private var restarted: BootInstant?
  /// Whether something was refused in the set-up that may be taken once the modem has started.
  var leftSomethingOut = false
  /// Whether the set-up had to wait for the modem: it takes now what it refused before.
  var wasWaitedFor = false
  /// When all is set up once more, for what was left out.
  private(set) var redoAt: BootInstant?
  /// The start after which that was done.
  private var redoneFor: BootInstant?

  /// Its port was opened: it may have got its power just before.
  mutating func noteOpening(at now: BootInstant) { opened = now }

  /// It restarted.
  mutating func noteRestart(at now: BootInstant) { restarted = now }

  /// When it started last, or may have.
  private var begun: BootInstant? { [opened, restarted].compactMap { $0 }.max() }

  /// Whether it may still refuse what it will take, and say words that belong to a start: it restarted a
  /// moment ago, or its port was opened then, and nobody knows since when it has its power.
  func isUnderWay(at now: BootInstant) -> Bool {
    begun.map { now - $0 < Limits.starting } ?? false
  }

  /// A set-up begins.
  mutating func setUpBegins() {
    leftSomethingOut = false
    wasWaitedFor = false
    redoAt = nil
  }

  /// All is set up. What a starting modem refused is set once more, when it has had its time.
  mutating func isSetUp(at now: BootInstant) {
    redoAt = nil
    guard leftSomethingOut, let begun, redoneFor != begun else { return }
    redoneFor = begun
    redoAt = wasWaitedFor ? now : max(begun + Limits.startTakes, now + Limits.startingPause)
  }
}

/// A modem that starts: what it refuses meanwhile, and how it shows that it started without a word.
extension ModemSession {
  /// A modem said a word that comes late in a start: `Call Ready`, `PB DONE`.
  mutating func heardStart(_ line: String, at now: BootInstant) {
    // Of what is being set up or is locked nothing was set that it could have forgotten.
    if !startedUnseen(line, at: now), phase == .idle { needsSetup = true }
  }

  /// A modem said that it can be asked for its messages: `SMS Ready`.
  mutating func heardReady(_ line: String, at now: BootInstant) {
    if startedUnseen(line, at: now) { return }
    // It takes from now on what it refused while it started.
    if case .pausing(let step, let tries, _) = phase, start.isUnderWay(at: now) {
      phase = .pausing(step, tries: tries, until: now)
    } else if phase == .idle, start.leftSomethingOut {
      needsSetup = true
    }
  }

  /// Whether it shows a start of which nothing was known, as of one without a fixed speed: what the
  /// modem was doing is over. Other makers' words come also when only the SIM is read anew.
  private mutating func startedUnseen(_ line: String, at now: BootInstant) -> Bool {
    guard line.hasPrefix("Call Ready") || line.hasPrefix("SMS Ready"), !start.isUnderWay(at: now)
    else { return false }
    start.noteRestart(at: now)
    guard phase == .idle else { return false }
    if dialogue.openCommand != nil, !isOperatorsCommandOpen {
      startedAnew(line, at: now)
    } else {
      tell(supply.note(.restart, at: now))
      needsSetup = true
    }
    return true
  }

  private var isOperatorsCommandOpen: Bool {
    if case .operatorCommand = purpose { true } else { false }
  }

  /// Whether a refusal in the setup is a matter of time: it comes soon after a start, with whatever number.
  func mayPass(at now: BootInstant) -> Bool { start.isUnderWay(at: now) }

  /// What was left out while the modem started is set now.
  mutating func setLeftOut(at now: BootInstant) {
    guard let moment = start.redoAt, moment <= now else { return }
    start.setUpBegins()
    needsSetup = true
  }
}
