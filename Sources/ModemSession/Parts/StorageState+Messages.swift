import AT
import Events
import GSM
import Time

/// The messages: listing and reading them, handing them over, and deleting them once they are confirmed.
extension StorageState {
  // MARK: What the modem tells by itself

  /// The modem told that a message was stored; whether it was thought to tell nothing.
  mutating func announced(_ place: Place) -> Bool {
    let hearsAgain = announcements.heard()
    sweep.met(place.storage, home: home)
    if reads.count < Limits.reads {
      reads.append(place)
    } else {
      announcements.doubt()
      isSweepDue = true
      sweep.makeDue(place.storage)
    }
    return hearsAgain
  }

  /// A message came directly, and lies nowhere.
  mutating func came(_ pdu: String) -> [ModemEvent] {
    lastToken += 1
    return noteDamage(pdu, at: nil) + handOver(InboundPDU(token: lastToken, hex: pdu))
  }

  // MARK: Listing

  /// The list of the storage that is read from ended.
  mutating func listed(_ answer: ATAnswer, _ error: ModemError?, at now: BootInstant) -> Result {
    let storage = current ?? home
    let messages = StoredMessage.messages(in: answer)
    // What came is kept, however the list ended.
    let (told, new, isLeft) = tell(messages, in: storage)
    var events = told
    switch answer.ending {
    case .timedOut:
      events += listStopped(storage, hasLines: !answer.lines.isEmpty, new: new, at: now)
    case .failed(let result):
      var refused = listRefused(storage, result, error, at: now)
      refused.events = events + refused.events
      return refused
    case .ok:
      unansweredSweeps = 0
      listTroubles.listed()
      let unreadable = StoredMessage.unreadable(in: answer)
      events += seekUnreadable(unreadable, in: storage)
      // One whose end was not told may have more, until it brings nothing new.
      let isToBeContinued = answer.isCut || answer.lacksResult && new > 0
      let (leftovers, deleted) = sortOut(messages, in: storage)
      events += deleted
      announcements.swept(
        storage, isHome: storage == home, new: new,
        isWhole: !answer.isCut && !isLeft && !answer.lacksResult, at: now)
      change(storage) {
        $0.used = messages.count + unreadable.count
        $0.leftovers = leftovers
      }
      if !answer.isCut, !answer.lacksResult {
        // What is not there any more was deleted after all.
        let there = Set(messages.compactMap(\.index) + unreadable)
        undeleted = undeleted.filter { $0.key.storage != storage || there.contains($0.key.index) }
      }
      quicken(at: now)
      if storage == home {
        events += watch()
        if isToBeContinued { isSweepDue = true }
      } else if isToBeContinued {
        sweep.makeDue(storage)
      }
    }
    return Result(events: events)
  }

  /// Hands over those that came in; how many of them nobody knew of, and whether some could not be
  /// told yet.
  private mutating func tell(
    _ messages: [StoredMessage], in storage: String
  ) -> (events: [ModemEvent], new: Int, isLeft: Bool) {
    var (events, new, isLeft) = ([ModemEvent](), 0, false)
    for message in messages {
      guard let index = message.index, message.state != .storedSent,
        message.state != .storedUnsent
      else { continue }
      let place = Place(storage: storage, index: index)
      let isAnnounced = reads.contains(place)
      switch tell(message.pdu, at: place, &events) {
      case .new where !isAnnounced: new += 1
      case .left: isLeft = true
      case .new, .known: break
      }
    }
    return (events, new, isLeft)
  }

  /// Messages that a list has without their content are read alone, each once.
  private mutating func seekUnreadable(_ places: [Int], in storage: String) -> [ModemEvent] {
    let new = places.map { Place(storage: storage, index: $0) }.filter { place in
      !readAlone.contains(place) && !reads.contains(place) && !deletes.contains(place)
    }
    guard !new.isEmpty, readAlone.count < Limits.unconfirmed else { return [] }
    readAlone.formUnion(new)
    reads += new.prefix(Limits.reads)
    return [
      .entry(
        "modem_messages_unreadable", .warning,
        "\(new.count == 1 ? "a message" : "\(new.count) messages") in the storage \(storage)"
          + " (\(new.prefix(8).map { "\($0.index)" }.joined(separator: ", "))) came without content;"
          + " each is read once more alone",
        [EventField("messages", .integer(Int64(new.count)))])
    ]
  }

