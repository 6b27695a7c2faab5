import AT
import Events
import GSM
import ModemMakers
import Time

/// The storages of the modem: the commands for them, and what their answers tell of the modem.
extension ModemSession {
  /// Opens the next command that reads, deletes or checks; false when nothing is due.
  mutating func keepHouse(at now: BootInstant) -> Bool {
    if open(storage.next(at: now), at: now) { return true }
    if let step = checks.take() {
      open(step.forms(configuration, maker.profile)[0], for: .check(step), at: now)
      return true
    }
    // Not left in a storage that is only looked into.
    return open(storage.returnHome(at: now), at: now)
  }

  /// Opens a command for a storage; false when there is none.
  mutating func open(_ work: StorageState.Work?, at now: BootInstant) -> Bool {
    guard let work else { return false }
    open(work.command, for: work.purpose, at: now)
    return true
  }

  mutating func selected(_ name: String, _ answer: ATAnswer, at now: BootInstant) {
    apply(storage.selected(name, answer, error(in: answer), at: now))
  }

  mutating func listed(_ answer: ATAnswer, at now: BootInstant) {
    apply(storage.listed(answer, error(in: answer), at: now))
  }

  mutating func didRead(_ place: StorageState.Place, _ answer: ATAnswer, at now: BootInstant) {
    tell(storage.didRead(place, answer, error(in: answer), at: now))
  }

  private mutating func apply(_ result: StorageState.Result) {
    tell(result.events)
    if result.needsSetup { needsSetup = true }
  }

  // MARK: What the modem tells of

  /// The modem told of a message; where it was thought to tell nothing, that is over.
  mutating func heardAnnouncement(hearsAgain: Bool) {
    guard hearsAgain else { return }
    status.isDeaf = false
    log("modem_heard", .notice, "the modem tells again of what comes in")
  }

  /// Says so when messages lie there of which the modem never told.
  mutating func checkAnnouncements(at now: BootInstant) {
    switch storage.judge(at: now) {
    case nil: break
    case .deaf(let found):
      status.isDeaf = true
      log(
        "modem_deaf", .warning,
        "\(found == 1 ? "a message" : "\(found) messages") lay in the modem that it did not tell of;"
          + " it is set up again, and looked through each minute until it tells of one",
        [EventField("messages", .integer(Int64(found)))])
      needsSetup = true
    case .stillDeaf: tryOtherPort(at: now)
    }
  }

  /// Closes the port, so that the shell opens another one of the same modem.
  private mutating func tryOtherPort(at now: BootInstant) {
    guard configuration.hasOtherPorts, !sending.isOpen, !sending.isWaiting,
      dialogue.openCommand == nil, storage.announcements.move(at: now)
    else { return }
    let reason = "the modem tells of no message at this port; another of its ports is tried"
    effects.append(.close)
    close(reason, at: now)
    status.isDeaf = true
  }
}
