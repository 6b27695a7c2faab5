import AT
import Events
import GSM
import Time

/// The storages of the modem and the messages in them: what is looked through, read and deleted next, and
/// what was told and is not confirmed yet.
struct StorageState: Sendable {
  /// A place in a storage.
  struct Place: Hashable, Sendable {
    var storage: String
    var index: Int
  }

  /// A message that was told and is not confirmed yet.
  struct ToldMessage: Hashable, Sendable {
    var place: Place
    var pdu: String
  }

  /// A command and whose it is.
  struct Work: Hashable, Sendable {
    var command: ATCommand
    var purpose: ModemSession.Purpose
  }

  /// What comes of an answer.
  struct Result: Hashable, Sendable {
    /// What is told, in order.
    var events: [ModemEvent] = []
    /// Whether every setting is made again.
    var needsSetup = false
  }

  let configuration: ModemConfiguration

  /// The storage that messages are put into.
  private(set) var home = "SM"
  /// The one that is read from; nil where that is not known.
  var current: String?
  /// How full each storage is, as far as it was told.
  private(set) var levels: [String: StorageLevel] = [:]
  var isAlarmed = false
  /// Places whose message was not deleted, and how often in a row.
  var undeleted: [Place: Int] = [:]

  /// Whether the home storage is to be looked through.
  var isSweepDue = false
  var nextSweep = BootInstant.zero
  /// Sweeps in a row that were not answered: the next one comes later.
  var unansweredSweeps = 0
  /// The storages beside the home storage.
  var sweep = StorageSweep()
  var listTroubles = ListTroubles()
  var announcements = Announcements()

  /// Places to be read, and to be deleted.
  var reads: [Place] = []
  var deletes: [Place] = []
  /// Places whose message a list did not show, and that were read alone.
  var readAlone: Set<Place> = []
  var unconfirmed: [UInt64: ToldMessage] = [:]
  var lastToken: UInt64 = 0
  /// Messages that came with half an octet.
  var damagedMessages: Int64 = 0
  /// When all storages were last looked through for a message that was not where it was told.
  var soughtAt: BootInstant?

  init(_ configuration: ModemConfiguration) {
    self.configuration = configuration
  }

  /// Another modem may be there.
  mutating func forgetModem() {
    current = nil
    levels = [:]
    undeleted = [:]
    sweep.forgetForm()
    announcements.opened()
    readAlone = []
    reads = []
    deletes = []
    unconfirmed = [:]
  }

  // MARK: Setting up

  /// The modem took a storage as the one for messages.
  ///
  /// - Parameter all: Those that it has if it does not say.
  mutating func settled(in storage: String, use: StorageUse?, all: [String]) {
    take(use, of: storage)
    home = storage
    current = storage
    sweep.found(all, home: home)
  }

  /// The modem told which storages it has.
  mutating func found(_ names: [String]) {
    if names.contains(home) { sweep.found(names, home: home) }
  }

  /// Reports are told of in a storage: they lie in one of their own (3GPP TS 27.005 3.2.3).
  mutating func keepsReports() {
    sweep.met("SR", home: home)
  }

  /// All is set up. A storage that is never listed must not keep the modem from being of use between two
  /// tries.
  mutating func isSetUp(at now: BootInstant) {
    isSweepDue = unansweredSweeps == 0 || nextSweep <= now
    announcements.doubt()
    if isSweepDue {
      sweep.makeDue(at: now)
      nextSweep = now + sweepPause
    }
  }

  /// A storage told how full it is.
  mutating func take(_ use: StorageUse?, of storage: String) {
    guard let use else { return }
    change(storage) {
      $0.used = use.used
      $0.size = use.size
    }
  }

  /// Changes what is known of a storage.
  mutating func change(_ storage: String, _ change: (inout StorageLevel) -> Void) {
    change(&levels[storage, default: StorageLevel(storage: storage)])
  }

  /// Whether a storage is so full that the next messages may find no room.
  func isNearlyFull(_ storage: String) -> Bool {
    levels[storage]?.share.map { $0 >= Limits.storageAlarm } ?? false
  }

  /// Whether any of those that are looked through is.
  private var isAnyNearlyFull: Bool {
    ([home] + sweep.others).contains { isNearlyFull($0) }
  }

  // MARK: Time

  /// Time from one look for stored messages to the next.
  private var sweepPause: Duration {
    announcements.isDeaf || isAnyNearlyFull
      ? min(Limits.deafSweepEvery, configuration.sweepInterval) : configuration.sweepInterval
  }

  /// A storage that fills up is looked through more often, from now on.
  mutating func quicken(at now: BootInstant) {
    if unansweredSweeps == 0 { nextSweep = min(nextSweep, now + sweepPause) }
  }

  /// The modem told that a storage is full: what is ours in it is read, handed over and deleted at once.
  ///
  /// - Parameter value: What it said, with the storage's name in some.
  mutating func full(_ value: String, at now: BootInstant) {
    let words = value.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map {
      $0.uppercased()
    }
    let named = words.first { $0 == home || sweep.others.contains($0) }
    // Where it does not say which, it is the one that messages are put into.
    if let named, named != home { sweep.makeDue(named) } else { isSweepDue = true }
    nextSweep = min(nextSweep, now + Limits.deafSweepEvery)
  }