  /// How many of those listed neither came in nor will be read: they are deleted where that is wanted.
  private mutating func sortOut(
    _ messages: [StoredMessage], in storage: String
  ) -> (count: Int, events: [ModemEvent]) {
    let places = messages.compactMap { message -> Place? in
      guard message.state == .storedSent || message.state == .storedUnsent else { return nil }
      return message.index.map { Place(storage: storage, index: $0) }
    }
    guard configuration.deletesLeftovers, !places.isEmpty else { return (places.count, []) }
    for place in places where !deletes.contains(place) { deletes.append(place) }
    return (
      places.count,
      [
        .entry(
          "modem_leftovers_deleted", .notice,
          "\(places.count) sent messages and drafts in the storage \(storage) are deleted"
            + " (modem.delete_leftovers)",
          [EventField("messages", .integer(Int64(places.count)))])
      ]
    )
  }

  /// A list did not come to its end.
  private mutating func listStopped(
    _ storage: String, hasLines: Bool, new: Int, at now: BootInstant
  ) -> [ModemEvent] {
    announcements.doubt()
    let events = watch()
    if new > 0 {
      unansweredSweeps = 0
      return events
    }
    if !hasLines { silenced(storage) }
    unansweredSweeps = min(unansweredSweeps + 1, 6)
    nextSweep = now + configuration.sweepInterval * (1 << unansweredSweeps)
    return events
  }

  private mutating func listRefused(
    _ storage: String, _ result: String, _ error: ModemError?, at now: BootInstant
  ) -> Result {
    let remedy = listTroubles.refused(error, at: now)
    if remedy == .again {
      sweep.pause(until: now + Limits.busyListAfter)
      if storage == home { isSweepDue = true } else { sweep.makeDue(storage) }
      return Result()
    }
    unansweredSweeps = 0
    let mends = storage == home && remedy == .setUpAgain
    let events =
      watch() + [
        .entry(
          "modem_sweep_failed", .warning,
          "the modem does not list its messages in \(storage): \(result)"
            + (mends ? "; it is set up again" : ""),
          [EventField("storage", .text(storage)), EventField("error", .text("\(result)"))])
      ]
    if !mends, storage != home { sweep.leave(storage) }
    return Result(events: events, needsSetup: mends)
  }

  // MARK: Reading one

  /// One message was read, or not.
  mutating func didRead(
    _ place: Place, _ answer: ATAnswer, _ error: ModemError?, at now: BootInstant
  ) -> [ModemEvent] {
    var events: [ModemEvent] = []
    switch answer.ending {
    case .ok:
      guard let message = StoredMessage.messages(in: answer).first else {
        missed(place, at: now)
        break
      }
      guard message.state != .storedSent, message.state != .storedUnsent else { break }
      // No list has it yet, but for one that was there without its content.
      if tell(message.pdu, at: place, &events) == .new, !readAlone.contains(place) {
        change(place.storage) { level in
          level.used = level.used.map { min($0 + 1, max(level.size ?? .max, $0)) }
        }
        quicken(at: now)
      }
    case .failed:
      if error?.isSIMBusy == true, listTroubles.refused(error, at: now) == .again {
        sweep.pause(until: now + Limits.busyListAfter)
        reads.insert(place, at: 0)
      } else {
        missed(place, at: now)
      }
    case .timedOut: break
    }
    return events
  }

  /// A message is not where it was told to be, or not to be read there: it may lie in another storage,
  /// or the modem in another mode, of which a list tells more.
  private mutating func missed(_ place: Place, at now: BootInstant) {
    announcements.doubt()
    if readAlone.contains(place) { return }
    guard soughtAt.map({ now - $0 >= Limits.seeksEvery }) ?? true else { return }
    soughtAt = now
    seek()
  }

  // MARK: Handing over

  /// What a message was to whoever is told of it.
  private enum Telling {
    case known, new
    /// Not told yet: too many wait to be confirmed.
    case left
  }

