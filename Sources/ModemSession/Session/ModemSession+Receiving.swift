import AT
import GSM
import Timing

/// What the modem tells by itself, and the messages in its storages.
extension ModemSession {
  mutating func heard(_ result: Unsolicited, at now: BootInstant) {
    switch result {
    case .messageStored(let storage, let index), .statusReportStored(let storage, let index):
      guard reads.count < Limits.reads else {
        isSweepDue = true
        isReportSweepDue = true
        return
      }
      if storage != homeStorage, !leavesReportStorage { reportStorage = storage }
      reads.append(StoragePlace(storage: storage, index: index))
    case .message(let pdu), .statusReport(let pdu):
      lastToken += 1
      hand(InboundPDU(token: lastToken, hex: pdu))
    case .registration(let domain, let registration):
      take(registration, in: domain)
    case .signal(let strength):
      status.signalDBm = strength ?? status.signalDBm
    case .restarted(let line):
      restarted(line, at: now)
    case .started:
      // Of what is being set up or is locked nothing was set that it could have forgotten.
      if phase == .idle { needsSetup = true }
    case .storageFull:
      log("modem_storage_full", .warning, "the modem's storage is full; it is emptied now")
      isSweepDue = true
    case .sim(let state):
      if phase == .idle, state != "READY" { needsSetup = true }
      // Somebody put it in, or unlocked it.
      if case .locked = phase, state == "READY" { phase = .locked(until: now) }
    case .ussd(let mode, let text, let coding):
      heardUSSD(mode: mode, text: text, coding: coding)
    case .networkTime(let line):
      if let time = NetworkTime(line: line) { effects.append(.event(.networkTime(time))) }
    case .other: break
    }
  }

  /// A modem that restarted by itself has forgotten its settings.
  private mutating func restarted(_ line: String, at now: BootInstant) {
    switch phase {
    case .idle, .locked:
      startedAnew(line, at: now)
    case .setup where dialogue.openCommand?.text != "AT+CFUN=1":
      startedAnew(line, at: now)
    default: break
    }
  }

  /// No trouble, and no step of the ladder: all that the modem forgot is set again at once.
  private mutating func startedAnew(_ line: String, at now: BootInstant) {
    take(.resynchronise, "the modem restarted by itself (\(line))", at: now)
  }

  /// A modem that echoes again has forgotten its settings, unless it cannot leave it.
  mutating func heardEcho(at now: BootInstant) {
    guard phase == .idle, echoSetup.map({ now - $0 >= Limits.echoSetups }) ?? true else { return }
    echoSetup = now
    needsSetup = true
  }

  // MARK: Housekeeping

  /// Opens the next command that reads, deletes or checks; false when nothing is due.
  mutating func keepHouse(at now: BootInstant) -> Bool {
    let query = configuration.timeouts.query
    if let place = reads.first ?? deletes.first {
      guard select(place.storage, at: now) else { return true }
      if reads.first == place {
        reads.removeFirst()
        open(ATCommand("AT+CMGR=\(place.index)", timeout: query), for: .read(place), at: now)
      } else {
        deletes.removeFirst()
        open(ATCommand("AT+CMGD=\(place.index)", timeout: query), for: .delete(place), at: now)
      }
      return true
    }
    if isSweepDue {
      guard select(homeStorage, at: now) else { return true }
      isSweepDue = false
      open(ATCommand("AT+CMGL=4", timeout: configuration.timeouts.list), for: .list, at: now)
      return true
    }
    if isReportSweepDue, let storage = reportStorage, storage != homeStorage {
      guard select(storage, at: now) else { return true }
      isReportSweepDue = false
      open(ATCommand("AT+CMGL=4", timeout: configuration.timeouts.list), for: .list, at: now)
      return true
    }
    if !checks.isEmpty {
      let step = checks.removeFirst()
      open(step.forms(configuration, profile)[0], for: .check(step), at: now)
      return true
    }
    // Not left in a storage that is only looked into.
    return currentStorage != homeStorage && !select(homeStorage, at: now)
  }

  /// Makes a storage the one that is read from; false when a command for it was opened.
  mutating func select(_ storage: String, at now: BootInstant) -> Bool {
    if currentStorage == storage { return true }
    var command = ATCommand("AT+CPMS=\"\(storage)\"", timeout: configuration.timeouts.query)
    command.mayLackResult = true
    open(command, for: .select(storage), at: now)
    return false
  }