  /// When something is due by itself.
  var deadline: BootInstant {
    var next = nextSweep
    if let moment = announcements.checkAt { next = min(next, moment) }
    if sweep.notBefore > .zero { next = min(next, sweep.notBefore) }
    return next
  }

  /// The SIM may be busy no longer.
  mutating func resume(at now: BootInstant) {
    if sweep.notBefore <= now { sweep.resume() }
  }

  /// Makes due what it is time for.
  mutating func passTime(at now: BootInstant) {
    guard nextSweep <= now else { return }
    isSweepDue = true
    sweep.passTime(
      isOften: announcements.isDeaf || sweep.others.contains { isNearlyFull($0) }, at: now)
    nextSweep = now + sweepPause
  }

  /// What messages show that lay there and that the modem never told of.
  mutating func judge(at now: BootInstant) -> Announcements.Finding? {
    let finding = announcements.judge(at: now)
    if case .deaf = finding { nextSweep = min(nextSweep, now + sweepPause) }
    return finding
  }

  /// All storages are looked through as soon as the line is free.
  mutating func seek() {
    isSweepDue = true
    sweep.makeAllDue()
    sweep.resume()
    announcements.doubt()
  }

  /// All are to be looked through now, as somebody asked for it.
  mutating func makeAllDue() {
    isSweepDue = true
    sweep.makeAllDue()
  }

  /// The modem answers nothing at all, so that a list was not answered was not the list's doing, unless
  /// it comes again.
  mutating func forgive(at now: BootInstant) {
    sweep.forgive()
    if unansweredSweeps == 1 { nextSweep = now }
  }

  // MARK: What goes next

  /// The next command that reads, deletes or lists; nil when nothing is due.
  mutating func next(at now: BootInstant) -> Work? {
    guard sweep.notBefore <= now else { return nil }
    let query = configuration.timeouts.query
    // Room is made first where there is hardly any.
    let deletesFirst = deletes.first.map { isNearlyFull($0.storage) } ?? false
    if let place = reads.first, !deletesFirst {
      if let work = choose(place.storage) { return work }
      reads.removeFirst()
      return Work(
        command: ATCommand("AT+CMGR=\(place.index)", timeout: query), purpose: .read(place))
    }
    if let place = deletes.first {
      if let work = choose(place.storage) { return work }
      deletes.removeFirst()
      return Work(
        command: ATCommand("AT+CMGD=\(place.index)", timeout: query), purpose: .delete(place))
    }
    guard let storage = isSweepDue ? home : sweep.due.first else { return nil }
    if let work = choose(storage) { return work }
    if storage == home { isSweepDue = false }
    sweep.begun(storage)
    var command = ATCommand("AT+CMGL=4", timeout: configuration.timeouts.list)
    command.renewsWithLines = true
    return Work(command: command, purpose: .list)
  }

  /// What goes back to the home storage from one that is only looked into; nil when it is there.
  func returnHome(at now: BootInstant) -> Work? {
    sweep.notBefore <= now ? choose(home) : nil
  }

  /// What makes a storage the one that is read from; nil when it is.
  func choose(_ storage: String) -> Work? {
    if current == storage { return nil }
    let names = sweep.names(choosing: storage, home: home)
    var command = ATCommand("AT+CPMS=\(names)", timeout: configuration.timeouts.query)
    command.mayLackResult = true
    return Work(command: command, purpose: .select(storage))
  }

  /// A storage was chosen, or not.
  mutating func selected(
    _ storage: String, _ answer: ATAnswer, _ error: ModemError?, at now: BootInstant
  ) -> Result {
    switch answer.ending {
    case .ok:
      sweep.chosen()
      current = storage
      take(answer.value.flatMap { StorageUse(answer: $0) }, of: storage)
      quicken(at: now)
      return Result(events: storage == home ? watch() : [])
    case .timedOut:
      silenced(storage)
      return leave(storage, "is not answered for")
    case .failed(let result):
      if error?.isSIMBusy == true, listTroubles.refused(error, at: now) == .again {
        sweep.pause(until: now + Limits.busyListAfter)
        return Result()
      }
      return sweep.refused() ? Result() : leave(storage, "cannot be opened (\(result))")
    }
  }

  /// What lies in a storage cannot be reached; it must not hold up the rest.
  private mutating func leave(_ storage: String, _ why: String) -> Result {
    var result = Result()
    let lost = reads.count { $0.storage == storage }
    if lost > 0 {
      result.events.append(
        .entry(
          "modem_storage_unreachable", .warning,
          "\(lost == 1 ? "a message" : "\(lost) messages") in the storage \(storage) cannot be read:"
            + " the storage \(why); it is tried again when the modem is set up next",
          [
            EventField("storage", .text(storage)),
            EventField("messages", .integer(Int64(lost))),
          ]))
    }
    reads.removeAll { $0.storage == storage }
    deletes.removeAll { $0.storage == storage }
    sweep.leave(storage)
    if storage == home {
      isSweepDue = false
      result.needsSetup = true
    }
    return result
  }

  /// A modem that does not bear a look into another storage is worth more than what lies there.
  mutating func silenced(_ storage: String) {
    guard storage != home else { return }
    sweep.wentSilent(storage)
  }
}
