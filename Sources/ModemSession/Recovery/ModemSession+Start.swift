import AT
import Time

/// When a modem started last, as far as is known.
struct ModemStart: Hashable, Sendable {
  private var opened: BootInstant?
  private var restarted: BootInstant?
  /// Whether a setting of the messages was refused that may be taken once the modem has started.
  var leftSomethingOut = false

  /// Its port was opened: it may have got its power just before.
  mutating func noteOpening(at now: BootInstant) { opened = now }

  /// It restarted.
  mutating func noteRestart(at now: BootInstant) { restarted = now }

  /// Whether it may still refuse what it will take: it restarted a moment ago.
  func isUnderWay(at now: BootInstant) -> Bool {
    restarted.map { now - $0 < Limits.starting } ?? false
  }

  /// Whether what a modem says in the course of a start belongs to one that is known.
  func isKnown(at now: BootInstant) -> Bool {
    isUnderWay(at: now) || opened.map { now - $0 < Limits.starting } ?? false
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
    guard line.hasPrefix("Call Ready") || line.hasPrefix("SMS Ready"), !start.isKnown(at: now)
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

  /// Whether a refusal in the setup is a matter of time: one without a reason, soon after a restart.
  func mayPass(_ result: String, at now: BootInstant) -> Bool {
    start.isUnderWay(at: now) && !result.hasPrefix("+C")
  }
}
