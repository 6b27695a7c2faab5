import AT
import GSM
import Time

/// What the modem tells by itself, and the messages in its storages.
extension ModemSession {
  mutating func heard(_ result: Unsolicited, at now: BootInstant) {
    switch result {
    case .messageStored(let storage, let index), .statusReportStored(let storage, let index):
      heardAnnouncement()
      sweep.met(storage, home: homeStorage)
      guard reads.count < Limits.reads else {
        announcements.doubt()
        isSweepDue = true
        sweep.makeDue(storage)
        return
      }
      reads.append(StoragePlace(storage: storage, index: index))
    case .storedSomewhere:
      heardAnnouncement()
      seekMessages()
    case .message(let pdu), .statusReport(let pdu):
      heardAnnouncement()
      lastToken += 1
      noteDamage(pdu, at: nil)
      hand(InboundPDU(token: lastToken, hex: pdu))
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
      seekMessages()
    case .trouble(let trouble, let line):
      warn(trouble, line, at: now)
      heardOfSupply(line, at: now)
    case .storageFull:
      log("modem_storage_full", .warning, "the modem's storage is full; it is emptied now")
      isSweepDue = true
    case .sim(let state):
      if phase == .idle, state != "READY" { needsSetup = true }
      // Somebody put it in, or unlocked it.
      if case .locked = phase, state == "READY" { phase = .locked(until: now) }
    case .ussd(let mode, let text, let coding):
      heardUSSD(mode: mode, text: text, coding: coding, at: now)
    case .networkTime(let line):
      if let time = NetworkTime(line: line) { effects.append(.event(.networkTime(time))) }
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
    if sending != nil { supply.sent(at: now) }
    tell(supply.note(.restart, at: now))
    take(.resynchronise, "the modem restarted by itself (\(line))", at: now)
  }

  /// A modem that echoes again has forgotten its settings, unless it cannot leave it: then it echoes the
  /// commands of the setup too.
  mutating func heardEcho(at now: BootInstant) {
    if case .setup = phase { wasEchoed = true }
    guard phase == .idle, !echoesAnyway, echoSetup.map({ now - $0 >= Limits.echoSetups }) ?? true
    else { return }
    echoSetup = now
    needsSetup = true
  }

  // MARK: Handing over

  /// Hands a message over, under the token that it had before if it was told already.
  ///
  /// - Returns: What it was to whoever is told.
  @discardableResult
  mutating func tell(_ pdu: String, at place: StoragePlace) -> Telling {
    // Confirmed already: it is still there, and its deletion is next.
    if deletes.contains(place) { return .known }
    // The same message as in the storages that MT is made of.
    if place.storage == "MT", homeStorage != "MT",
      unconfirmed.contains(where: { $0.value.pdu == pdu && $0.value.place.storage != "MT" })
    {
      return .known
    }
    var telling = Telling.known
    let token: UInt64
    let known = unconfirmed.first { $0.value.place == place }
    if let known, known.value.pdu == pdu {
      token = known.key
    } else {
      // Another message is there now; it must not be deleted by what confirms the one before.
      if let known { unconfirmed[known.key] = nil }
      guard unconfirmed.count < Limits.unconfirmed else { return .left }
      telling = .new
      noteDamage(pdu, at: place)
      lastToken += 1
      token = lastToken
      unconfirmed[token] = ToldMessage(place: place, pdu: pdu)
    }
    hand(InboundPDU(token: token, hex: pdu, storage: place.storage, index: place.index))
    return telling
  }

  /// A message that lost half an octet is kept as it came, and not left in the modem for ever.
  private mutating func noteDamage(_ pdu: String, at place: StoragePlace?) {
    guard !pdu.utf8.count.isMultiple(of: 2) else { return }
    damagedMessages += 1
    let which = place.map { "message \($0.index) of \($0.storage)" } ?? "a message"
    log(
      "modem_message_damaged", .warning,
      "\(which) has half an octet too much or too little; it is kept as it came",
      [ModemLogEntry.Field("messages", .integer(damagedMessages))])
  }

  /// What a message was to whoever is told of it.
  enum Telling {
    case known, new
    /// Not told yet: too many wait to be confirmed.
    case left
  }

  /// Hands a message over, and the time that it carries.
  private mutating func hand(_ inbound: InboundPDU) {
    effects.append(.event(.received(inbound)))
    if let time = NetworkTime(message: inbound.pdu) { effects.append(.event(.networkTime(time))) }
  }

  /// What was told is on disk; only now may the modem forget it.
  mutating func confirm(_ token: UInt64) {
    guard let place = unconfirmed.removeValue(forKey: token)?.place else { return }
    if !deletes.contains(place) { deletes.append(place) }
  }

  mutating func deleted(_ place: StoragePlace, _ answer: ATAnswer) {
    if case .failed(let result) = answer.ending {
      announcements.doubt()
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
      let leftovers = status.storageLeftovers ?? 0
      log(
        "modem_storage_filling", .warning,
        "the storage \(homeStorage) has \(used) messages of \(size); "
          + (leftovers == 0 ? "" : leftoverWords(leftovers, of: used))
          + (leftovers == used
            ? "" : "messages are deleted once they are stored here, so look why they are not"),
        [
          ModemLogEntry.Field("used", .integer(Int64(used))),
          ModemLogEntry.Field("leftovers", .integer(Int64(leftovers))),
        ])
    } else if share < Double(Limits.storageCalm) {
      isStorageAlarmed = false
    }
  }

  /// What is said of messages that nobody here will ever read.
  private func leftoverWords(_ count: Int, of used: Int) -> String {
    let which = "sent messages and drafts that another program or a telephone left there"
    return (count == used ? "all of them are \(which)" : "\(count) of them are \(which)")
      + (configuration.deletesLeftovers
        ? ", which are being deleted" : ": set modem.delete_leftovers to have them deleted")
      + (count == used ? "" : "; ")
  }
}
