import AT
import Events
import GSM
import Time

/// What the modem tells by itself.
extension ModemSession {
  mutating func heard(_ result: Unsolicited, at now: BootInstant) {
    switch result {
    case .messageStored(let name, let index), .statusReportStored(let name, let index):
      let place = StorageState.Place(storage: name, index: index)
      heardAnnouncement(hearsAgain: storage.announced(place))
    case .storedSomewhere:
      heardAnnouncement(hearsAgain: storage.announcements.heard())
      storage.seek()
    case .message(let pdu), .statusReport(let pdu):
      heardAnnouncement(hearsAgain: storage.announcements.heard())
      tell(storage.came(pdu))
    case .registration(let domain, let registration):
      take(registration, in: domain, isTold: true, at: now)
    case .signal(let strength):
      status.signalDBm = strength ?? status.signalDBm
    case .restarted(let line):
      restarted(line, at: now)
    case .started(let line):
      heardStart(line, at: now)
    case .messagesReady(let line):
      heardReady(line, at: now)
      storage.seek()
    case .trouble(let trouble, let line):
      warn(trouble, line, at: now)
      heardOfSupply(line, at: now)
    case .storageFull(let value):
      if warnings.isNews("storage full", for: Limits.fullTold, at: now) {
        log("modem_storage_full", .warning, "the modem's storage is full; it is emptied now")
      }
      storage.full(value, at: now)
      // No text goes before.
      housekeepingFirst = true
    case .sim(let state):
      if phase == .idle, state != "READY" { needsSetup = true }
      // Somebody put it in, or unlocked it.
      if case .locked = phase, state == "READY" { phase = .locked(until: now) }
    case .ussd(let mode, let text, let coding):
      heardUSSD(mode: mode, text: text, coding: coding, at: now)
    case .networkTime(let line):
      tell(NetworkTime(line: line).map { .networkTime($0) })
    case .other: break
    }
  }

  /// A modem that restarted by itself has forgotten its settings.
  private mutating func restarted(_ line: String, at now: BootInstant) {
    start.noteRestart(at: now)
    switch phase {
    case .idle, .locked:
      startedAnew(line, at: now)
    case .setup where dialogue.openCommand?.text != "AT+CFUN=1":
      startedAnew(line, at: now)
    default: break
    }
  }

  /// No trouble, and no step of the ladder: all that the modem forgot is set again at once.
  mutating func startedAnew(_ line: String, at now: BootInstant) {
    status.starts += 1
    if sending.isOpen { supply.sent(at: now) }
    tell(supply.note(.restart, at: now))
    take(.resynchronise, "the modem restarted by itself (\(line))", at: now)
  }

  /// A modem that echoes again has forgotten its settings.
  mutating func heardEcho(at now: BootInstant) {
    if case .setup = phase { setup.heardEchoInSetup() }
    if phase == .idle, setup.heardEcho(at: now) { needsSetup = true }
  }
}
