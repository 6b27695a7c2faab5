import AT
import GSM
import Time

/// Looking through the storages: choosing one, listing it, and what is done about those that fail.
extension ModemSession {
  /// Time from one look for stored messages to the next.
  var sweepPause: Duration {
    announcements.isDeaf
      ? min(Limits.deafSweepEvery, configuration.sweepInterval) : configuration.sweepInterval
  }

  /// Opens the next command that reads, deletes or checks; false when nothing is due.
  mutating func keepHouse(at now: BootInstant) -> Bool {
    if sweep.notBefore <= now, lookIntoStorages(at: now) { return true }
    if !checks.isEmpty {
      let step = checks.removeFirst()
      open(step.forms(configuration, profile)[0], for: .check(step), at: now)
      return true
    }
    // Not left in a storage that is only looked into.
    return sweep.notBefore <= now && currentStorage != homeStorage && !select(homeStorage, at: now)
  }

  private mutating func lookIntoStorages(at now: BootInstant) -> Bool {
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
    guard let storage = isSweepDue ? homeStorage : sweep.due.first else { return false }
    guard select(storage, at: now) else { return true }
    if storage == homeStorage { isSweepDue = false }
    sweep.begun(storage)
    var command = ATCommand("AT+CMGL=4", timeout: configuration.timeouts.list)
    command.renewsWithLines = true
    open(command, for: .list, at: now)
    return true
  }

  /// Looks through all storages as soon as the line is free.
  mutating func seekMessages() {
    isSweepDue = true
    sweep.makeAllDue()
    sweep.resume()
    announcements.doubt()
  }

  // MARK: Choosing

  /// Makes a storage the one that is read from; false when a command for it was opened.
  mutating func select(_ storage: String, at now: BootInstant) -> Bool {
    if currentStorage == storage { return true }
    let names = sweep.names(choosing: storage, home: homeStorage)
    var command = ATCommand("AT+CPMS=\(names)", timeout: configuration.timeouts.query)
    command.mayLackResult = true
    open(command, for: .select(storage), at: now)
    return false
  }

  mutating func selected(_ storage: String, _ answer: ATAnswer, at now: BootInstant) {
    switch answer.ending {
    case .ok:
      sweep.chosen()
      currentStorage = storage
      if storage == homeStorage { learnStorage(answer) }
    case .timedOut:
      silenced(storage)
      leave(storage, "is not answered for", at: now)
    case .failed(let result):
      let error = ModemError(finalResult: result, family: errors)
      if error?.isSIMBusy == true, listTroubles.refused(error, at: now) == .again {
        sweep.pause(until: now + Limits.busyListAfter)
      } else if !sweep.refused() {
        leave(storage, "cannot be opened (\(result))", at: now)
      }
    }
  }

  /// What lies in a storage cannot be reached; it must not hold up the rest.
  private mutating func leave(_ storage: String, _ why: String, at now: BootInstant) {
    let lost = reads.count { $0.storage == storage }
    if lost > 0 {
      log(
        "modem_storage_unreachable", .warning,
        "\(lost == 1 ? "a message" : "\(lost) messages") in the storage \(storage) cannot be read:"
          + " the storage \(why); it is tried again when the modem is set up next",
        [
          ModemLogEntry.Field("storage", .text(storage)),
          ModemLogEntry.Field("messages", .integer(Int64(lost))),
        ])
    }
    reads.removeAll { $0.storage == storage }
    deletes.removeAll { $0.storage == storage }
    sweep.leave(storage)
    if storage == homeStorage {
      isSweepDue = false
      needsSetup = true
    }
  }

  /// A modem that does not bear a look into another storage is worth more than what lies there.
  private mutating func silenced(_ storage: String) {
    guard storage != homeStorage else { return }
    sweep.wentSilent(storage)
  }

  // MARK: Listing

  mutating func listed(_ answer: ATAnswer, at now: BootInstant) {
    let storage = currentStorage ?? homeStorage
    let messages = StoredMessage.messages(in: answer)
    // What came is kept, however the list ended.
    let (new, isLeft) = tell(messages, in: storage)
    switch answer.ending {
    case .timedOut: listStopped(storage, hasLines: !answer.lines.isEmpty, new: new, at: now)
    case .failed(let result): listRefused(storage, result, at: now)
    case .ok:
      unansweredSweeps = 0
      listTroubles.listed()
      seekUnreadable(StoredMessage.unreadable(in: answer), in: storage)
      let leftovers = leftovers(messages, in: storage)
      announcements.swept(
        storage, isHome: storage == homeStorage, new: new, isWhole: !answer.isCut && !isLeft,
        at: now)
      if storage == homeStorage {
        status.storageUsed = messages.count + StoredMessage.unreadable(in: answer).count
        status.storageLeftovers = leftovers
        watchStorage()
        if answer.isCut { isSweepDue = true }
      } else if answer.isCut {
        sweep.makeDue(storage)
      }
    }
  }

  /// Hands over those that came in; how many of them nobody knew of, and whether some could not be
  /// told yet.
  private mutating func tell(
    _ messages: [StoredMessage], in storage: String
  ) -> (new: Int, isLeft: Bool) {
    var (new, isLeft) = (0, false)
    for message in messages {
      guard let index = message.index, message.state != .storedSent,
        message.state != .storedUnsent
      else { continue }
      let place = StoragePlace(storage: storage, index: index)
      let isAnnounced = reads.contains(place)
      switch tell(message.pdu, at: place) {
      case .new where !isAnnounced: new += 1
      case .left: isLeft = true
      case .new, .known: break
      }
    }
    return (new, isLeft)
  }