  mutating func selected(_ storage: String, _ answer: ATAnswer) {
    guard answer.ending == .ok else {
      if answer.ending == .timedOut { silenced(storage) }
      // What lies there cannot be reached; it must not hold up the rest.
      reads.removeAll { $0.storage == storage }
      deletes.removeAll { $0.storage == storage }
      if storage == homeStorage {
        isSweepDue = false
        needsSetup = true
      } else if storage == reportStorage {
        reportStorage = nil
      }
      return
    }
    currentStorage = storage
    if storage == homeStorage { learnStorage(answer) }
  }

  /// A modem that does not bear a look into its reports is worth more than they are.
  private mutating func silenced(_ storage: String) {
    guard storage == reportStorage, storage != homeStorage else { return }
    leavesReportStorage = true
    reportStorage = nil
  }

  mutating func listed(_ answer: ATAnswer, at now: BootInstant) {
    if answer.ending == .timedOut {
      silenced(currentStorage ?? homeStorage)
      unansweredSweeps = min(unansweredSweeps + 1, 6)
      nextSweep = now + configuration.sweepInterval * (1 << unansweredSweeps)
    } else {
      unansweredSweeps = 0
    }
    guard answer.ending == .ok else {
      if case .failed(let result) = answer.ending {
        log("modem_sweep_failed", .warning, "the modem does not list its messages: \(result)")
      }
      return
    }
    let messages = StoredMessage.messages(in: answer)
    let storage = currentStorage ?? homeStorage
    for message in messages {
      guard let index = message.index, message.state != .storedSent,
        message.state != .storedUnsent
      else { continue }
      tell(message.pdu, at: StoragePlace(storage: storage, index: index))
    }
    guard storage == homeStorage else {
      if answer.isCut { isReportSweepDue = true }
      return
    }
    status.storageUsed = messages.count
    watchStorage()
    if answer.isCut { isSweepDue = true }
  }

  mutating func didRead(_ place: StoragePlace, _ answer: ATAnswer) {
    guard answer.ending == .ok, let message = StoredMessage.messages(in: answer).first,
      message.state != .storedSent, message.state != .storedUnsent
    else { return }
    tell(message.pdu, at: place)
  }

  /// Hands a message over, under the token that it had before if it was told already.
  private mutating func tell(_ pdu: String, at place: StoragePlace) {
    // Confirmed already: it is still there, and its deletion is next.
    if deletes.contains(place) { return }
    let token: UInt64
    let known = unconfirmed.first { $0.value.place == place }
    if let known, known.value.pdu == pdu {
      token = known.key
    } else {
      // Another message is there now; it must not be deleted by what confirms the one before.
      if let known { unconfirmed[known.key] = nil }
      guard unconfirmed.count < Limits.unconfirmed else { return }
      lastToken += 1
      token = lastToken
      unconfirmed[token] = ToldMessage(place: place, pdu: pdu)
    }
    hand(InboundPDU(token: token, hex: pdu, storage: place.storage, index: place.index))
  }

  /// Hands a message over, and the time that it carries.
  private mutating func hand(_ inbound: InboundPDU) {
    effects.append(.event(.received(inbound)))
    if let time = NetworkTime(message: inbound.hex) { effects.append(.event(.networkTime(time))) }
  }

  /// What was told is on disk; only now may the modem forget it.
  mutating func confirm(_ token: UInt64) {
    guard let place = unconfirmed.removeValue(forKey: token)?.place else { return }
    if !deletes.contains(place) { deletes.append(place) }
  }

  mutating func deleted(_ place: StoragePlace, _ answer: ATAnswer) {
    if case .failed(let result) = answer.ending {
      log(
        "modem_delete_failed", .warning,
        "message \(place.index) of \(place.storage) was not deleted: \(result); tried again after"
          + " the next sweep")
      return
    }
    if place.storage == homeStorage, let used = status.storageUsed {
      status.storageUsed = max(0, used - 1)
    }
  }

  /// Tells when a storage fills up: once it is full, the network keeps what should come in.
  mutating func watchStorage() {
    guard let used = status.storageUsed, let size = status.storageSize, size > 0 else { return }
    let share = Double(used) * 100 / Double(size)
    if share >= Double(Limits.storageAlarm), !isStorageAlarmed {
      isStorageAlarmed = true
      log(
        "modem_storage_filling", .warning,
        "the storage \(homeStorage) has \(used) messages of \(size); messages are deleted once they"
          + " are stored here, so look why they are not",
        [ModemLogEntry.Field("used", .integer(Int64(used)))])
    } else if share < Double(Limits.storageCalm) {
      isStorageAlarmed = false
    }
  }
}