  /// Hands a message over, under the token that it had before if it was told already.
  private mutating func tell(
    _ pdu: String, at place: Place, _ events: inout [ModemEvent]
  ) -> Telling {
    // Confirmed already: it is still there, and its deletion is next.
    if deletes.contains(place) { return .known }
    // The same message as in the storages that MT is made of.
    if place.storage == "MT", home != "MT",
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
      events += noteDamage(pdu, at: place)
      lastToken += 1
      token = lastToken
      unconfirmed[token] = ToldMessage(place: place, pdu: pdu)
    }
    events += handOver(
      InboundPDU(token: token, hex: pdu, storage: place.storage, index: place.index))
    return telling
  }

  /// A message that lost half an octet is kept as it came, and not left in the modem for ever.
  private mutating func noteDamage(_ pdu: String, at place: Place?) -> [ModemEvent] {
    guard !pdu.utf8.count.isMultiple(of: 2) else { return [] }
    damagedMessages += 1
    let which = place.map { "message \($0.index) of \($0.storage)" } ?? "a message"
    return [
      .entry(
        "modem_message_damaged", .warning,
        "\(which) has half an octet too much or too little; it is kept as it came",
        [EventField("messages", .integer(damagedMessages))])
    ]
  }

  /// A message, and the time that it carries.
  private func handOver(_ inbound: InboundPDU) -> [ModemEvent] {
    [.received(inbound)] + (NetworkTime(message: inbound.pdu).map { [.networkTime($0)] } ?? [])
  }

  /// What was told is on disk; only now may the modem forget it.
  mutating func confirm(_ token: UInt64) {
    guard let place = unconfirmed.removeValue(forKey: token)?.place else { return }
    if !deletes.contains(place) { deletes.append(place) }
  }

  /// A message was deleted, or not.
  mutating func deleted(_ place: Place, _ answer: ATAnswer) -> ModemEvent? {
    if case .failed(let result) = answer.ending {
      announcements.doubt()
      let times = undeleted[place, default: 0] + 1
      if undeleted.count < Limits.unconfirmed || times > 1 { undeleted[place] = times }
      // That it cannot be deleted is told of as what it is, and no longer each time.
      guard times <= Limits.deletionsTried || times.isMultiple(of: Limits.deletionsTold) else {
        return nil
      }
      return .entry(
        "modem_delete_failed", .warning,
        "message \(place.index) of \(place.storage) was not deleted: \(result); tried again after"
          + " the next sweep",
        [
          EventField("storage", .text(place.storage)),
          EventField("index", .integer(Int64(place.index))),
          EventField("error", .text("\(result)")),
        ])
    }
    if answer.ending == .ok {
      undeleted[place] = nil
      change(place.storage) { $0.used = $0.used.map { max(0, $0 - 1) } }
    }
    return nil
  }

  // MARK: Room

  /// How full each storage is that was told of, the home storage first.
  var standing: [StorageLevel] {
    let others = levels.keys.filter { $0 != home }.sorted()
    return ([home] + others).compactMap { name in
      guard var level = levels[name] else { return nil }
      level.undeletable = undeleted.count {
        $0.key.storage == name && $0.value >= Limits.deletionsTried
      }
      return level
    }
  }

  /// Tells when the home storage fills up: once it is full, the network keeps what should come in.
  mutating func watch() -> [ModemEvent] {
    guard let level = levels[home], let share = level.share, let used = level.used,
      let size = level.size
    else { return [] }
    if share >= Limits.storageAlarm, !isAlarmed {
      isAlarmed = true
      let leftovers = level.leftovers ?? 0
      return [
        .entry(
          "modem_storage_filling", .warning,
          "the storage \(home) has \(used) messages of \(size); "
            + (leftovers == 0 ? "" : leftoverWords(leftovers, of: used))
            + (leftovers == used
              ? "" : "messages are deleted once they are stored here, so look why they are not"),
          [
            EventField("used", .integer(Int64(used))),
            EventField("leftovers", .integer(Int64(leftovers))),
          ])
      ]
    }
    if share < Limits.storageCalm { isAlarmed = false }
    return []
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