  /// Messages that a list has without their content are read alone, each once.
  private mutating func seekUnreadable(_ places: [Int], in storage: String) {
    let new = places.map { StoragePlace(storage: storage, index: $0) }.filter { place in
      !readAlone.contains(place) && !reads.contains(place) && !deletes.contains(place)
    }
    guard !new.isEmpty, readAlone.count < Limits.unconfirmed else { return }
    log(
      "modem_messages_unreadable", .warning,
      "\(new.count == 1 ? "a message" : "\(new.count) messages") in the storage \(storage)"
        + " (\(new.prefix(8).map { "\($0.index)" }.joined(separator: ", "))) came without content;"
        + " each is read once more alone",
      [ModemLogEntry.Field("messages", .integer(Int64(new.count)))])
    readAlone.formUnion(new)
    reads += new.prefix(Limits.reads)
  }

  /// How many of those listed neither came in nor will be read: they are deleted where that is wanted.
  private mutating func leftovers(_ messages: [StoredMessage], in storage: String) -> Int {
    let places = messages.compactMap { message -> StoragePlace? in
      guard message.state == .storedSent || message.state == .storedUnsent else { return nil }
      return message.index.map { StoragePlace(storage: storage, index: $0) }
    }
    guard configuration.deletesLeftovers, !places.isEmpty else { return places.count }
    log(
      "modem_leftovers_deleted", .notice,
      "\(places.count) sent messages and drafts in the storage \(storage) are deleted"
        + " (modem.delete_leftovers)",
      [ModemLogEntry.Field("messages", .integer(Int64(places.count)))])
    for place in places where !deletes.contains(place) { deletes.append(place) }
    return places.count
  }

  /// A list did not come to its end.
  private mutating func listStopped(
    _ storage: String, hasLines: Bool, new: Int, at now: BootInstant
  ) {
    announcements.doubt()
    watchStorage()
    if new > 0 {
      unansweredSweeps = 0
      return
    }
    if !hasLines { silenced(storage) }
    unansweredSweeps = min(unansweredSweeps + 1, 6)
    nextSweep = now + configuration.sweepInterval * (1 << unansweredSweeps)
  }

  /// The modem answers nothing at all, so that a list was not answered was not the list's doing, unless
  /// it comes again.
  mutating func forgiveLists(at now: BootInstant) {
    sweep.forgive()
    if unansweredSweeps == 1 { nextSweep = now }
  }

  private mutating func listRefused(_ storage: String, _ result: String, at now: BootInstant) {
    let remedy = listTroubles.refused(ModemError(finalResult: result, family: errors), at: now)
    if remedy == .again {
      sweep.pause(until: now + Limits.busyListAfter)
      if storage == homeStorage { isSweepDue = true } else { sweep.makeDue(storage) }
      return
    }
    unansweredSweeps = 0
    watchStorage()
    let mends = storage == homeStorage && remedy == .setUpAgain
    log(
      "modem_sweep_failed", .warning,
      "the modem does not list its messages in \(storage): \(result)"
        + (mends ? "; it is set up again" : ""))
    if mends {
      needsSetup = true
    } else if storage != homeStorage {
      sweep.leave(storage)
    }
  }

  // MARK: Reading one

  mutating func didRead(_ place: StoragePlace, _ answer: ATAnswer, at now: BootInstant) {
    switch answer.ending {
    case .ok:
      guard let message = StoredMessage.messages(in: answer).first else {
        missed(place, at: now)
        return
      }
      guard message.state != .storedSent, message.state != .storedUnsent else { return }
      tell(message.pdu, at: place)
    case .failed(let result):
      let error = ModemError(finalResult: result, family: errors)
      if error?.isSIMBusy == true, listTroubles.refused(error, at: now) == .again {
        sweep.pause(until: now + Limits.busyListAfter)
        reads.insert(place, at: 0)
      } else {
        missed(place, at: now)
      }
    case .timedOut: break
    }
  }

  /// A message is not where it was told to be, or not to be read there: it may lie in another storage,
  /// or the modem in another mode, of which a list tells more.
  private mutating func missed(_ place: StoragePlace, at now: BootInstant) {
    announcements.doubt()
    if readAlone.contains(place) { return }
    guard soughtAt.map({ now - $0 >= Limits.seeksEvery }) ?? true else { return }
    soughtAt = now
    seekMessages()
  }

  // MARK: What the modem tells of

  /// The modem told of something by itself.
  mutating func heardAnnouncement() {
    guard announcements.heard() else { return }
    status.isDeaf = false
    log("modem_heard", .notice, "the modem tells again of what comes in")
  }

  /// Says so when messages lie there of which the modem never told.
  mutating func checkAnnouncements(at now: BootInstant) {
    switch announcements.judge(at: now) {
    case nil: break
    case .deaf(let found):
      status.isDeaf = true
      log(
        "modem_deaf", .warning,
        "\(found == 1 ? "a message" : "\(found) messages") lay in the modem that it did not tell of;"
          + " it is set up again, and looked through each minute until it tells of one",
        [ModemLogEntry.Field("messages", .integer(Int64(found)))])
      needsSetup = true
      nextSweep = min(nextSweep, now + sweepPause)
    case .stillDeaf: tryOtherPort(at: now)
    }
  }

  /// Closes the port, so that the shell opens another one of the same modem.
  private mutating func tryOtherPort(at now: BootInstant) {
    guard configuration.hasOtherPorts, sending == nil, texts.isEmpty, dialogue.openCommand == nil,
      announcements.move(at: now)
    else { return }
    let reason = "the modem tells of no message at this port; another of its ports is tried"
    effects.append(.close)
    close(reason, at: now)
    status.isDeaf = true
  }
}
